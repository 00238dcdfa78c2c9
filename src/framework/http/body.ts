import type { IncomingMessage, ServerResponse } from 'node:http';
import { toError } from '../errors/error-message';
import { problem } from '../problem/errors';
import type { Problem } from '../problem/problem';
import type { BodyReservation } from './limits/body-budget';
import { BodyBuffer } from './limits/body-buffer';

/** The limits of a request body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Fields of the trailer section of a chunked body (RFC 9112, 7.1.2). */
  readonly trailerFields: number;
}

/**
 * Yields the chunks of a request body. `100 Continue` is sent only here, after every check that needs no body. If the
 * consumer stops early, the rest of the body is discarded.
 *
 * @param limits a body that is longer, or declares a greater `Content-Length`, is not read to its end
 * @throws Problem 413 and 431 beyond the limits, 400 if the client disconnects
 */
export async function* bodyChunks(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limits: BodyLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const limit = limits.bytes;
  startReading(message, outgoing, limit);
  const chunks = message.iterator({ destroyOnReturn: false });
  let length = 0;
  let ended = false;
  try {
    for (;;) {
      const { done, value: chunk } = await nextOf(chunks);
      if (done === true) break;
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      length += bytes.length;
      if (length > limit) throw problem('content_too_large', { limit });
      yield bytes;
    }
    ended = true;
    assertTrailers(message, limits);
  } finally {
    if (!ended) {
      await chunks.return?.();
      discardRest(message, true);
    }
  }
}

async function nextOf(chunks: AsyncIterator<unknown>): Promise<IteratorResult<unknown, unknown>> {
  try {
    return await chunks.next();
  } catch (error) {
    throw incompleteBody(error);
  }
}

/** Returns whether a request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * Returns a body of declared length of which all has arrived, as most do in the segment of their head; undefined for any
 * other, and for one that something else reads. Costs neither listeners nor a promise.
 * @throws Problem as `awaitBody` does
 */
export function arrivedBody(
  message: IncomingMessage,
  limits: BodyLimits,
  reservation: BodyReservation,
): Buffer | undefined {
  const limit = limits.bytes;
  const length = declaredLength(message);
  if (
    message.readableLength !== length ||
    length === 0 ||
    message.readableFlowing !== null ||
    message.destroyed ||
    // Without `100 Continue`, Node closes the connection after the response.
    message.headers.expect !== undefined
  )
    return undefined;
  if (length > limit) throw contentTooLarge(message, limit);
  reservation.add(length);
  const body = message.read() as Buffer;
  // The parser reports the end after this.
  message.resume();
  return body;
}

/**
 * Reads a whole request body as it arrives. Most bodies arrive in one chunk: event listeners cost a tenth of the iterator in
 * `bodyChunks`.
 * @param reservation accounts for the buffered bytes
 * @throws Problem as `bodyChunks` does, and 503 when the memory budget for bodies is exhausted
 */
export function awaitBody(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limits: BodyLimits,
  reservation: BodyReservation,
): Promise<Buffer> {
  const limit = limits.bytes;
  return new Promise((resolve, reject) => {
    startReading(message, outgoing, limit);
    // Without body, Node may have ended and destroyed the stream: see `optimizeEmptyRequests`.
    if (message.readableEnded && !message.readableDidRead) {
      resolve(Buffer.alloc(0));
      return;
    }
    // A destroyed stream emits no more events.
    if (message.destroyed) throw incompleteBody(message.errored);
    const body = new BodyBuffer(reservation, declaredLength(message));
    const fail = (error: unknown): void => {
      message.removeListener('data', onData);
      reservation.release();
      discardRest(message, true);
      reject(toError(error));
    };
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length > limit) {
        fail(problem('content_too_large', { limit }));
        return;
      }
      try {
        body.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    message.on('data', onData);
    message.on('end', () => {
      try {
        assertTrailers(message, limits);
        resolve(body.toBuffer());
      } catch (error) {
        fail(error);
      }
    });
    // Without an `error` listener, Node emits only `close` for an aborted request.
    message.on('close', () => {
      if (!message.readableEnded) reject(incompleteBody(message.errored));
    });
  });
}

/** Rejects a body whose declared length exceeds the limit, and sends `100 Continue` if the client expects it. */
function startReading(message: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  if (declaredLength(message) > limit) throw contentTooLarge(message, limit);
  if (expectsContinue(message) && !hasSentContinue(outgoing)) outgoing.writeContinue();
}

/** A list of expectations, ignored in HTTP/1.0 (RFC 9110, 10.1.1). */
function expectsContinue({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  if (expect === undefined || httpVersion === '1.0') return false;
  return expect.split(',').some((one) => one.trim().toLowerCase() === '100-continue');
}

/** Other servers than ours send it before they pass the request on. Node has no public member for it. */
function hasSentContinue(outgoing: ServerResponse): boolean {
  return Reflect.get(outgoing, '_sent100') === true;
}

/** Node's parser bounds the size of the trailer section, as that of the header section, but not the number of its fields. */
function assertTrailers({ rawTrailers }: IncomingMessage, { trailerFields }: BodyLimits): void {
  if (rawTrailers.length > 2 * trailerFields)
    throw problem('too_many_header_fields', { limit: trailerFields });
}

function declaredLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

export function incompleteBody(cause: unknown): Problem {
  return problem('bad_body', { reason: 'the connection ended before it was complete.' }, { cause });
}

/** How long the rest of a rejected body is read and discarded, in milliseconds. */
const LINGER_MS = 5_000;

function contentTooLarge(message: IncomingMessage, limit: number): Problem {
  discardRest(message, message.headers.expect === undefined);
  return problem('content_too_large', { limit });
}

/**
 * Discards the rest of the body for a while before closing the connection: a client that is still sending would miss
 * the response if the connection were closed at once.
 * @param isSent false if the client still waits for `100 Continue`
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
