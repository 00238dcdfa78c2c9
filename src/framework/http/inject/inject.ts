import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { describeValue } from '../../text/describe-value';
import { connectionPair } from './connection-pair';
import { toFetchResponse } from './fetch-response';
import { serializeRequest, type InjectedRequest, type SerializedRequest } from './injected-request';

/** The peer address of injected requests. */
const LOOPBACK_ADDRESS = '127.0.0.1';

/** The beginning of a request target (RFC 9112, 3.2). */
const TARGET = /^(?:\/|\*$|[a-z][a-z0-9+.-]*:\/\/)/i;

/**
 * Sends a request to a server in the same process, with Node's own client and parser over an in-memory connection, so
 * that the response is the same as over a socket.
 *
 * @param connect passes the server its end of the connection
 * @returns a `fetch` response, whose body can be streamed
 * @throws Error if the connection ends before the response, or the signal is aborted; TypeError for an invalid request
 */
export function inject(options: InjectedRequest, connect: (socket: Duplex) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { lines, content } = serializeRequest(options, 'inject()');
    const { method = 'GET', path, signal } = options;
    // Without a path, Node would request "/".
    if (typeof path !== 'string' || !TARGET.test(path))
      throw new TypeError(`inject(): path is ${describeValue(path)}. Pass a path such as "/notes?page=2".`);
    const request = httpRequest({
      method,
      path,
      headers: { Host: 'localhost', ...groupByName(lines) },
      ...(signal === undefined ? {} : { signal }),
      createConnection: () => {
        const [client, server] = connectionPair({ address: LOOPBACK_ADDRESS, isEncrypted: false });
        connect(server);
        return client;
      },
    });
    request.on('error', reject);
    request.on('response', (message: IncomingMessage) => resolve(toFetchResponse(message, method)));
    request.end(content);
  });
}

/** Groups field lines by name, ignoring case, as `http.request` expects. */
function groupByName(lines: SerializedRequest['lines']): Record<string, string | string[]> {
  const fields = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of lines) {
    const field = fields.get(name.toLowerCase());
    if (field === undefined) fields.set(name.toLowerCase(), { name, values: [value] });
    else field.values.push(value);
  }
  return Object.fromEntries(
    [...fields.values()].map(({ name, values: [first = '', ...others] }) => [
      name,
      others.length === 0 ? first : [first, ...others],
    ]),
  );
}
