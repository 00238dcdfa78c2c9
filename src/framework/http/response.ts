import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { describeValue } from '../text/describe-value';
import type { EncodedContent } from './encoded-content';
import { Fields } from './fields';

export type Body = string | Buffer | Readable | null;

/** A stream of the web (WHATWG Streams, 4.2), as Node and browsers declare it each in their own words. */
export interface WebStream {
  readonly locked: boolean;
  cancel(reason?: unknown): Promise<void>;
  getReader(): unknown;
}

/** The answer while it is made: nothing goes to the client before it is sent. */
export class Response {
  status: number;
  readonly fields = new Fields();
  body: Body;
  /** Where the body is one that is kept: what it can be sent as. */
  encodedContent: EncodedContent | undefined = undefined;

  /**
   * @param body a stream of the web, such as the `body` of what `fetch` got, is read as one of Node
   * @throws TypeError for a body that is none
   */
  constructor(
    status = 200,
    body: Body | WebStream = null,
    fields: readonly (readonly [string, string])[] = [],
  ) {
    this.status = status;
    this.body = bodyOf(body);
    for (const [name, value] of fields) this.fields.append(name, value);
  }

  /**
   * Writes the answer to the connection: fields at once, `Content-Length` where it is known, no body for
   * HEAD, 204 and 304 (RFC 9110, 6.4.1). A stream that fails, or that holds what is no bytes, cuts this answer off.
   *
   * @param failed is told why a stream ended before its time, but not that the client left
   * @throws TypeError, or its error, for a stream that ended before it was sent: nothing is sent yet
   */
  send(outgoing: ServerResponse, method: string, failed: (error: unknown) => void = ignore): void {
    const { body, status } = this;
    const hasContent = !(status === 204 || status === 304 || (status >= 100 && status < 200));
    if (body instanceof Readable) {
      const isWanted = hasContent && method !== 'HEAD';
      // Its error may be still to come, when nobody else would listen.
      body.on('error', ignore);
      if (isWanted && body.destroyed)
        throw body.errored ?? new TypeError('The stream of a response ended before it was sent.');
      outgoing.writeHead(status, this.fields.toList());
      if (isWanted) sendStream(body, outgoing, failed);
      else {
        body.destroy();
        outgoing.end();
      }
      return;
    }
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (hasContent) this.fields.set('Content-Length', String(length));
    outgoing.writeHead(status, this.fields.toList());
    if (!hasContent || method === 'HEAD' || body === null) outgoing.end();
    else if (typeof body !== 'string') outgoing.end(body);
    // Node writes the head and a string as one text, in the encoding of the string: Latin-1, which every head is
    // in, will do for a body of ASCII. Any other body goes by itself.
    else if (length === body.length) outgoing.end(body, 'latin1');
    else outgoing.end(Buffer.from(body));
  }
}

function bodyOf(body: Body | WebStream): Body {
  if (typeof body === 'string' || body === null || Buffer.isBuffer(body)) return body;
  // One that fails before it is sent tells so when it is.
  if (body instanceof Readable) return body.on('error', ignore);
  // Named only here: Node loads its streams of the web when they are first named.
  if (body instanceof ReadableStream) return Readable.fromWeb(body as NodeWebStream);
  const other: unknown = body;
  if (other instanceof Uint8Array) return Buffer.from(other.buffer, other.byteOffset, other.byteLength);
  throw new TypeError(
    `The body of a response is ${describeValue(other)}. Give a string, bytes, a stream of them, or null.`,
  );
}

function ignore(): void {
  // Nobody is to be told.
}

/** The status is already sent: an error in the stream, or a client that leaves, ends both. */
function sendStream(body: Readable, outgoing: ServerResponse, failed: (error: unknown) => void): void {
  let hasLeft = false;
  outgoing.once('close', () => (hasLeft = !body.destroyed));
  const ended = (error: unknown): void => {
    if (error !== null && error !== undefined && !hasLeft) failed(error);
  };
  // A stream of bytes refuses by itself what is none.
  if (body.readableObjectMode) pipeline(body, onlyBytes, outgoing, ended);
  else pipeline(body, outgoing, ended);
}

/** @throws TypeError for what cannot be written: to the connection, it would end the process */
async function* onlyBytes(body: Readable): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of body as AsyncIterable<unknown>) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      throw new TypeError(
        `The stream of a response held ${describeValue(chunk)}. Give strings or bytes; for items, declare a "stream" and return them.`,
      );
    }
    yield chunk;
  }
}
