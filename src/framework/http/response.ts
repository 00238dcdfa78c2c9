import { defaultMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { describeValue } from '../text/describe-value';
import { isIterable } from '../values/is-iterable';
import type { EncodedContent } from './encoded-content';
import { Fields } from './fields';
import { sendText } from './send-text';

/** The content of a response; text is sent as UTF-8, null sends no content. */
export type Body = string | Buffer | Readable | null;

/** A web stream (WHATWG Streams, 4.2); structural, as Node and the DOM declare incompatible types for it. */
export interface WebStream {
  readonly locked: boolean;
  cancel(reason?: unknown): Promise<void>;
  getReader(): unknown;
}

/** Its content is empty (RFC 9110, 15.3.6), which `Content-Length` says, other than with 204. */
const RESET = 205;

/** A response. Nothing is written to the connection before `send`. */
export class Response {
  status: number;
  readonly fields = new Fields();
  body: Body;
  /** The cached content of the body, with its content codings. */
  encodedContent: EncodedContent | undefined = undefined;
  /** The octets of the body that were passed to the connection, in its content coding. */
  sentBytes = 0;

  /**
   * @param body a web stream, such as the `body` of a `fetch` response, is converted to a Node stream
   * @throws TypeError for an unsupported body, and for fields that are not an iterable of pairs
   */
  constructor(
    status = 200,
    body: Body | WebStream = null,
    fields: readonly (readonly [string, string])[] = [],
  ) {
    this.status = status;
    this.body = bodyOf(body);
    if (!isIterable(fields)) throw notPairs(fields);
    for (const pair of fields) {
      // The characters of a text would be its name and value.
      if (!isIterable(pair)) throw notPairs(fields);
      const [name, value] = pair;
      this.fields.append(name, value);
    }
  }

  /** Returns a response with the same content, and the same fields, which may be changed. */
  copy(): Response {
    const copy = new Response(this.status, this.body);
    copy.encodedContent = this.encodedContent;
    copy.fields.appendFrom(this.fields);
    return copy;
  }

  /**
   * Writes the response to the connection, with `Content-Length` if it is known, and without a body for HEAD, 204, 205 and
   * 304 (RFC 9110, 6.4.1). A stream that fails, or yields anything but strings and bytes, aborts the response.
   *
   * @param onStreamError receives the error of a stream that failed; not called when the client disconnects
   * @throws the stream's error, or a TypeError, if the stream ended before it was sent; nothing has been sent then
   */
  send(outgoing: ServerResponse, method: string, onStreamError: (error: unknown) => void = ignore): void {
    const { body, status } = this;
    const hasContent = !(status === 204 || status === 304 || (status >= 100 && status < 200));
    if (body instanceof Readable) {
      const sendsBody = hasContent && status !== RESET && method !== 'HEAD';
      // An `error` event without a listener would end the process.
      body.on('error', ignore);
      if (sendsBody && body.destroyed)
        throw body.errored ?? new TypeError('The stream of a response ended before it was sent.');
      // A client would wait for the length of the stream.
      if (status === RESET) this.fields.set('Content-Length', '0');
      try {
        outgoing.writeHead(status, this.fields.toList());
      } catch (error) {
        // Also after a host has sent a head: nobody reads the stream, which would keep its file or query open.
        body.destroy();
        throw error;
      }
      if (sendsBody) sendStream(body, outgoing, onStreamError, (bytes) => (this.sentBytes += bytes));
      else {
        body.destroy();
        outgoing.end();
      }
      return;
    }
    const length = body === null || status === RESET ? 0 : Buffer.byteLength(body);
    if (hasContent) this.fields.set('Content-Length', String(length));
    outgoing.writeHead(status, this.fields.toList());
    if (!hasContent || method === 'HEAD' || body === null || length === 0) {
      outgoing.end();
      return;
    }
    this.sentBytes = length;
    if (typeof body === 'string') sendText(outgoing, body, length, this.fields.toList());
    else outgoing.end(body);
  }
}

function notPairs(fields: unknown): TypeError {
  return new TypeError(
    `The fields of a response are ${describeValue(fields)}. Use a list of pairs, such as [['Content-Type', 'text/plain']].`,
  );
}

/** What to do about a `Response` of `fetch`, whose name needs no import. */
export const OWN_RESPONSE =
  "A fetch Response cannot be sent. Return the Response of the platform: import { Response } from 'apidesc-platform'.";

/**
 * Returns whether the result of a listener is a response.
 * @throws TypeError for a `Response` of `fetch`: ignored, a request would be handled that the listener refuses
 */
export function isResponse(result: unknown): result is Response {
  if (result instanceof Response) return true;
  // Node loads the class of `fetch` lazily, on first reference.
  if (typeof result === 'object' && Object.prototype.toString.call(result) === '[object Response]')
    throw new TypeError(`A listener returned an instance of Response. ${OWN_RESPONSE}`);
  return false;
}

function bodyOf(body: Body | WebStream): Body {
  if (typeof body === 'string' || body === null || Buffer.isBuffer(body)) return body;
  // An error before `send` is thrown by `send`.
  if (body instanceof Readable) return body.on('error', ignore);
  // Referenced only here: Node loads web streams lazily, on first reference.
  if (body instanceof ReadableStream) return Readable.fromWeb(body as NodeWebStream);
  const other: unknown = body;
  if (other instanceof Uint8Array) return Buffer.from(other.buffer, other.byteOffset, other.byteLength);
  throw new TypeError(
    `The body of a response is ${describeValue(other)}. Use a string, bytes, a stream of these, or null.`,
  );
}

function ignore(): void {
  // Nothing to do.
}

/** Allows as many further listeners as Node expects of a program. A limit of 0, which a host may set, is none. */
export function allowListeners(outgoing: ServerResponse): void {
  const limit = outgoing.getMaxListeners();
  if (limit > 0) outgoing.setMaxListeners(limit + defaultMaxListeners);
}

/** The status is already sent: an error of the stream, or a disconnect of the client, ends both. */
function sendStream(
  body: Readable,
  outgoing: ServerResponse,
  onStreamError: (error: unknown) => void,
  onBytes: (bytes: number) => void,
): void {
  let hasDisconnected = outgoing.closed;
  // A pipeline adds up to seven listeners to those of the platform and its modules.
  allowListeners(outgoing);
  // First: other listeners close what a response reads when its client disconnects, such as those of a signal.
  outgoing.prependOnceListener('close', () => (hasDisconnected = !body.destroyed));
  const onEnd = (error: unknown): void => {
    if (error !== null && error !== undefined && !hasDisconnected) onStreamError(error);
  };
  // Streams that are not in object mode validate their chunks themselves.
  if (body.readableObjectMode) {
    pipeline(body, (source: Readable) => onlyBytes(source, onBytes), outgoing, onEnd);
    return;
  }
  pipeline(body, outgoing, onEnd);
  body.on('data', (chunk: string | Uint8Array) => onBytes(Buffer.byteLength(chunk)));
}

/** @throws TypeError for chunks that cannot be written: writing one to the connection would end the process */
async function* onlyBytes(
  body: Readable,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of body as AsyncIterable<unknown>) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      throw new TypeError(
        `The stream of a response yielded ${describeValue(chunk)}. Yield strings or bytes. To stream entities, declare "stream" and return them.`,
      );
    }
    onBytes(Buffer.byteLength(chunk));
    yield chunk;
  }
}
