import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/errors';
import type { Problem } from '../problem/problem';
import type { BodyReservation } from './limits/body-budget';
import { BodyBuffer } from './limits/body-buffer';

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
  startReading(message, outgoing, limit);
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
    throw incompleteBody(error);
  }
}

/**
 * Reads a request's body as a whole. Most come in one part: listening costs a tenth of going through it as one goes
 * through `bodyChunks`.
 * @param reservation counts what is kept
 * @throws Problem as `bodyChunks` does, and 503 where bodies take as much memory as they may
 */
export function readBody(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  reservation: BodyReservation,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    startReading(message, outgoing, limit);
    // Nothing would ever come of one that has ended already.
    if (message.destroyed) throw incompleteBody(message.errored);
    const body = new BodyBuffer(reservation, announcedLength(message));
    const refuse = (refusal: unknown): void => {
      message.removeListener('data', take);
      reservation.release();
      discardRest(message, true);
      reject(refusal instanceof Error ? refusal : new Error(String(refusal)));
    };
    const take = (part: Buffer): void => {
      if (body.length + part.length > limit) {
        refuse(problem('content_too_large', { limit }));
        return;
      }
      try {
        body.add(part);
      } catch (error) {
        refuse(error);
      }
    };
    message.on('data', take);
    message.on('end', () => resolve(body.toBuffer()));
    // Where nobody listens for an error, Node tells of the end only.
    message.on('close', () => {
      if (!message.readableEnded) reject(incompleteBody(message.errored));
    });
  });
}

/** Refuses what says that it is too long, and tells a client that waits for it to send. */
function startReading(message: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  if (announcedLength(message) > limit) throw contentTooLarge(message, limit);
  if (message.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
}

function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

function incompleteBody(cause: unknown): Problem {
  return problem('bad_body', { reason: 'the connection ended before it was complete.' }, { cause });
}

/** How long the rest of a refused body is taken in and thrown away, in milliseconds. */
const LINGER_MS = 5_000;

function contentTooLarge(message: IncomingMessage, limit: number): Problem {
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
  }, LINGER_MS);
  timer.unref();
  message.once('close', () => clearTimeout(timer));
  if (isSent) message.resume();
}
