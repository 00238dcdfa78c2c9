import type { SqliteConnection } from '../sqlite-connection';
import { checkDeclarations, indexKey, reportedName, wordsOf } from './table-sql';

/** Finds the CHECK constraint, the index or the trigger that refused a row: SQLite does not name its table or its columns. */
export class FailedRule {
  readonly #connection: SqliteConnection;
  readonly #text: string;

  /** @param text of the failed statement, which names the table */
  constructor(connection: SqliteConnection, text: string) {
    this.#connection = connection;
    this.#text = text;
  }

  /** The columns of a CHECK constraint, of which SQLite reports the name, or else the expression. */
  columnsOf(constraint: string): readonly string[] {
    try {
      const tables = this.#connection.rows(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND instr(lower(?), lower(name)) > 0",
        this.#text,
      ) as readonly { readonly name: string; readonly sql: string }[];
      const found = tables.flatMap(({ name, sql }) => {
        const check = checkDeclarations(sql).find((declared) => reportedName(declared) === constraint);
        return check === undefined ? [] : [this.#columnsIn(name, check.expression)];
      });
      return found[0] ?? [];
    } catch {
      // Only a locked database: the error is about the constraint.
      return [];
    }
  }

  /** The key of an index, of which SQLite reports only the name if the key has an expression, and its columns. */
  indexOf(name: string): { readonly key: string; readonly columns: readonly string[] } | undefined {
    try {
      const [index] = this.#connection.rows(
        "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND name = ?",
        name,
      ) as readonly { readonly tbl_name: string; readonly sql: string }[];
      if (index === undefined) return undefined;
      const key = indexKey(index.sql);
      return { key, columns: this.#columnsIn(index.tbl_name, key) };
    } catch {
      // Only a locked database: the error is about the index.
      return undefined;
    }
  }

  /** The columns in `my.table.a, my.table.b.c`: of the table that has all of them. */
  reportedColumns(names: string): readonly string[] | undefined {
    try {
      const tables = this.#connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(?, name || '.') = 1",
        names,
      ) as readonly { readonly name: string }[];
      return tables
        .map(({ name }) => ({ name, columns: names.slice(name.length + 1).split(`, ${name}.`) }))
        .find(({ name, columns }) => {
          const known = this.#columnsOfTable(name);
          return columns.every((column) => known.includes(column));
        })?.columns;
    } catch {
      // Only a locked database: the error is about the columns.
      return undefined;
    }
  }

  /** Whether a trigger raises this message: some drivers report no code with it, and the message may be any text. */
  isRaised(message: string): boolean {
    try {
      const triggers = this.#connection.rows(
        "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND instr(sql, ?) > 0",
        `'${message.replaceAll("'", "''")}'`,
      );
      return triggers.length > 0;
    } catch {
      return false;
    }
  }

  #columnsIn(table: string, expression: string): readonly string[] {
    const words = new Set(wordsOf(expression).map((word) => word.toLowerCase()));
    return this.#columnsOfTable(table).filter((name) => words.has(name.toLowerCase()));
  }

  #columnsOfTable(table: string): readonly string[] {
    const columns = this.#connection.rows('SELECT name FROM pragma_table_xinfo(?)', table) as readonly {
      name: string;
    }[];
    return columns.map(({ name }) => name);
  }
}
