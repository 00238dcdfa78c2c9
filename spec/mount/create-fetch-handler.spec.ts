import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createFetchHandler, type FetchHandler } from '../../src/platform';
import { DigestClient } from '../factories/sign-in/digest-client';
import { makeProject, MemoryLog, sampleAuthentication } from '../factories/platform';
import { ParcelsModule } from '../fixtures/parcels-module';

const environment = { OPERATIONS_LISTEN: 'off' };
const quiet = { 'platform-operations': { access_log: { enabled: false } } };
const ORIGIN = 'https://api.example:8443';

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a fetch handler', () => {
  const parcels = new ParcelsModule();
  const log = new MemoryLog();
  let handler: FetchHandler;

  beforeAll(async () => {
    handler = await createFetchHandler({
      configuration: {},
      modules: [parcels],
      mountPath: '/api',
      environment,
      log,
      address: (request: Request, info?: unknown) =>
        request.headers.get('x-address') ?? (info as string | undefined),
    });
  });
  afterAll(() => handler.close());
  beforeEach(() => parcels.seen.splice(0));

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(ORIGIN + path, init));
  // `duplex` is missing from the types of Node 20.
  const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit & { duplex: 'half' } => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
    body,
    duplex: 'half',
  });

  it('responds with links below the mount path', async () => {
    const created = await send('/api/parcels', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"Milk"}',
    });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/api/parcels/1']);
    expect(await (await send('/api/parcels?page=1')).json()).toMatchObject({
      _links: { self: { href: '/api/parcels?page=1' } },
    });
    expect((await send('/parcels')).status).toBe(404);
  });

  it('passes the target on exactly, with host, scheme and the address that the option returns', async () => {
    for (const target of ['/api/client', '/api/client?', '/api/client?a=%2F&b']) {
      const answer = await send(`${target}#here`, { headers: { 'X-Address': '192.0.2.7' } });
      expect(await answer.json()).toEqual({
        address: '192.0.2.7',
        host: 'api.example:8443',
        scheme: 'https',
        target,
      });
    }
    const request = (): Request => new Request('http://[::1]/api/client');
    expect(await (await handler(request(), '2001:db8::1')).json()).toMatchObject({
      address: '2001:db8::1',
      host: '[::1]',
      scheme: 'http',
    });
    // No address is better than a wrong one.
    expect(await (await handler(request(), 'unknown')).json()).toMatchObject({ address: '' });
    expect(await (await handler(request(), '192.0.2.7:80')).json()).toMatchObject({ address: '' });
    expect(log.lines.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'createFetchHandler: address returned the string "unknown", which is not an IP',
      ),
    ]);
    expect(await (await handler(request())).json()).toMatchObject({ address: '' });
  });

  it('returns every cookie, and no fields about a connection', async () => {
    const { headers } = await send('/api/client', {
      headers: { Connection: 'keep-alive', Expect: '100-continue' },
    });
    expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT']);
    expect(['connection', 'keep-alive', 'transfer-encoding'].filter((name) => headers.has(name))).toEqual([]);
  });

  it('accepts a field that announces a trailer section, which a fetch request does not have', async () => {
    expect((await send('/api/client', { headers: { Trailer: 'Digest' } })).status).toBe(200);
  });

  it('answers HEAD and 404 as the server does', async () => {
    const head = await send('/api/client', { method: 'HEAD' });
    expect([head.status, head.body, Number(head.headers.get('content-length')) > 0]).toEqual([
      200,
      null,
      true,
    ]);
    const none = await send('/api/nothing', { headers: { Accept: 'application/problem+json' } });
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('receives a body as a stream', async () => {
    const bytes = Buffer.alloc(3_000_000, 'abc');
    const stream = new Blob([bytes]).stream();
    const expected = { length: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') };
    expect(await (await send('/api/sum', post(stream))).json()).toEqual(expected);
    const declared = { 'Content-Length': String(bytes.length) };
    expect(await (await send('/api/sum', post(bytes, declared))).json()).toEqual(expected);
  });

  it('reads the body of a request no faster than the handler does', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const abort = new AbortController();
    // The handler of the collection reads no body that it does not accept.
    const answer = await send('/api/nothing', { ...post(body), signal: abort.signal });
    expect(answer.status).toBe(404);
    const before = pulled;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pulled - before).toBeLessThan(100);
    abort.abort();
  });

  it.each([
    ['2', 'more'],
    ['9', 'fewer'],
  ])('rejects a body with another length than the declared %s', async (length, difference) => {
    await expect(send('/api/sum', post('abc', { 'Content-Length': length }))).rejects.toThrow(
      `The body of the request has ${difference} bytes than its Content-Length, ${length}.`,
    );
  });

  it('rejects when the body fails', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('The client is gone.')),
    });
    await expect(send('/api/sum', post(body))).rejects.toThrow('The client is gone.');
  });

  it('streams a response no faster than it is read, and stops when it is cancelled', async () => {
    const answer = await send('/api/ticks?count=2000');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(parcels.seen.length).toBeLessThan(100);
    await reader.cancel();
    await until(() => parcels.seen.includes('aborted'));
    await until(() => handler.application.inFlight === 0);
  });

  it('aborts the work when the signal of the request is aborted, before and during the response', async () => {
    const abort = new AbortController();
    const answer = await send('/api/ticks?count=1&wait=true', { signal: abort.signal });
    const text = answer.text();
    await until(() => parcels.seen.includes('item 0'));
    abort.abort();
    await expect(text).rejects.toThrow('abort');
    await until(() => parcels.seen.includes('aborted'));
    await expect(send('/api/client', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  });

  it('refuses requests after it was closed', async () => {
    const other = await createFetchHandler({
      configuration: {},
      modules: [],
      environment,
      log: new MemoryLog(),
    });
    await other.close();
    const answer = await other(new Request(ORIGIN));
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('shutting down')]);
  });

  it('rejects an address that is not a function', async () => {
    const options = { configuration: {}, address: '127.0.0.1' as unknown as () => string };
    await expect(createFetchHandler(options)).rejects.toThrow(
      'createFetchHandler: address is the string "127.0.0.1". Pass a function',
    );
  });
});

describe('a fetch handler in Hono', () => {
  it('serves Digest and the documentation below its path', async () => {
    const root = makeProject({ local: { ...sampleAuthentication, ...quiet } });
    const handler = await createFetchHandler({ root, mountPath: '/api', environment, log: new MemoryLog() });
    const app = new Hono();
    app.get('/', (context) => context.text('Hono'));
    app.all('/api/*', (context) => handler(context.req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { readonly port: number };
    const origin = `http://127.0.0.1:${port}`;
    expect(await (await fetch(origin)).text()).toBe('Hono');
    const client = new DigestClient();
    for (const count of [1, 2]) {
      const answer = await client.fetch(`${origin}/api/v2/atlas/visits?page_size=${count}`);
      expect(answer.status).toBe(200);
    }
    const page = await fetch(`${origin}/api/platform/documentation`, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('href="/api/platform/');
    await new Promise((resolve) => server.close(resolve));
    await handler.close();
    rmSync(root, { recursive: true });
  });
});
