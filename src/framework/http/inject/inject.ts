import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { describeValue } from '../../text/describe-value';
import { serializeRequest, type InjectedRequest, type SerializedRequest } from './injected-request';

/** The peer address of injected requests. */
const LOOPBACK_ADDRESS = '127.0.0.1';

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
    if (typeof path !== 'string' || path === '')
      throw new TypeError(`inject(): path is ${describeValue(path)}. Pass a path such as "/notes?page=2".`);
    const request = httpRequest({
      method,
      path,
      headers: { Host: 'localhost', ...groupByName(lines) },
      ...(signal === undefined ? {} : { signal }),
      createConnection: () => {
        const [client, server] = connectionPair();
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

const BODILESS: readonly number[] = [204, 205, 304];

function toFetchResponse(message: IncomingMessage, method: string): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const bodiless = method === 'HEAD' || BODILESS.includes(status);
  if (bodiless) message.resume();
  return new Response(bodiless ? null : bodyOf(message), { status, headers });
}

/** Converts the body to a web stream. Canceling it disconnects; a connection that closes early errors it. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message.iterator();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One end of an in-memory connection; what is written to it can be read at the peer. */
class ConnectionEnd extends Duplex {
  readonly remoteAddress = LOOPBACK_ADDRESS;
  readonly remotePort = 0;
  peer: ConnectionEnd | undefined;
  #resumeWriter: (() => void) | undefined;

  override _read(): void {
    const resumeWriter = this.#resumeWriter;
    this.#resumeWriter = undefined;
    resumeWriter?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.peer === undefined || this.peer.destroyed) done();
    else this.peer.#receive(chunk, done);
  }

  override _final(done: () => void): void {
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = undefined;
    if (peer !== undefined) setImmediate(() => peer.destroy());
    done(error);
  }

  /** Backpressure: the writer continues after the next read. */
  #receive(chunk: Buffer, done: () => void): void {
    if (this.push(chunk)) done();
    else this.#resumeWriter = done;
  }
}

function connectionPair(): readonly [ConnectionEnd, ConnectionEnd] {
  const [client, server] = [new ConnectionEnd(), new ConnectionEnd()];
  client.peer = server;
  server.peer = client;
  return [client, server];
}
