import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { abortOf, Request, Response, Server, type RequestHandler } from '../../../../src/framework';
import { BodyBudget } from '../../../../src/framework/http/limits/body-budget';
import { ClientAddresses } from '../../../../src/framework/http/proxies/client-addresses';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { RequestIds } from '../../../../src/framework/http/request-id';
import { FunctionHandler, type Answer } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';
import { until } from '../../../factories/processes/workers';

class LimitedHandler extends FunctionHandler implements RequestHandler {
  readonly limits: ConnectionLimits;
  readonly refusals = new Refusals();

  constructor(answer: Answer, limits: Partial<ConnectionLimits>) {
    super(answer);
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function start(answer: Answer, limits: Partial<ConnectionLimits>): Promise<string> {
  const server = new Server(new LimitedHandler(answer, limits));
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  return `http://127.0.0.1:${port}`;
}

const fine = (): Response => new Response(200, 'fine');
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

/** A client that does not read the response. */
async function connectWithoutReading(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  return socket;
}

describe('Connections', () => {
  it('that are refused, and that their clients keep open, end after the timeout of a shutdown', async () => {
    const origin = await start(fine, { maxConnections: 1 });
    const first = await RawConnection.open(origin);
    const { hostname, port } = new URL(origin);
    const refused = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    refused.on('error', () => undefined);
    await once(refused, 'data');
    const began = performance.now();
    await servers.pop()?.close(0.2);
    expect(performance.now() - began).toBeLessThan(2_000);
    refused.destroy();
    first.destroy();
  });

  it('beyond max_connections receive 503 as a problem, until others close', async () => {
    const origin = await start(fine, { maxConnections: 2 });
    const [first] = await Promise.all([RawConnection.open(origin), RawConnection.open(origin)]);
    await pause(50);
    const third = await RawConnection.open(origin);
    await third.untilClosed();
    expect(third.received).toMatch(
      /^HTTP\/1\.1 503 Service Unavailable\r\nContent-Type: application\/problem\+json/,
    );
    expect(third.received).toContain('Retry-After: 1\r\n');
    first.write(get);
    await first.until(/fine$/);
    first.destroy();
    await pause(50);
    const fourth = await RawConnection.open(origin);
    fourth.write(get);
    await fourth.until(/fine$/);
  });

  it('are counted when they are refused, also those that are closed without a response', async () => {
    const handler = new LimitedHandler(fine, { maxConnections: 2 });
    const server = new Server(handler);
    servers.push(server);
    const origin = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
    const clients = await Promise.all(Array.from({ length: 150 }, () => RawConnection.open(origin)));
    await until(() => server.connections.refused.max_connections === 148);
    const served = server.connections.open;
    expect(served).toBe(2);
    expect(Object.fromEntries(handler.refusals.totals())).toEqual({ max_connections: 148 });
    expect(server.connections.refused).toMatchObject({ max_connections: 148 });
    for (const client of clients) client.destroy();
  });

  it('are limited per address, except those of a trusted proxy', async () => {
    const limits = { maxConnectionsPerAddress: 1 };
    const origin = await start(fine, limits);
    await RawConnection.open(origin);
    await pause(50);
    const second = await RawConnection.open(origin);
    await second.untilClosed();
    expect(second.received).toContain(' 503 ');
    const behind = await start(fine, { ...limits, isProxy: (peer) => peer === '127.0.0.1' });
    await RawConnection.open(behind);
    const other = await RawConnection.open(behind);
    other.write(get);
    await other.until(/fine$/);
  });

  it('are closed if the client does not read the response', async () => {
    let closed = 0;
    const origin = await start(
      (_, outgoing) => {
        outgoing.once('close', () => closed++);
        return new Response(200, Buffer.alloc(50_000_000));
      },
      { inactivityTimeout: 1 },
    );
    const socket = await connectWithoutReading(origin);
    socket.write(get);
    for (let tries = 0; tries < 1500 && closed === 0; tries++) await pause(10);
    expect(closed).toBe(1);
    socket.destroy();
  });

  it('stay open while a stream is idle and its client reads', async () => {
    async function* events(): AsyncGenerator<string> {
      yield 'first';
      await pause(3_500);
      yield 'last';
    }
    const origin = await start(() => new Response(200, Readable.from(events())), { inactivityTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(get);
    await client.until(/first/);
    await client.until(/last/);
    expect(client.received).toMatch(/0\r\n\r\n$/);
  });
});

describe('A connection between two requests', () => {
  it('stays open without keep_alive_timeout, also beyond inactivity_timeout', async () => {
    const origin = await start(fine, { keepAliveTimeout: 0, inactivityTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(get);
    await client.until(/fine$/);
    await pause(1_500);
    client.write(get);
    await client.until(/fine[^]+fine$/);
    client.destroy();
  });
});

describe('A request', () => {
  const read: Answer = async (request) => new Response(200, await request.read(1_000));

  it.each([
    ['its head', 'POST / HTTP/1.1\r\nHo'],
    ['its body', `${post(100)}some`],
  ])('receives 408 if %s takes longer than request_timeout', async (_, bytes) => {
    const origin = await start(read, { requestTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(bytes);
    await client.untilClosed(18_000);
    expect(client.received).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\nContent-Type: application\/problem\+json/,
    );
  });

  it.each([
    ['the request line', 'GET /no'],
    ['its header section', 'GET / HTTP/1.1\r\nHost'],
    ['the end of its header section', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ])('receives 408 if the client stops sending in %s, and is counted', async (_, bytes) => {
    const handler = new LimitedHandler(read, { headerTimeout: 30, inactivityTimeout: 1 });
    const server = new Server(handler);
    servers.push(server);
    const origin = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
    const [client, silent] = [await RawConnection.open(origin), await RawConnection.open(origin)];
    client.write(bytes);
    await Promise.all([client.untilClosed(), silent.untilClosed()]);
    expect(client.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(silent.received).toBe('');
    expect(Object.fromEntries(handler.refusals.totals())).toEqual({ inactivity_timeout: 1 });
  });

  it('receives 408 if the client stops sending in the middle of the body, even without request_timeout', async () => {
    const origin = await start(read, { requestTimeout: 0, inactivityTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(`${post(100)}some`);
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 408 ');
  });

  it.each([
    ['a length', post(100)],
    ['chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a length that waits for 100 Continue', `${post(100).trimEnd()}\r\nExpect: 100-continue\r\n\r\n`],
  ])('receives 408 if no byte of its body arrives, which has %s', async (_, head) => {
    const origin = await start(read, { requestTimeout: 0, inactivityTimeout: 1 });
    const client = await RawConnection.open(origin);
    client.write(head);
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 408 ');
  });

  it('receives 408 if no byte of its body arrives, which is read in chunks', async () => {
    const origin = await start(
      async (request) => {
        let length = 0;
        for await (const chunk of request.chunks(1_000)) length += chunk.length;
        return new Response(200, String(length));
      },
      { requestTimeout: 0, inactivityTimeout: 1 },
    );
    const client = await RawConnection.open(origin);
    client.write(post(100));
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 408 ');
  });

  it('receives 408 if its body is read after inactivity_timeout, and no byte of it arrives', async () => {
    const origin = await start(
      async (request, outgoing) => {
        await pause(2_500);
        return read(request, outgoing);
      },
      { requestTimeout: 0, inactivityTimeout: 1 },
    );
    const client = await RawConnection.open(origin);
    client.write(post(100));
    await client.untilClosed();
    expect(client.received).toContain('HTTP/1.1 408 ');
  });

  it('is not inactive while its handler works without reading the body', async () => {
    const origin = await start(
      async () => {
        await pause(2_500);
        return new Response(200, 'unread');
      },
      { requestTimeout: 0, inactivityTimeout: 1 },
    );
    const client = await RawConnection.open(origin);
    client.write(post(100));
    await client.until(/unread$/);
    expect(client.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that is queued behind another emits close when its client disconnects', async () => {
    let left = 0;
    const origin = await start((_, outgoing) => {
      outgoing.once('close', () => left++);
      return new Promise<Response>(() => undefined);
    }, {});
    const client = await RawConnection.open(origin);
    client.write(get + get + get);
    await pause(100);
    client.destroy();
    for (let tries = 0; tries < 1500 && left < 3; tries++) await pause(10);
    expect(left).toBe(3);
  });
});

describe('The trailer section of a body', () => {
  const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n0\r\n';
  const trailers = (count: number): string =>
    Array.from({ length: count }, (_, at) => `a${at}:b\r\n`).join('');
  const readers: readonly (readonly [string, (request: Request) => Promise<unknown>])[] = [
    ['at once', (request) => request.read(1_000)],
    [
      'in chunks',
      async (request) => {
        for await (const chunk of request.chunks(1_000)) expect(chunk.length).toBe(4);
      },
    ],
  ];

  it.each(readers)(
    'receives 431 if it has too many fields, for a body that is read %s',
    async (_, readBody) => {
      const environment = {
        ids: new RequestIds(),
        bodies: new BodyBudget(),
        addresses: new ClientAddresses(),
        maxTrailerFields: 100,
      };
      const handler: RequestHandler = {
        handle: (message, outgoing) => {
          readBody(new Request(message, outgoing, environment)).then(
            () => outgoing.end('read'),
            (error: unknown) => outgoing.writeHead(Number(Reflect.get(Object(error), 'status'))).end(),
          );
        },
        dispose: () => Promise.resolve(),
      };
      const server = new Server(handler);
      servers.push(server);
      const origin = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
      const answers = await Promise.all(
        [0, 100, 101, 2_000].map(async (count) => {
          const client = await RawConnection.open(origin);
          client.write(`${CHUNKED}${trailers(count)}\r\n`);
          await client.until(/\r\n\r\n/);
          return client.received.slice(9, 12);
        }),
      );
      expect(answers).toEqual(['200', '200', '431', '431']);
    },
  );
});

describe('A shutdown', () => {
  it('reports the requests that it cuts off, and distinguishes them from those of disconnected clients', async () => {
    const ends: unknown[] = [];
    const warnings: unknown[] = [];
    const handler = new LimitedHandler((_, outgoing) => {
      outgoing.once('close', () => ends.push(abortOf(outgoing)));
      return new Promise<Response>(() => undefined);
    }, {});
    const note = (...line: readonly unknown[]): void => {
      warnings.push(line);
    };
    Object.assign(handler, { log: { warn: note, error: note, info: note, debug: note } });
    const server = new Server(handler);
    const origin = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
    const [leaving, waiting, idle] = await Promise.all([
      RawConnection.open(origin),
      RawConnection.open(origin),
      RawConnection.open(origin),
    ]);
    leaving.write(get);
    waiting.write(get);
    await pause(100);
    leaving.destroy();
    await pause(100);
    await server.close(1);
    await Promise.all([waiting.untilClosed(), idle.untilClosed()]);
    expect(ends).toEqual(['client', 'shutdown']);
    expect(warnings).toEqual([
      [{ requests: 1 }, 'Cutting off 1 request that did not finish within server.shutdown_timeout (1 s).'],
    ]);
  });
});

describe('The memory of request bodies', () => {
  const MEMORY = 10_000;

  /** Reads bodies within the budget; each stays reserved until its response is complete. */
  class BudgetHandler implements RequestHandler {
    readonly environment = {
      ids: new RequestIds(),
      bodies: new BodyBudget(MEMORY),
      addresses: new ClientAddresses(),
    };
    handle(...[message, outgoing]: Parameters<RequestHandler['handle']>): void {
      const request = new Request(message, outgoing, this.environment);
      request.read(1_000_000).then(
        (body) => outgoing.end(`read ${body.length}`),
        (error: unknown) => outgoing.writeHead(Number(Reflect.get(Object(error), 'status'))).end(),
      );
    }
    dispose(): Promise<void> {
      return Promise.resolve();
    }
  }

  async function serve(): Promise<string> {
    const server = new Server(new BudgetHandler());
    servers.push(server);
    return `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
  }

  const ask = async (origin: string, length: number): Promise<RawConnection> => {
    const client = await RawConnection.open(origin);
    client.write(post(length) + 'x'.repeat(length));
    await client.until(/\r\n\r\n/);
    return client;
  };

  it('is bounded: a body beyond the budget receives 503, until memory is released', async () => {
    const origin = await serve();
    const slow = await RawConnection.open(origin);
    slow.write(post(8_000) + 'x'.repeat(7_000));
    await pause(100);
    expect((await ask(origin, 5_000)).received).toContain(' 503 ');
    expect((await ask(origin, 2_000)).received).toContain('read 2000');
    slow.write('x'.repeat(1_000));
    await slow.until(/read 8000/);
    expect((await ask(origin, 5_000)).received).toContain('read 5000');
  });

  it('is released when a client disconnects in the middle of a body', async () => {
    const origin = await serve();
    for (let round = 0; round < 5; round++) {
      const client = await RawConnection.open(origin);
      client.write(post(9_000) + 'x'.repeat(8_000));
      await pause(50);
      client.destroy();
      await pause(50);
    }
    const slow = await RawConnection.open(origin);
    slow.write(`${post(10)}x`);
    await pause(50);
    expect((await ask(origin, 9_000)).received).toContain('read 9000');
  });

  it('does not limit a body that is alone', async () => {
    expect((await ask(await serve(), 50_000)).received).toContain('read 50000');
  });

  it('suffices for a body in many small chunks', async () => {
    const origin = await serve();
    const client = await RawConnection.open(origin);
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let part = 0; part < 200; part++) client.write('1\r\nx\r\n2\r\nyz\r\n');
    client.write('0\r\n\r\n');
    await client.until(/read 600/);
  });
});
