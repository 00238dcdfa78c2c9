import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/errors';
import type { Problem } from '../problem/problem';

/**
 * Reads a request's body. A client that waits for `100 Continue` is told to go on only here, when
 * everything that could refuse the request without its body has agreed.
 *
 * @param limit in bytes; a body that says or turns out to be longer is not read to its end
 * @throws Problem 413 beyond the limit, 400 when the client breaks off
 */
export async function readBody(
  message: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(message, limit);
  if (message.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of message.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
      length += bytes.length;
      if (length > limit) break;
      parts.push(bytes);
    }
  } catch (error) {
    throw problem('bad_body', { reason: 'the connection ended before it was complete.' }, { cause: error });
  }
  if (length > limit) throw tooLarge(message, limit);
  return Buffer.concat(parts, length);
}

/** How long the rest of a refused body is taken in and thrown away, in milliseconds. */
const LINGER = 5_000;

/**
 * A client that is still sending would miss the answer if the connection were cut at once: so what is
 * left of the body is thrown away for a while, and then the connection ends.
 */
function tooLarge(message: IncomingMessage, limit: number): Problem {
  const timer = setTimeout(() => {
    if (!message.complete) message.socket.destroy();
  }, LINGER);
  timer.unref();
  message.once('close', () => clearTimeout(timer));
  if (message.headers.expect === undefined) message.resume();
  return problem('content_too_large', { limit });
}
