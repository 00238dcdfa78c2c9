import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, Server, type RequestHandler } from '../../../../src/framework';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { refusalOf, sentStatus } from '../../../../src/framework/http/refused-requests';
import { FunctionHandler } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';
import { until } from '../../../factories/processes/workers';

/** Reads bodies, and notes the requests that it carries out, and what was sent in response to each. */
class NotingHandler extends FunctionHandler implements RequestHandler {
  readonly refusals = new Refusals();
  readonly limits: ConnectionLimits;
  readonly done: string[] = [];
  readonly sent: unknown[] = [];
  #release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));

  constructor(limits: Partial<ConnectionLimits>) {
    super(async (request, outgoing) => {
      outgoing.once('close', () => this.sent.push(refusalOf(outgoing)?.status ?? sentStatus(outgoing)));
      const body = await request.read(100_000);
      this.done.push(`${request.method} ${request.path} ${body.toString()}`.trim());
      if (request.path === '/waiting') await this.#released;
      if (request.path === '/stream') return new Response(200, Readable.from(this.#parts()));
      return new Response(201, 'done');
    });
    this.limits = { ...DEFAULT_LIMITS, requestTimeout: 0, ...limits };
  }

  /** Lets pending responses end. */
  release(): void {
    this.#release();
  }

  async *#parts(): AsyncGenerator<string> {
    yield 'first';
    await this.#released;
    yield 'last';
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function start(limits: Partial<ConnectionLimits> = {}) {
  const handler = new NotingHandler(limits);
  const server = new Server(handler);
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  const origin = `http://127.0.0.1:${port}`;
  /** A client that closes its side after the server has. */
  const open = (): Promise<RawConnection> => RawConnection.open(origin);
  /** A client that may send after the server has closed its side. */
  const openHalf = (): Promise<RawConnection> => RawConnection.open(origin, { allowHalfOpen: true });
  return { handler, server, open, openHalf };
}

const request = (line: string, fields = ''): string => `${line} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
const post = (path: string, length: number): string =>
  request(`POST ${path}`, `Content-Length: ${length}\r\n`);
const statuses = ({ received }: RawConnection): readonly string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

describe('A request that was refused before it was complete', () => {
  it.each([
    ['inactivity_timeout', { inactivityTimeout: 1 }],
    ['request_timeout', { requestTimeout: 1 }],
  ])('is not executed when its rest arrives after %s, nor are requests behind it', async (_, limits) => {
    const { handler, openHalf } = await start(limits);
    const client = await openHalf();
    client.write(`${post('/order', 10)}hello`);
    await client.until(/ 408 [^]*}$/);
    client.write(`world${request('DELETE /order')}`);
    await pause(300);
    expect(handler.done).toEqual([]);
    client.end();
    await client.untilClosed();
    expect(statuses(client)).toEqual(['408']);
    await until(() => handler.sent.length === 1);
    expect([handler.done, handler.sent]).toEqual([[], [408]]);
  });

  it('is not executed when the rest of its header section arrives after header_timeout', async () => {
    const { handler, openHalf } = await start({ headerTimeout: 1 });
    const client = await openHalf();
    client.write('DELETE /order HTTP/1.1\r\nHo');
    await client.until(/ 408 [^]*}$/);
    client.write(`st: a\r\n\r\n${request('DELETE /other')}`);
    await pause(300);
    client.end();
    await client.untilClosed();
    expect([statuses(client), handler.done]).toEqual([['408'], []]);
  });

  it('is not executed when its rest arrives after min_data_rate', async () => {
    const { handler, openHalf } = await start({ minDataRate: 100, inactivityTimeout: 0 });
    const client = await openHalf();
    client.write(`${post('/order', 10)}hello`);
    await client.until(/ 408 [^]*}$/, 30_000);
    client.write(`world${request('DELETE /order')}`);
    await pause(300);
    client.end();
    await client.untilClosed();
    expect([statuses(client), handler.done]).toEqual([['408'], []]);
  }, 40_000);
});

describe('A request behind a response that closes the connection', () => {
  it('is not executed if the request before it was malformed', async () => {
    const { handler, open } = await start();
    const client = await open();
    client.write(`${request('GET /a', 'Host: b\r\n')}${request('DELETE /order')}nonsense\r\n\r\n`);
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close\r\n/);
    expect([statuses(client), handler.done]).toEqual([['400'], []]);
  });

  it('is not executed during a shutdown', async () => {
    const { handler, server, open } = await start();
    const client = await open();
    const closed = server.close(3_600, { drainDelay: 1 });
    client.write(`${post('/order', 5)}hello${request('DELETE /order')}`);
    await client.until(/Connection: close\r\n[^]*done$/);
    await Promise.all([client.untilClosed(), closed]);
    expect([statuses(client), handler.done]).toEqual([['201'], ['POST /order hello']]);
  });

  it('is not executed if the response was pending when the shutdown began', async () => {
    const { handler, server, open } = await start();
    const client = await open();
    client.write(request('GET /waiting'));
    await until(() => handler.done.length === 1);
    const closed = server.close(3_600);
    client.write(request('DELETE /order').repeat(2));
    await pause(100);
    handler.release();
    await Promise.all([client.untilClosed(), closed]);
    expect(client.received).toMatch(/Connection: close\r\n[^]*done$/);
    expect([statuses(client), handler.done]).toEqual([['201'], ['GET /waiting']]);
  });

  it('is not executed if the application closes the connection', async () => {
    const done: (string | undefined)[] = [];
    const handler = Object.assign(new FunctionHandler(() => new Response()), {
      handle: ({ method }: IncomingMessage, outgoing: ServerResponse) => {
        done.push(method);
        new Response(201, 'done', [['Connection', 'close']]).send(outgoing, 'GET');
        return Promise.resolve();
      },
    });
    const server = new Server(handler);
    servers.push(server);
    const { port } = await server.listen('127.0.0.1', 0);
    const client = await RawConnection.open(`http://127.0.0.1:${port}`);
    client.write(`${request('GET /')}${request('DELETE /order')}`);
    await client.untilClosed();
    expect([statuses(client), done]).toEqual([['201'], ['GET']]);
  });

  it('gets no response if its method is CONNECT', async () => {
    const { handler, open } = await start({ maxRequestsPerConnection: 1 });
    const client = await open();
    client.write(`${request('GET /waiting')}${request('CONNECT a:80')}`);
    await until(() => handler.done.length === 1);
    handler.release();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 201 [^]*Connection: close\r\n[^]*done$/);
  });
});

describe('A body that nobody reads when its request is refused', () => {
  it('is discarded, so that a client that sends all of it first gets the response', async () => {
    const limits = { ...DEFAULT_LIMITS, requestTimeout: 1 };
    const handler = Object.assign(new FunctionHandler(() => new Promise(() => undefined)), {
      refusals: new Refusals(),
      limits,
    });
    const server = new Server(handler);
    servers.push(server);
    const { port } = await server.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    let received = '';
    client.on('data', (bytes) => (received += bytes.toString()));
    // More than the buffers of both sides hold.
    client.write(post('/order', 60_000_000));
    client.write(Buffer.alloc(30_000_000));
    await until(() => received.includes(' 408 '));
    await until(() => client.writableLength === 0);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    client.destroy();
  });
});

describe('A refusal for an overload', () => {
  it('does not close a connection whose next request is in progress', async () => {
    const { handler, open } = await start({ maxRequestsInFlight: 1, queueTimeout: 1 });
    const [first, client] = [await open(), await open()];
    first.write(request('GET /waiting'));
    await until(() => handler.done.length === 1);
    client.write(`${post('/order', 5)}hello`);
    await client.until(/ 503 [^]*}$/);
    handler.release();
    await first.until(/done$/);
    client.write(request('DELETE /order'));
    await client.until(/done$/);
    expect(statuses(client)).toEqual(['503', '201']);
  });
});

describe('A complete request', () => {
  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
    ['more bytes than its Content-Length', 'more'],
    ['a header section that is too large', request('GET /', `X: ${'x'.repeat(40_000)}\r\n`)],
  ])('gets its own response, and closes the connection, if %s follow', async (_, bytes) => {
    const { handler, open } = await start();
    const client = await open();
    client.write(`${post('/waiting', 5)}hello${bytes}`);
    // The rest of what the client sends is neither parsed, nor does it reset the connection.
    await pause(100);
    client.write(request('DELETE /order'));
    await pause(100);
    handler.release();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 201 [^]*Connection: close\r\n[^]*done$/);
    expect([handler.done, handler.sent]).toEqual([['POST /waiting hello'], [201]]);
    expect(Object.keys(Object.fromEntries(handler.refusals.totals()))).toHaveLength(1);
  });

  it('gets its own response if more bytes follow that are injected', async () => {
    const { handler, server } = await start();
    const headers = { 'Content-Length': '5' };
    const response = await server.inject({ method: 'POST', path: '/order', headers, body: 'hello, more' });
    expect([response.status, await response.text(), handler.done]).toEqual([
      201,
      'done',
      ['POST /order hello'],
    ]);
  });

  it('gets its own response if the header section of the next one takes longer than header_timeout', async () => {
    const { handler, open } = await start({ headerTimeout: 1 });
    const client = await open();
    client.write(`${request('GET /waiting')}GET / HTTP/1.1\r\nHo`);
    await until(() => Object.keys(Object.fromEntries(handler.refusals.totals())).length > 0);
    client.write('st: a\r\n\r\n');
    await pause(100);
    handler.release();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 201 [^]*Connection: close\r\n[^]*done$/);
    expect(handler.done).toEqual(['GET /waiting']);
  });

  it.each([
    ['is malformed', `${request('POST /order', 'Transfer-Encoding: chunked\r\n')}zz\r\n`, {}],
    ['does not arrive in time', `${post('/order', 5)}he`, { requestTimeout: 1 }],
  ])('gets its own response if the body of the next one %s', async (_, bytes, limits) => {
    const { handler, open } = await start(limits);
    const client = await open();
    client.write(`${request('DELETE /waiting')}${bytes}`);
    await until(() => Object.keys(Object.fromEntries(handler.refusals.totals())).length > 0);
    await pause(100);
    handler.release();
    await client.untilClosed();
    expect(client.received).toMatch(/^HTTP\/1\.1 201 [^]*Connection: close\r\n[^]*done$/);
    expect([statuses(client), handler.done]).toEqual([['201'], ['DELETE /waiting']]);
  });

  it('gets the rest of a response that has begun, which is the last of its connection', async () => {
    const { handler, open } = await start();
    const client = await open();
    client.write(request('GET /stream'));
    await client.until(/first/);
    client.write('nonsense\r\n\r\n');
    await pause(100);
    handler.release();
    await client.untilClosed();
    expect(client.received).toMatch(/last\r\n0\r\n\r\n$/);
    expect([statuses(client), handler.sent]).toEqual([['200'], [200]]);
  });

  it('loses its response with its client, which ends the connection in the middle of another request', async () => {
    const { handler, open } = await start();
    const client = await open();
    client.write(`${request('GET /waiting')}GET / HT`);
    await until(() => handler.done.length === 1);
    client.end();
    await client.untilClosed();
    await until(() => handler.sent.length === 1);
    expect([client.received, handler.sent]).toEqual(['', [null]]);
  });
});
