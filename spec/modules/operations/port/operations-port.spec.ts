import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { ALL_MODULES, ROOT, sampleAuthentication } from '../../../factories/platform';
import { configure } from '../../../factories/configure';
import { run } from '../../../factories/processes/processes';
import { ServerProcesses, type ServerProcess } from '../../../factories/processes/server-process';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic } from '../../../factories/http/requests';

const servers = new ServerProcesses();
afterEach(() => servers.clear());

const QUIET = { 'platform-operations': { access_log: { enabled: false } } };

interface Service extends ServerProcess {
  readonly api: string;
  readonly operations: string;
  readonly root: string;
}

async function start(local: object = {}, more: readonly string[] = []): Promise<Service> {
  const modules = [...ALL_MODULES, 'database', ...more];
  const root = servers.project({ modules, local: { ...QUIET, ...local } });
  const server = servers.start(['--root', root], { OPERATIONS_LISTEN: '127.0.0.1:0' });
  const api = await server.origin();
  return { ...server, root, api, operations: await server.printed(/^Metrics +(\S+)\/metrics$/m) };
}

/** The samples of a metric: its labels and its value. */
function samples(text: string, name: string): readonly (readonly [labels: string, value: number])[] {
  return [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(
    ([, labels = '', value]) => [labels, Number(value)] as const,
  );
}

describe('The operations port', () => {
  it('reports that the service lives, is ready, and what it is', async () => {
    const { operations } = await start();
    expect(await (await fetch(`${operations}/live`)).json()).toEqual({ status: 'live' });
    expect(await (await fetch(`${operations}/ready`)).json()).toEqual({ status: 'ready', degraded: [] });
    expect(await (await fetch(`${operations}/build`)).json()).toMatchObject({
      name: 'apidesc-platform',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      node: process.versions.node,
    });
    expect(Object.keys((await (await fetch(operations)).json()) as object)).toEqual([
      'live',
      'ready',
      'metrics',
      'build',
    ]);
  });

  it('accepts targets in absolute-form', async () => {
    const { operations } = await start();
    const live = await sendRaw(operations, `GET ${operations}/live?a HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([live.status, live.body]).toEqual([200, '{"status":"live"}\n']);
  });

  it('is not reachable on the port of the APIs', async () => {
    const { api } = await start();
    for (const path of ['/live', '/ready', '/metrics', '/build'])
      expect((await fetch(api + path)).status).toBe(404);
  });

  it('responds with problems to other methods and paths, and without a body to HEAD', async () => {
    const { operations } = await start();
    const posted = await fetch(`${operations}/live`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const missing = await fetch(`${operations}/healthz`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const head = await fetch(`${operations}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('responds 503 to /ready while the service drains, and ends with it', async () => {
    const { operations, api, child, ended } = await start({ server: { drain_delay: 2 } });
    child.kill('SIGTERM');
    let ready = await fetch(`${operations}/ready`);
    while (ready.status === 200) ready = await fetch(`${operations}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining', degraded: [] }]);
    expect((await fetch(`${operations}/live`)).status).toBe(200);
    expect((await fetch(`${api}/v1/atlas/countries/DE`)).status).toBe(200);
    expect((await ended).code).toBe(0);
    await expect(fetch(`${operations}/live`)).rejects.toThrow();
  });

  it('is ready with a database that is down, which it names', async () => {
    const url = 'postgres://shop@127.0.0.1:1/shop';
    const product = {
      kind: 'table',
      adapter_name: 'shop',
      table_name: 'products',
      route: '/shop/products[/:id]',
      route_identifier_name: 'id',
      columns: { id: {} },
      collection: { GET: {} },
    };
    const { operations, api } = await start({
      'platform-db': { adapters: { shop: { adapter: 'PostgresAdapter', options: { url } } } },
      'platform-hosting': { apis: { Shop: { versions: { 1: { services: { Product: product } } } } } },
    });
    const ready = await fetch(`${operations}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', degraded: ['database shop'] },
    ]);
    const text = await (await fetch(`${operations}/metrics`)).text();
    expect(samples(text, 'apidesc_database_available')).toContainEqual(['adapter="shop"', 0]);
    expect((await fetch(`${api}/shop/products`)).status).toBe(503);
    expect((await fetch(`${api}/v1/atlas/countries/DE`)).status).toBe(200);
  });

  it('starts the service with a warning if the address is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const server = servers.start(['--root', servers.project({ local: QUIET })], {
      OPERATIONS_LISTEN: `127.0.0.1:${port}`,
    });
    const api = await server.origin();
    expect(await server.printedError(/^Warning: The operations port .*$/m)).toBe(
      `Warning: The operations port 127.0.0.1:${port} cannot be opened (EADDRINUSE); /live, /ready and /metrics are not served. Set OPERATIONS_LISTEN or platform-operations.listen to a free address, or to "off".`,
    );
    expect((await fetch(`${api}/v1/atlas/countries/DE`)).status).toBe(200);
    other.close();
  });

  it('does not start with an invalid address', async () => {
    const { ended } = servers.start(['--root', servers.project({})], { OPERATIONS_LISTEN: '9464' });
    const { code, errors } = await ended;
    expect(code).toBe(1);
    expect(errors).toContain('The environment variable OPERATIONS_LISTEN: "9464" is not an address.');
  });

  it('counts requests by operation and status class, and their durations and bytes', async () => {
    const { operations, api } = await start();
    const path = `${api}/v2/atlas/countries`;
    const bytes = (await (await fetch(`${path}/DE`)).arrayBuffer()).byteLength;
    for (const [below, init] of [
      ['/DE', {}],
      ['/XX', {}],
      ['?region=nowhere', {}],
      ['/DE', { headers: { accept: 'image/png' } }],
      ['/DE', { method: 'HEAD' }],
      ['', { method: 'PUT' }],
    ] as const)
      await (await fetch(path + below, init)).arrayBuffer();
    const text = await (await fetch(`${operations}/metrics`)).text();
    const labels = 'api="Atlas",version="2",service="Country",operation="Atlas_getCountry",method="GET"';
    const requests = new Map(samples(text, 'apidesc_http_requests_total'));
    expect(requests.get(`${labels},status="2xx"`)).toBe(2);
    // 404 and 406.
    expect(requests.get(`${labels},status="4xx"`)).toBe(2);
    expect(requests.get(`${labels.replace('GET', 'HEAD')},status="2xx"`)).toBe(1);
    expect(requests.get('api="",version="",service="",operation="",method="PUT",status="4xx"')).toBe(1);
    expect(new Map(samples(text, 'apidesc_http_request_duration_seconds_count')).get(labels)).toBe(4);
    expect(
      new Map(samples(text, 'apidesc_http_request_duration_seconds_bucket')).get(`${labels},le="+Inf"`),
    ).toBe(4);
    expect(new Map(samples(text, 'apidesc_http_response_bytes_total')).get(labels)).toBeGreaterThan(
      2 * bytes,
    );
    expect(new Map(samples(text, 'apidesc_http_problems_total')).get('code="not_acceptable"')).toBe(1);
    expect(samples(text, 'apidesc_http_requests_in_flight')).toEqual([['', 0]]);
    expect(samples(text, 'apidesc_event_loop_lag_seconds')).toHaveLength(4);
    expect(samples(text, 'process_resident_memory_bytes')[0]?.[1]).toBeGreaterThan(1e6);
  });

  it('counts the results of authentication by adapter', async () => {
    const { operations, api } = await start(sampleAuthentication);
    const visits = `${api}/v1/atlas/visits`;
    for (const authorization of [undefined, basic('guide', 'explore'), basic('guide', 'wrong')])
      await fetch(visits, authorization === undefined ? {} : { headers: { authorization } });
    const text = await (await fetch(`${operations}/metrics`)).text();
    expect(samples(text, 'apidesc_authentication_total')).toEqual([
      ['adapter="atlas-basic",outcome="challenge"', 1],
      ['adapter="atlas-basic",outcome="success"', 1],
      ['adapter="atlas-basic",outcome="failure"', 1],
    ]);
  });

  it('keeps the counts when the configuration is reloaded, and counts reloads', async () => {
    const { operations, api, root, child, printed, printedError } = await start();
    const send = (): Promise<Response> => fetch(`${api}/v1/atlas/countries/DE`);
    await send();
    child.kill('SIGHUP');
    await printed(/^Configuration reloaded\.$/m);
    await send();
    configure(root, { server: { prot: 1 } });
    child.kill('SIGHUP');
    await printedError(/The previous configuration stays active/);
    const text = await (await fetch(`${operations}/metrics`)).text();
    const counts = samples(text, 'apidesc_http_requests_total').filter(([labels]) =>
      labels.includes('Atlas_getCountry'),
    );
    expect(counts.map(([, count]) => count)).toEqual([2]);
    expect(samples(text, 'apidesc_configuration_reloads_total')).toEqual([
      ['outcome="activated"', 1],
      ['outcome="failed"', 1],
    ]);
    expect(samples(text, 'apidesc_configuration_revision')).toEqual([['', 0]]);
  });

  it('has the latest revision, also of a change that another process made', async () => {
    const { operations, root } = await start({}, ['admin']);
    const revision = async (): Promise<unknown> =>
      samples(await (await fetch(`${operations}/metrics`)).text(), 'apidesc_configuration_revision');
    expect(await revision()).toEqual([['', 0]]);
    const cli = path.join(ROOT, 'dist/cli.js');
    await run(process.execPath, [cli, 'selector', 'add', 'Plain', '--root', root]);
    const { length } = readdirSync(path.join(root, 'data/revisions'));
    expect(length).toBeGreaterThan(0);
    expect(await revision()).toEqual([['', length]]);
  });
});
