import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Representation } from '../view/representation';
import { Fields } from './fields';

export type Body = string | Buffer | Readable | null;

/** The answer while it is made: nothing goes to the client before it is sent. */
export class Response {
  status: number;
  readonly fields = new Fields();
  body: Body;
  /** Where the body is one that is kept: what it can be sent as. */
  representation: Representation | undefined = undefined;

  constructor(status = 200, body: Body = null, fields: readonly (readonly [string, string])[] = []) {
    this.status = status;
    this.body = body;
    for (const [name, value] of fields) this.fields.append(name, value);
  }

  /**
   * Writes the answer to the connection: fields at once, `Content-Length` where it is known, no body for
   * HEAD, 204 and 304 (RFC 9110, 6.4.1).
   */
  send(outgoing: ServerResponse, method: string): void {
    const { body, status } = this;
    const hasContent = !(status === 204 || status === 304 || (status >= 100 && status < 200));
    if (body instanceof Readable) {
      outgoing.writeHead(status, this.fields.toList());
      sendStream(body, outgoing, hasContent && method !== 'HEAD');
      return;
    }
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (hasContent) this.fields.set('Content-Length', String(length));
    const fields = this.fields.toList();
    outgoing.writeHead(status, fields);
    if (!hasContent || method === 'HEAD' || body === null) outgoing.end();
    else if (typeof body !== 'string') outgoing.end(body);
    // Node writes the head and a string as one text, in the encoding of the string: Latin-1, which every head is
    // in, will do for a body of ASCII, and UTF-8 where the head is of ASCII. Otherwise the body goes by itself.
    else if (length === body.length) outgoing.end(body, 'latin1');
    else outgoing.end(fields.some(isBeyondAscii) ? Buffer.from(body) : body);
  }
}

function isBeyondAscii(text: string): boolean {
  return /[\x80-\xff]/.test(text);
}

function sendStream(body: Readable, outgoing: ServerResponse, isWanted: boolean): void {
  if (isWanted) {
    // An error in the stream, or a client that leaves, ends both; the status is already sent.
    pipeline(body, outgoing, () => undefined);
  } else {
    body.destroy();
    outgoing.end();
  }
}
