import { query, type ConnectionUse } from './connections/connection-use';
import type { Deadline } from './deadline';

/** Sequential scans are avoided: the plan shows whether an index can serve a statement of a table that is still small. */
const PREPARE: readonly string[] = [
  'BEGIN',
  'SET LOCAL plan_cache_mode = force_generic_plan',
  'SET LOCAL enable_seqscan = off',
];

const COUNT_PARAMETERS =
  "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'explained'";

/** Returns the lines of the plan of a statement, with any parameters. */
export async function planOf(
  use: ConnectionUse,
  deadline: Deadline,
  text: string,
): Promise<readonly string[]> {
  try {
    for (const step of [...PREPARE, `PREPARE explained AS ${text}`]) await query(use, deadline, step);
    const [counted] = (await query(use, deadline, COUNT_PARAMETERS)).rows;
    const nulls = Array.from({ length: Number(counted?.count) }, () => 'NULL').join(', ');
    const { rows } = await query(
      use,
      deadline,
      `EXPLAIN EXECUTE explained${nulls === '' ? '' : `(${nulls})`}`,
    );
    await query(use, deadline, 'DEALLOCATE explained; ROLLBACK');
    return rows.map((row) => String(row['QUERY PLAN']));
  } catch (error) {
    // In the middle of it, the connection serves nothing else.
    use.connection.discard();
    throw error;
  }
}
