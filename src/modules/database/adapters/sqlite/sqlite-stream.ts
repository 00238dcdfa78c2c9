import type { Row } from '../database-adapter';
import { assertStorable } from '../storable-value';
import type { ThreadRequest } from './threads/thread-messages';

/** Where a stream begins. */
type OpenRequest = Extract<ThreadRequest, { readonly type: 'open' }>;

/**
 * Reads the rows of a statement in batches, from a cursor in a thread. Other connections write meanwhile: the cursor
 * stays at the state of its beginning.
 *
 * @param send sends a request to the thread, within the limits of a statement
 * @param release sends the last request if not all rows were read
 */
export async function* streamBatches(
  open: OpenRequest,
  send: (request: ThreadRequest) => Promise<readonly Row[]>,
  release: (request: ThreadRequest) => void,
): AsyncGenerator<readonly Row[], void> {
  const { cursor, parameters } = open;
  assertStorable(parameters);
  let isComplete = false;
  try {
    for (let request: ThreadRequest = open; !isComplete; request = { type: 'fetch', cursor }) {
      const rows = await send(request);
      isComplete = rows.length === 0;
      if (!isComplete) yield rows;
    }
  } finally {
    // Not awaited: after a timeout, the thread may still be busy.
    if (!isComplete) release({ type: 'release', cursor });
  }
}
