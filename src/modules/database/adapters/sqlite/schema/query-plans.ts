import { SqliteConnection } from '../sqlite-connection';
import type { ExplainOptions } from '../../database-adapter';

const STATISTICS = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'";

/** Tables of SQLite itself and those of virtual tables are created with others; triggers do not change plans of queries. */
const DECLARATIONS = `SELECT sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow') ORDER BY rowid`;

/** The plans of statements. */
export class QueryPlans {
  readonly #connection: SqliteConnection;
  #copy: SqliteConnection | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Returns the lines of a plan. Those without statistics are of an empty copy: the statistics of `ANALYZE` let SQLite scan a
   * small table that has an index. If the schema cannot be copied, the plan is that with statistics.
   * @throws the errors of SQLite
   */
  planOf(text: string, { withoutStatistics = false }: ExplainOptions = {}): readonly string[] {
    const plan = linesOf(this.#connection, text);
    if (!withoutStatistics || this.#connection.rows(STATISTICS).length === 0) return plan;
    try {
      return linesOf(this.#emptyCopy(), text);
    } catch {
      return plan;
    }
  }

  /** One copy serves all plans that are requested in one turn of the event loop. */
  #emptyCopy(): SqliteConnection {
    if (this.#copy !== undefined) return this.#copy;
    const copy = new SqliteConnection(':memory:', 0);
    this.#copy = copy;
    setImmediate(() => {
      this.#copy = undefined;
      copy.close();
    });
    for (const { sql } of this.#connection.rows(DECLARATIONS) as readonly { readonly sql: string }[])
      copy.exec(sql);
    return copy;
  }
}

/** A step of a plan, below the one whose part it is. */
interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The steps in their order, indented below their parents. */
function linesOf(connection: SqliteConnection, text: string): readonly string[] {
  const steps = connection.rows(`EXPLAIN QUERY PLAN ${text}`) as readonly object[] as readonly Step[];
  const indents = new Map<number, string>();
  return steps.map(({ id, parent, detail }) => {
    const indent = indents.get(parent) ?? '';
    indents.set(id, `${indent}  `);
    return indent + detail;
  });
}
