import type { Row } from '../database-adapter';
import { lengthOf } from '../row-length';

/** Rows of a batch at most. */
const BATCH_SIZE = 500;

/** How many times as many rows as the last batch the next one has at most: their length is known only afterwards. */
const GROWTH = 20;

/** The length of texts and bytes that a batch should have at most. */
const BATCH_LENGTH = 262_144;

/** Reads the rows of the open cursor `stream` in batches. */
export async function* fetchBatches(
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
