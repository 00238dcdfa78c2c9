import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { connect } from 'node:net';
import { once } from 'node:events';
import { ALL_MODULES, ROOT, sampleAuthentication } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { ServerProcesses, type ServerProcess } from '../../../factories/processes/server-process';
import { setTestTimeout } from '../../../factories/test-timeout';

const servers = new ServerProcesses();
afterAll(() => servers.clear());

setTestTimeout(120);

let api: string;
let operations: string;
let server: ServerProcess;

beforeAll(async () => {
  const root = servers.project({
    modules: [...ALL_MODULES, 'database'],
    local: {
      ...sampleAuthentication,
      'platform-operations': { access_log: { enabled: false } },
      server: { max_connections_per_address: 20 },
    },
  });
  server = servers.start(['--root', root], { OPERATIONS_LISTEN: '127.0.0.1:0' });
  api = await server.origin();
  operations = await server.printed(/^Metrics +(\S+)\/metrics$/m);
});

const scrape = async (): Promise<string> => await (await fetch(`${operations}/metrics`)).text();

/** The value of a sample. */
async function valueOf(name: string): Promise<number> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

async function get(below: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(api + below, { headers })).arrayBuffer();
}

describe('The metrics', () => {
  it('count requests for documentation by whether it was cached, and keep the numbers over a reload', async () => {
    const hit = 'apidesc_documentation_cache_requests_total{result="hit"}';
    const miss = 'apidesc_documentation_cache_requests_total{result="miss"}';
    await get('/platform/documentation/Atlas');
    await get('/platform/documentation/Atlas');
    await get('/platform/documentation/Atlas');
    expect([await valueOf(miss), await valueOf(hit)]).toEqual([1, 2]);
    expect(await valueOf('apidesc_documentation_cache_bytes')).toBeGreaterThan(1_000);
    server.child.kill('SIGHUP');
    while ((await valueOf('apidesc_configuration_reloads_total{outcome="activated"}')) === 0);
    expect(await valueOf(hit)).toBe(2);
    await get('/platform/documentation/Atlas');
    expect([await valueOf(miss), await valueOf(hit)]).toEqual([2, 2]);
  });

  it('count throttled sign-ins by adapter', async () => {
    const throttled = 'apidesc_throttled_total{adapter="atlas-basic"}';
    const refused = 'apidesc_authentication_total{adapter="atlas-basic",outcome="failure"}';
    for (let attempt = 0; (await valueOf(throttled)) !== 1; attempt++) {
      expect(attempt).toBeLessThan(100);
      await get('/v1/atlas/visits', { Authorization: basic('eve', `wrong${attempt}`) });
    }
    expect(await valueOf(refused)).toBeGreaterThan(0);
  });

  it('count open connections, and refused ones by their cause', async () => {
    const { port, hostname } = new URL(api);
    const sockets = Array.from({ length: 30 }, () => connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const refused = 'apidesc_connections_refused_total{cause="max_connections_per_address"}';
    while ((await valueOf(refused)) < 10);
    expect(await valueOf('apidesc_connections_open')).toBe(20);
    expect(await valueOf('apidesc_connections_refused_total{cause="max_connections"}')).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});

/** The metrics of a service, with the labels of each. */
async function exposed(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await scrape();
  const labels = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) /gm)) labels.set(name, new Set());
  for (const [, sample = '', list = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const own = labels.get(sample) ?? labels.get(sample.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) own?.add(label);
  }
  return labels;
}

const METRIC = /\b(?:apidesc|nodejs|process)_[a-z_]+\b/g;
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The expressions of the alert rules and of the dashboard. */
function expressions(): readonly string[] {
  const { groups } = parse(read('deploy/prometheus-rules.yml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly query: string }[] };
    readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  };
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
    ...dashboard.annotations.list.map(({ expr }) => expr),
  ];
}

describe('The alert rules and the dashboard in deploy/', () => {
  it('use metrics that exist, and labels that they have', async () => {
    await get('/v1/atlas/countries/DE');
    const known = await exposed();
    const base = (name: string): string =>
      known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    const used = expressions().flatMap((one) => one.match(METRIC) ?? []);
    expect(used.length).toBeGreaterThan(40);
    // A database that is not PostgreSQL has no pool; a single process has neither workers nor nodes.
    const several = /\bapidesc_(?:cluster|configuration_(?:store|behind)|worker)\w+/g;
    const optional = new Set([
      'apidesc_database_connections',
      ...(read('docs/guides/scaling.md').match(several) ?? []),
    ]);
    expect(used.filter((name) => !known.has(base(name)) && !optional.has(name))).toEqual([]);
    for (const one of expressions())
      for (const [, name = '', selector = ''] of one.matchAll(/\b(apidesc_[a-z_]+)\{([^}]*)\}/g)) {
        const labels = known.get(base(name)) ?? new Set();
        const asked = [...selector.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label);
        const wrong = asked.filter((label) => !['job', 'instance'].includes(label) && !labels.has(label));
        if (!optional.has(name)) expect([name, wrong]).toEqual([name, []]);
      }
  });

  it('cover every metric of the platform, and the guide explains each', async () => {
    const guide = read('docs/guides/operate.md');
    const shown = expressions().join('\n');
    const own = [...(await exposed()).keys()].filter((name) => name.startsWith('apidesc_'));
    expect(own.length).toBeGreaterThan(12);
    expect(own.filter((name) => !guide.includes(`\`${name}`))).toEqual([]);
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });
});
