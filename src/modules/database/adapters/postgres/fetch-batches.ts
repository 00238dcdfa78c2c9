import type { Row } from '../database-adapter';
import { lengthOf } from '../row-length';

/** Rows of the first batch; of the others at most. */
const FIRST_BATCH = 100;
const BATCH_SIZE = 500;

/** The length of texts and bytes that a batch should have at most. */
const BATCH_LENGTH = 262_144;

/** Reads the rows of the open cursor `stream` in batches. */
export async function* fetchBatches(
  run: (text: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let count = FIRST_BATCH; ;) {
    const rows = await run(`FETCH ${count} FROM stream`);
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    const rowLength = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    // As large as the rows so far allow.
    count = Math.max(1, Math.min(BATCH_SIZE, Math.floor(BATCH_LENGTH / Math.max(rowLength, 1))));
  }
}
