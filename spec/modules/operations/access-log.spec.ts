import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Type,
  type ConfigObject,
  type Module,
} from '../../../src/platform';
import { RequestMetrics, STATUS_CLASSES } from '../../../src/modules/operations';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { RawConnection } from '../../factories/http/raw-connection';
import { basic } from '../../factories/http/requests';
import { HOSTING, startRefusal } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';
import { ShopModule } from '../../fixtures/shop/shop-module';

/** Responds after two seconds, or as soon as its client disconnects. */
const slow: Module = {
  name: 'slow',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Slow',
      versions: {
        1: {
          services: {
            Wait: defineRpcService({
              route: '/wait',
              methods: {
                GET: defineProcedure({
                  handler: ({ signal }) => pause(2_000, 'waited', { signal }).catch(() => 'left'),
                }),
                POST: defineProcedure({
                  fields: Type.Object({ word: Type.String() }),
                  handler: () => 'received',
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const logTo = (file: string): ConfigObject => ({
  'platform-operations': { access_log: { enabled: true, file } },
});

describe('the access log', () => {
  let platform: TestPlatform;
  beforeEach(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'operations'],
      extra: [new ShopModule(), slow],
      local: {
        ...authenticatedBy('basic'),
        ...logTo('log/access.log'),
        server: { request_timeout: 0, inactivity_timeout: 1 },
      },
      files: PEOPLE,
    });
  });
  afterEach(() => platform.stop());

  const text = () => readFileSync(path.join(platform.root, 'log/access.log'), 'utf8');
  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Record<string, unknown> => ({ ...(JSON.parse(line) as object) }));
  /** Lines are written after the response was sent. */
  const waitForLines = async (count: number) => {
    for (let tries = 0; tries < 1500 && lines().length < count; tries++) await pause(10);
    return lines();
  };

  it('has a line of JSON for each request, in a folder that it creates', async () => {
    const listed = await platform.request('/v2/shop/products');
    await platform.request('/nowhere', { method: 'POST', headers: { 'X-Request-Id': 'order-7' } });
    const [first, second, ...more] = await waitForLines(2);
    expect(more).toEqual([]);
    expect(first).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
      method: 'GET',
      path: '/v2/shop/products',
      status: 200,
      request_id: expect.any(String) as unknown,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      milliseconds: expect.any(Number) as unknown,
      bytes: Number(listed.headers.get('content-length')),
      user: null,
      address: '127.0.0.1',
      api: 'Shop',
      version: 2,
      operation: 'Shop_listProduct',
    });
    expect(second).toMatchObject({ method: 'POST', path: '/nowhere', status: 404, request_id: 'order-7' });
  });

  it('has the trace id of the client, or a new one', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'X-Request-Id': 'order-8' };
    await platform.request('/shop/products', { headers });
    await platform.request('/shop/products', { headers: { traceparent: '00-injected"-b7ad-01' } });
    const [first, second] = await waitForLines(2);
    expect(first).toMatchObject({ request_id: 'order-8', trace_id: traceId });
    expect(second?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.trace_id).not.toBe(traceId);
  });

  it('contains the user, but neither credentials nor the query', async () => {
    await platform.request('/shop/products?page=1&secret=hunter2', {
      headers: { Authorization: basic('ada', 'password'), Cookie: 'session=hunter3' },
    });
    await platform.request('/shop/products', { headers: { Authorization: basic('ada', 'hunter4') } });
    const [first, second] = await waitForLines(2);
    expect(first).toMatchObject({ user: 'ada', path: '/shop/products' });
    expect(second).toMatchObject({ user: null, status: 401 });
    expect(text()).not.toMatch(/hunter|password|Basic|page|secret|session/);
  });

  it('has one line per request for any path', async () => {
    await platform.request('/a%0Ab%22%7D');
    const [first] = await waitForLines(1);
    expect(first).toMatchObject({ path: '/a%0Ab%22%7D', status: 404 });
  });

  it('records a request that its client aborted', async () => {
    await new Promise<void>((resolve) => {
      const client = request(`${platform.origin}/wait`);
      client.on('error', () => resolve());
      client.end();
      setTimeout(() => client.destroy(), 100);
    });
    const [first] = await waitForLines(1);
    expect(first).toMatchObject({ path: '/wait', status: null, aborted: true });
  });

  it.each([
    ['in part', '{"word"'],
    ['not at all', ''],
  ])('has the 408 for a body that arrives %s, as the metrics do', async (_, bytes) => {
    const client = await RawConnection.open(platform.origin);
    client.write(
      `POST /wait HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n${bytes}`,
    );
    await client.untilClosed();
    const [head = '', body = ''] = client.received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    const [first] = await waitForLines(1);
    expect(first).toMatchObject({
      path: '/wait',
      status: 408,
      code: 'request_timeout',
      bytes: body.length,
      operation: expect.stringMatching(/^Slow_.*Wait$/) as unknown,
    });
    expect(first).not.toHaveProperty('aborted');
    const operations = [...platform.application.sharedState.find(RequestMetrics)!.operations];
    expect(
      operations.map((one) => Object.fromEntries(STATUS_CLASSES.map((name, at) => [name, one.requests(at)]))),
    ).toEqual([{ none: 0, '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 1, '5xx': 0 }]);
  });

  it('has the time that a request has waited for others, too', async () => {
    await platform.stop();
    platform = await startTestPlatform({
      modules: [...HOSTING, 'operations'],
      extra: [new ShopModule(), slow],
      local: { ...logTo('log/access.log'), server: { max_requests_in_flight: 1 } },
    });
    const first = platform.request('/wait');
    await pause(300);
    await platform.request('/shop/products');
    await first;
    const waited = (await waitForLines(2)).find((line) => line.path === '/shop/products');
    expect(waited?.milliseconds).toBeGreaterThan(1_000);
  });

  it('is appended to after a restart', async () => {
    await platform.request('/shop/products');
    await waitForLines(1);
    const folder = mkdtempSync(path.join(tmpdir(), 'log-'));
    const file = path.join(folder, 'access.log');
    try {
      for (const path of ['/first', '/second']) {
        const again = await startTestPlatform({ modules: [...HOSTING, 'operations'], local: logTo(file) });
        await again.request(path);
        await again.stop();
      }
      expect(readFileSync(file, 'utf8')).toMatch(/"\/first".*\n.*"\/second".*\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('an access log that cannot be written', () => {
  it.each([
    ['below a file', 'data/notes.txt/access.log'],
    ['a folder itself', 'data'],
  ])('prevents the platform from starting when it is %s', async (_, file) => {
    const files = { 'data/notes.txt': '' };
    const message = await startRefusal({ modules: ['mvc-auth', 'operations'], local: logTo(file), files });
    expect(message).toMatch(/^The access log cannot be written: /);
    expect(message).toContain(path.join(path.dirname(file)));
    expect(message).toContain('platform-operations.access_log.file');
  });
});
