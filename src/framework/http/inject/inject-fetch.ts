import { request as httpRequest, type IncomingMessage } from 'node:http';
import { pipeline, Readable, type Duplex } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { splitOrigin } from '../target';
import { isConnectionField } from './connection-fields';
import { connectionPair } from './connection-pair';
import { toFetchResponse } from './fetch-response';

/**
 * Sends a `fetch` request to a server in the same process, as `inject` does. Bodies are streams in both directions: each
 * is read as fast as the other side consumes it. Aborting the signal of the request disconnects.
 *
 * @param address of the client; empty if it is unknown
 * @param connect passes the server its end of the connection
 * @throws Error if the connection ends before the response, the signal is aborted, or the body fails
 */
export function injectFetch(
  request: Request,
  address: string,
  connect: (socket: Duplex) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method, signal, url, body } = request;
    const isEncrypted = url.startsWith('https:');
    const outgoing = httpRequest({
      method,
      path: targetOf(url),
      headers: fieldsOf(request),
      signal,
      createConnection: () => {
        const [client, server] = connectionPair({ address, isEncrypted });
        connect(server);
        return client;
      },
    });
    let failure: unknown;
    // Node reports only that the connection has ended.
    outgoing.on('error', (error) => reject(failure instanceof Error ? failure : error));
    outgoing.on('response', (message: IncomingMessage) => resolve(toFetchResponse(message, method, true)));
    if (body === null) outgoing.end();
    else {
      // The DOM and Node declare incompatible types for the same stream.
      const source = Readable.fromWeb(body as NodeWebStream);
      const chunks = asDeclared(source, request, (error) => (failure = error));
      // The error of the request rejects.
      pipeline(chunks, outgoing, () => undefined);
    }
  });
}

/** Returns the path and query exactly as in the URL: Digest covers them. */
function targetOf(url: string): string {
  const [target = ''] = splitOrigin(url)[1].split('#', 1);
  return target.startsWith('/') ? target : `/${target}`;
}

/** Returns the fields for a new connection. */
function fieldsOf({ headers, url, body }: Request): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = { host: new URL(url).host };
  for (const [name, value] of headers) {
    // The body is passed on without waiting for 100 Continue.
    const isOmitted =
      isConnectionField(name) || name === 'expect' || (name === 'content-length' && body === null);
    if (!isOmitted) fields[name] = value;
  }
  if (body !== null && fields['content-length'] === undefined) fields['transfer-encoding'] = 'chunked';
  return fields;
}

/**
 * Yields the chunks of a body.
 * @param onError receives the error that is thrown
 * @throws RangeError if the body has another length than it declares: the connection could not be used any more
 */
async function* asDeclared(
  chunks: Readable,
  { headers }: Request,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const declared = headers.get('content-length');
  const expected = declared === null ? undefined : Number(declared);
  let length = 0;
  try {
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (expected !== undefined && length > expected) break;
      yield chunk;
    }
    if (expected !== undefined && length !== expected)
      throw new RangeError(
        `The body of the request has ${length > expected ? 'more' : 'fewer'} bytes than its Content-Length, ${expected}.`,
      );
  } catch (error) {
    onError(error);
    throw error;
  }
}
