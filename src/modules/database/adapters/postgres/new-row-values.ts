import { DatabaseError } from '../database-error';
import type { SqlExecutor } from '../database-adapter';
import { partsOfName, quotedName } from './qualified-name';

/**
 * BEFORE triggers for each row of an INSERT, of partitions too (https://www.postgresql.org/docs/current/catalog-pg-trigger.html), rules
 * for INSERT, and foreign tables, whose rules another server checks.
 */
const QUERY = {
  text: `SELECT 1 AS found FROM (SELECT to_regclass($1) AS oid) t WHERE
    EXISTS (
      SELECT FROM pg_trigger WHERE (tgrelid = t.oid OR tgrelid IN (SELECT relid FROM pg_partition_tree(t.oid)))
        AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 7 = 7
    )
    OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = t.oid AND ev_type = '3' AND ev_enabled <> 'D')
    OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.oid AND c.relkind = 'f')`,
  kind: 'read',
  adHoc: true,
} as const;

/** Whether other values than those of a statement may be stored as a new row of a table. */
export async function mayChangeNewRows(executor: SqlExecutor, table: string): Promise<boolean> {
  const name = partsOfName(table).map(quotedName).join('.');
  try {
    return (await executor.execute(QUERY, [name])).length > 0;
  } catch (error) {
    // A database that fails now is reported elsewhere.
    if (error instanceof DatabaseError) return true;
    throw error;
  }
}
