import type { ExplainOptions } from '../database-adapter';
import { query, type ConnectionUse } from './connections/connection-use';
import type { Deadline } from './deadline';

/**
 * What a plan avoids, so that it shows whether an index can serve a statement of a table that is still small. Only conditions
 * lead to bitmap scans: whole indexes can be read by index scans.
 */
const AVOIDED: Readonly<Record<NonNullable<ExplainOptions['purpose']>, readonly string[]>> = {
  filter: ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan'],
  order: ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_hashagg'],
};

const COUNT_PARAMETERS =
  "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'explained'";

/**
 * For indexes whose entries have an order: their first columns or expressions, and those of the other complete indexes of
 * their tables, as each of them costs the same for a small table.
 */
const FIRST_COLUMNS = `SELECT quote_ident(c.relname) AS index, pg_get_indexdef(o.indexrelid, 1, false) AS first
  FROM pg_class c JOIN pg_am a ON a.oid = c.relam JOIN pg_index i ON i.indexrelid = c.oid
    JOIN pg_index o ON o.indrelid = i.indrelid AND (o.indexrelid = c.oid OR (o.indpred IS NULL AND o.indisvalid))
  WHERE a.amname IN ('btree', 'gist') AND quote_ident(c.relname) = ANY ($1)`;

/** Returns the lines of the plan of a statement, with any parameters. */
export async function planOf(
  use: ConnectionUse,
  deadline: Deadline,
  text: string,
  { purpose }: ExplainOptions = {},
): Promise<readonly string[]> {
  const avoided = purpose === undefined ? ['enable_seqscan'] : AVOIDED[purpose];
  try {
    for (const step of [
      'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off',
      ...avoided.map((setting) => `SET LOCAL ${setting} = off`),
      `PREPARE explained AS ${text}`,
    ])
      await query(use, deadline, step);
    const [counted] = (await query(use, deadline, COUNT_PARAMETERS)).rows;
    const nulls = Array.from({ length: Number(counted?.count) }, () => 'NULL').join(', ');
    const { rows } = await query(
      use,
      deadline,
      `EXPLAIN EXECUTE explained${nulls === '' ? '' : `(${nulls})`}`,
    );
    const lines = rows.map((row) => String(row['QUERY PLAN']));
    const indexes = new Set(lines.flatMap((line) => indexOf(line) ?? []));
    const firstColumns =
      indexes.size === 0
        ? []
        : (await query(use, deadline, { text: FIRST_COLUMNS, values: [[...indexes]] })).rows;
    await query(use, deadline, 'DEALLOCATE explained; ROLLBACK');
    return withFilters(
      lines,
      firstColumns.map(({ index, first }) => ({ index: String(index), first: String(first) })),
    );
  } catch (error) {
    // In the middle of it, the connection serves nothing else.
    use.connection.discard();
    throw error;
  }
}

const INDEX = /(?:Index(?: Only)? Scan(?: Backward)? using|Bitmap Index Scan on) ("(?:[^"]|"")+"|\S+)/;

/** The index that a step of a plan reads. */
function indexOf(line: string): string | undefined {
  return INDEX.exec(line)?.[1];
}

/** A table or its alias before a column. */
const QUALIFIER = /(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)\./gu;

/** Returns a plan in which the conditions that do not narrow an index are filters. */
function withFilters(
  lines: readonly string[],
  firstColumns: readonly { readonly index: string; readonly first: string }[],
): readonly string[] {
  let scanned: string | undefined;
  return lines.map((line) => {
    scanned = indexOf(line) ?? scanned;
    // Two schemas may have indexes with the same name.
    const known = firstColumns.filter(({ index }) => index === scanned);
    const condition = line.replace(QUALIFIER, '');
    const isNarrowing = known.length === 0 || known.some(({ first }) => mentions(condition, first));
    return isNarrowing ? line : line.replace('Index Cond: ', 'Filter: ');
  });
}

function mentions(condition: string, column: string): boolean {
  const escaped = column.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$"])${escaped}(?![\p{L}\p{N}_$"])`, 'u').test(condition);
}
