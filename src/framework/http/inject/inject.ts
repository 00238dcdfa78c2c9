import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { describeValue } from '../../text/describe-value';
import { serializeRequest, type InjectedRequest, type SerializedRequest } from './injected-request';

/** What the address of a client that has none is. */
const NOWHERE = '127.0.0.1';

/**
 * Sends a request to a server in the same process, by Node's own client and parser over a connection that is none:
 * what answers is what would answer over a socket.
 *
 * @param connect hands the server its end of a connection
 * @returns the answer as `fetch` gives it; its body can be read while it comes
 * @throws Error when the connection ends before there is an answer, and when the signal is aborted; TypeError for a
 *   request that could not be meant so
 */
export function inject(given: InjectedRequest, connect: (socket: Duplex) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { lines, content } = serializeRequest(given, 'inject()');
    const { method = 'GET', path, signal } = given;
    // Without a path, Node would ask for the root.
    if (typeof path !== 'string' || path === '')
      throw new TypeError(`inject(): path is ${describeValue(path)}. Give a path such as "/notes?page=2".`);
    const request = httpRequest({
      method,
      path,
      headers: { Host: 'localhost', ...grouped(lines) },
      ...(signal === undefined ? {} : { signal }),
      createConnection: () => {
        const [client, server] = connectionPair();
        connect(server);
        return client;
      },
    });
    request.on('error', reject);
    request.on('response', (message: IncomingMessage) => resolve(answerOf(message, method)));
    request.end(content);
  });
}

/** The lines as Node takes them: those of one field together, whatever its letters. */
function grouped(lines: SerializedRequest['lines']): Record<string, string | string[]> {
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

function answerOf(message: IncomingMessage, method: string): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const bodiless = method === 'HEAD' || BODILESS.includes(status);
  if (bodiless) message.resume();
  return new Response(bodiless ? null : bodyOf(message), { status, headers });
}

/** Who cancels it leaves; a connection that ends too early is an error of the body. */
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

/** One end of a connection within the process; what is written to it can be read at the other. */
class End extends Duplex {
  readonly remoteAddress = NOWHERE;
  readonly remotePort = 0;
  other: End | undefined;
  #taken: (() => void) | undefined;

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.other === undefined || this.other.destroyed) done();
    else this.other.#take(chunk, done);
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    this.other = undefined;
    // A connection that is cut is cut for both.
    if (other !== undefined) setImmediate(() => other.destroy());
    done(error);
  }

  /** The writer goes on when somebody reads. */
  #take(chunk: Buffer, done: () => void): void {
    if (this.push(chunk)) done();
    else this.#taken = done;
  }
}

function connectionPair(): readonly [End, End] {
  const [client, server] = [new End(), new End()];
  client.other = server;
  server.other = client;
  return [client, server];
}
