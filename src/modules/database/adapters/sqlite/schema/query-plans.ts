import { SqliteConnection } from '../sqlite-connection';
import type { ExplainOptions } from '../../database-adapter';

const STATISTICS = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'";

/** Tables of SQLite itself and those of virtual tables are created with others; triggers do not change plans of queries. */
const DECLARATIONS = `SELECT sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow') ORDER BY rowid`;

/** How long a copy is kept after it was made: services that start one after the other share it. */
const COPY_MS = 1000;

/** The plans of statements. */
export class QueryPlans {
  readonly #connection: SqliteConnection;
  #copy: { readonly connection: SqliteConnection; readonly version: number } | undefined;

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

  #emptyCopy(): SqliteConnection {
    const [version] = this.#connection.rows('SELECT schema_version AS number FROM pragma_schema_version') as [
      { readonly number: number },
    ];
    if (this.#copy?.version === version.number) return this.#copy.connection;
    const copy = { connection: new SqliteConnection(':memory:', 0), version: version.number };
    this.#copy = copy;
    setTimeout(() => {
      if (this.#copy === copy) this.#copy = undefined;
      copy.connection.close();
    }, COPY_MS).unref();
    // An incomplete copy is kept too: what it lacks makes a plan fail, or slower, as with statistics.
    for (const { sql } of this.#connection.rows(DECLARATIONS) as readonly { readonly sql: string }[])
      copy.connection.exec(sql);
    return copy.connection;
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
