import type { Row } from '../database-adapter';
import { assertStorable } from '../storable-value';
import type { ThreadClient } from './threads/thread-client';
import type { ThreadRequest } from './threads/thread-messages';

/** Where a stream begins. */
type OpenRequest = Extract<ThreadRequest, { readonly type: 'open' }>;

/**
 * Reads the rows of a statement in batches, from a cursor in a thread. Other connections write meanwhile: the cursor
 * stays at the state of its beginning.
 *
 * @param send sends a request to the thread, within the limits of a statement
 */
export async function* streamBatches(
  open: OpenRequest,
  thread: ThreadClient,
  send: (request: ThreadRequest) => Promise<readonly Row[]>,
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
    if (!isComplete) thread.request({ type: 'release', cursor }).catch(() => undefined);
  }
}
