import { Response, Server, type RequestHandler } from '../../../../src/framework';
import {
  DEFAULT_LIMITS,
  type ConnectionLimits,
} from '../../../../src/framework/http/limits/connection-limits';
import { Refusals } from '../../../../src/framework/http/limits/refusals';
import { FunctionHandler } from '../../../factories/http/handler-server';
import { RawConnection } from '../../../factories/http/raw-connection';

class LimitedHandler extends FunctionHandler implements RequestHandler {
  readonly refusals = new Refusals();
  readonly limits: ConnectionLimits;

  constructor(limits: Partial<ConnectionLimits>) {
    super(({ path }) => new Response(200, `served ${path.length}`));
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function send(bytes: string, limits: Partial<ConnectionLimits> = {}) {
  const handler = new LimitedHandler(limits);
  const server = new Server(handler);
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  const client = await RawConnection.open(`http://127.0.0.1:${port}`);
  client.write(bytes);
  await client.until(/^HTTP[^]*\r\n\r\n[^]+/);
  return { server, client, causes: Object.fromEntries(handler.refusals.totals()) };
}

const request = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
const line = (length: number): string => `/${'a'.repeat(length - 'GET / HTTP/1.1'.length)}`;

describe('A request line', () => {
  it.each([8_193, 20_000, 200_000])('of %d bytes receives 414', async (length) => {
    const { client, causes } = await send(request(line(length)));
    await client.until(/^HTTP\/1\.1 414 URI Too Long\r\n[^]*limit of 8192 bytes/);
    await client.untilClosed();
    expect(causes).toEqual({ max_request_line: 1 });
  });

  it('up to max_request_line is served', async () => {
    const { client } = await send(request(line(8_192)));
    await client.until(/ 200 [^]*served 8179$/);
  });
});

describe('A header section', () => {
  it.each([16_400, 30_000, 200_000])('of %d bytes receives 431', async (length) => {
    const { client, causes } = await send(request('/', `X: ${'a'.repeat(length)}\r\n`));
    await client.until(/^HTTP\/1\.1 431 [^]*limit of 16384 bytes/);
    await client.untilClosed();
    expect(causes).toEqual({ max_header_size: 1 });
  });

  it('of more fields than max_header_fields receives 431, and none is dropped silently', async () => {
    const { client, causes } = await send(request('/', 'a:\r\n'.repeat(2_500)));
    await client.until(/^HTTP\/1\.1 431 [^]*more than 100 header fields/);
    expect(causes).toEqual({ max_header_fields: 1 });
    const { client: other } = await send(request('/', 'a:\r\n'.repeat(2_500)), { maxHeaderFields: 10_000 });
    await other.until(/ 200 /);
  });

  it('receives 408 if it takes longer than header_timeout', async () => {
    const { client, causes } = await send('GET / HTTP/1.1\r\nHo', { headerTimeout: 1 });
    await client.until(/^HTTP\/1\.1 408 /);
    expect(causes).toEqual({ header_timeout: 1 });
  });
});

describe('A connection', () => {
  it('serves no request that was sent after the last one', async () => {
    const { client } = await send(request('/').repeat(5), { maxRequestsPerConnection: 2 });
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it('is closed after max_requests_per_connection', async () => {
    const { client } = await send(request('/'), { maxRequestsPerConnection: 2 });
    expect(client.received).not.toContain('Connection: close');
    client.write(request('/'));
    await client.untilClosed();
    expect(client.received.match(/ 200 /g)).toHaveLength(2);
    expect(client.received).toMatch(/Connection: close\r\n[^]*served 1$/);
  });

  it('is closed after its next request when a reload lowers max_requests_per_connection below its count', async () => {
    const { server, client } = await send(request('/').repeat(3), { maxRequestsPerConnection: 10 });
    await client.until(/(served 1[^]*){3}$/);
    await server.swap(new LimitedHandler({ maxRequestsPerConnection: 2 }));
    client.write(request('/').repeat(2));
    await client.untilClosed();
    expect(client.received.match(/ 200 /g)).toHaveLength(4);
    expect(client.received.match(/Connection: close/g)).toHaveLength(1);
  });

  it('has requests with an unsupported expectation counted', async () => {
    const { client } = await send(request('/', 'Expect: x\r\n').repeat(3), { maxRequestsPerConnection: 2 });
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 417 /g)).toHaveLength(2);
    expect(client.received.match(/Connection: close/g)).toHaveLength(1);
  });

  it('is closed without another response when it is idle after an unsupported expectation', async () => {
    const { client } = await send(request('/', 'Expect: x\r\n'), { keepAliveTimeout: 1 });
    await client.untilClosed();
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 417']);
  });
});
