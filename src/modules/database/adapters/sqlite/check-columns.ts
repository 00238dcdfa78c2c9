import type { SqliteConnection } from './sqlite-connection';
import { checkDeclarations, reportedName, wordsOf } from './table-sql';

/**
 * The columns of a failed CHECK constraint: SQLite reports its name, or else its expression, without the table.
 *
 * @param text of the failed statement, which names the table
 */
export function checkColumns(
  connection: SqliteConnection,
  constraint: string,
  text: string,
): readonly string[] {
  try {
    const tables = connection.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND instr(lower(?), lower(name)) > 0",
      text,
    ) as readonly { readonly name: string; readonly sql: string }[];
    const found = tables.flatMap(({ name, sql }) => {
      const check = checkDeclarations(sql).find((declared) => reportedName(declared) === constraint);
      return check === undefined ? [] : [columnsIn(connection, name, check.expression)];
    });
    return found[0] ?? [];
  } catch {
    // Only a locked database: the error is about the constraint.
    return [];
  }
}

function columnsIn(connection: SqliteConnection, table: string, expression: string): readonly string[] {
  const words = new Set(wordsOf(expression).map((word) => word.toLowerCase()));
  const columns = connection.rows('SELECT name FROM pragma_table_xinfo(?)', table) as readonly {
    name: string;
  }[];
  return columns.map(({ name }) => name).filter((name) => words.has(name.toLowerCase()));
}
