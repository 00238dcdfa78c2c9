import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/errors';
import type { Problem } from '../problem/problem';

/**
 * A request's body as it comes. A client that waits for `100 Continue` is told to go on only here, when everything
 * that could refuse the request without its body has agreed. Whoever stops before the end leaves the rest to be
 * thrown away.
 *
 * @param limit in bytes; a body that says or turns out to be longer is not read to its end
 * @throws Problem 413 beyond the limit, 400 when the client breaks off
 */
export async function* bodyChunks(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
): AsyncGenerator<Buffer, void, undefined> {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(message, limit);
  if (message.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  const parts = message.iterator({ destroyOnReturn: false });
  let length = 0;
  let ended = false;
  try {
    for (;;) {
      const { done, value: part } = await nextOf(parts);
      if (done === true) break;
      const bytes: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
      length += bytes.length;
      if (length > limit) throw problem('content_too_large', { limit });
      yield bytes;
    }
    ended = true;
  } finally {
    if (!ended) {
      await parts.return?.();
      discardRest(message, true);
    }
  }
}

async function nextOf(parts: AsyncIterator<unknown>): Promise<IteratorResult<unknown, unknown>> {
  try {
    return await parts.next();
  } catch (error) {
    throw problem('bad_body', { reason: 'the connection ended before it was complete.' }, { cause: error });
  }
}

/** Reads a request's body as a whole. @throws Problem as `bodyChunks` does */
export async function readBody(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bodyChunks(message, outgoing, limit)) parts.push(part);
  return Buffer.concat(parts);
}

/** How long the rest of a refused body is taken in and thrown away, in milliseconds. */
const LINGER = 5_000;

function tooLarge(message: IncomingMessage, limit: number): Problem {
  discardRest(message, message.headers.expect === undefined);
  return problem('content_too_large', { limit });
}

/**
 * A client that is still sending would miss the answer if the connection were cut at once: so what is
 * left of the body is thrown away for a while, and then the connection ends.
 * @param isSent false when the client still waits to be told to go on
 */
function discardRest(message: IncomingMessage, isSent: boolean): void {
  if (message.complete || message.destroyed) return;
  const timer = setTimeout(() => {
    if (!message.complete) message.socket.destroy();
  }, LINGER);
  timer.unref();
  message.once('close', () => clearTimeout(timer));
  if (isSent) message.resume();
}
