import type { ExplainOptions } from '../database-adapter';
import { query, type ConnectionUse } from './connections/connection-use';
import type { Deadline } from './deadline';

/**
 * What a plan avoids, so that it shows whether an index can serve a statement of a table that is still small. Only conditions
 * lead to bitmap scans: whole indexes can be read by index scans.
 */
const AVOIDED: Readonly<Record<NonNullable<ExplainOptions['purpose']>, readonly string[]>> = {
  // A comparison of the key of partitions with NULL would leave none of them in the plan.
  filter: ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan', 'enable_partition_pruning'],
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
  WHERE a.amname IN ('btree', 'gist') AND c.relname = ANY (SELECT (parse_ident(name))[1] FROM unnest($1::text[]) AS name)`;

/** Returns the lines of the plan of a statement, with any parameters. */
export async function planOf(
  use: ConnectionUse,
  deadline: Deadline,
  text: string,
  { purpose }: ExplainOptions = {},
): Promise<readonly string[]> {
  const avoided = purpose === undefined ? ['enable_seqscan'] : AVOIDED[purpose];
  const settings = ['jit', ...avoided].map((name) => `SET LOCAL ${name} = off`);
  try {
    for (const step of [
      `BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; ${settings.join('; ')}`,
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
    // A request for an order has no condition.
    const indexes = new Set(purpose === 'filter' ? lines.flatMap((line) => indexOf(line) ?? []) : []);
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

/** A column of another table of a join, which is the only kind that is qualified, apart from functions and types. */
const JOINED_COLUMN =
  /(?<![\p{L}\p{N}_$":])(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)\.(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]))(?!\()/u;

const STRING = /'(?:[^']|'')*'/g;

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
    const isNarrowing =
      known.length === 0 ||
      // An index of a join is read for each row of another table.
      (!JOINED_COLUMN.test(line.replace(STRING, '')) && known.some(({ first }) => mentions(line, first)));
    return isNarrowing ? line : line.replace('Index Cond: ', 'Filter: ');
  });
}

function mentions(condition: string, column: string): boolean {
  // An expression is in additional parentheses, unless it is the call of a function.
  const expression = column.replace(/^\((.*)\)$/s, '$1');
  const escaped = expression.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  // A type may have the name of a column.
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$":])${escaped}(?![\p{L}\p{N}_$"])`, 'u').test(condition);
}
