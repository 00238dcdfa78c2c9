import type { ExecutionLimits, Row, SqlValue } from '../database-adapter';
import { assertNotAborted } from '../database-error';
import { lengthOf } from '../row-length';
import type { Query } from './connections/connection';
import { query } from './connections/connection-use';
import { Deadline } from './deadline';
import type { TransactionHost } from './postgres-transaction';

/** Rows of a batch at most. */
const BATCH_SIZE = 500;

/** How many times as many rows as the last batch the next one has at most: their length is known only afterwards. */
const GROWTH = 20;

/** The length of texts and bytes that a batch should have at most. */
const BATCH_LENGTH = 262_144;

/** Reads the rows of a statement in batches, in a transaction of its own. @throws DatabaseError */
export async function* streamRows(
  { text, values }: { readonly text: string; readonly values: readonly SqlValue[] },
  limits: ExecutionLimits,
  { use, timeout, succeeded, failed }: Omit<TransactionHost, 'prepare'>,
): AsyncGenerator<readonly Row[], void> {
  const run = async (step: Query): Promise<readonly Row[]> => {
    try {
      assertNotAborted(limits);
      const { rows } = await query(use, new Deadline(limits, timeout), step);
      succeeded();
      return rows;
    } catch (error) {
      throw await failed(error, false);
    }
  };
  try {
    await run('BEGIN READ ONLY');
    await run({ text: `DECLARE stream NO SCROLL CURSOR FOR ${text}`, values });
    yield* fetchBatches(run);
  } finally {
    use.end('ROLLBACK');
  }
}

/** Reads the rows of the open cursor `stream` in batches. */
async function* fetchBatches(
  run: (text: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let count = 1; ;) {
    const rows = await run(`FETCH ${count} FROM stream`);
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    const rowLength = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    // As large as the rows so far allow.
    const fitting = Math.floor(BATCH_LENGTH / Math.max(rowLength, 1));
    count = Math.max(1, Math.min(BATCH_SIZE, count * GROWTH, fitting));
  }
}
