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
  begin(message, outgoing, limit);
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
    throw cutShort(error);
  }
}

/**
 * Reads a request's body as a whole. Most come in one part: listening costs a tenth of going through it as one goes
 * through `bodyChunks`.
 * @throws Problem as `bodyChunks` does
 */
export function readBody(message: IncomingMessage, outgoing: ServerResponse, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    begin(message, outgoing, limit);
    // Nothing would ever come of one that has ended already.
    if (message.destroyed) throw cutShort(message.errored);
    const parts: Buffer[] = [];
    let length = 0;
    const take = (part: Buffer): void => {
      length += part.length;
      parts.push(part);
      if (length <= limit) return;
      message.removeListener('data', take);
      discardRest(message, true);
      reject(problem('content_too_large', { limit }));
    };
    message.on('data', take);
    message.on('end', () =>
      resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)),
    );
    // Where nobody listens for an error, Node tells of the end only.
    message.on('close', () => {
      if (!message.readableEnded) reject(cutShort(message.errored));
    });
  });
}

/** Refuses what says that it is too long, and tells a client that waits for it to send. */
function begin(message: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(message, limit);
  if (message.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
}

function cutShort(cause: unknown): Problem {
  return problem('bad_body', { reason: 'the connection ended before it was complete.' }, { cause });
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
