import { ServiceHistory } from '../../../../../src/modules/admin/monitoring/service-history';
import { startAdminPlatform, PASSWORD, type AdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { largeApi } from '../../../../factories/documents/large-api';
import { sampleAuthentication } from '../../../../factories/platform';
import { basic } from '../../../../factories/http/requests';
import { setTestTimeout } from '../../../../factories/test-timeout';

setTestTimeout(120);

let platform: AdminPlatform;
afterEach(() => platform.stop());

const overview = async (query = ''): Promise<string> => await (await platform.ada.get(query)).text();

/** Responses are counted when they are closed. */
async function send(paths: readonly string[], headers: Record<string, string> = {}): Promise<void> {
  for (const path of paths) await (await platform.request(path, { headers })).arrayBuffer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  platform.application.sharedState.find(ServiceHistory)?.sample();
}

interface Shown {
  readonly total?: { readonly requests: number; readonly clientErrors: number };
  readonly points: { readonly requests: readonly (number | null)[] };
  readonly apis: readonly { readonly api: string; readonly version: number; readonly health: string }[];
  readonly errors: readonly { readonly path: string; readonly requestId: string }[];
}

async function numbers(query = ''): Promise<Shown> {
  const headers = { Authorization: basic('ada', PASSWORD) };
  return (await (
    await platform.request(`/platform/admin/api/v1/dashboard${query}`, { headers })
  ).json()) as Shown;
}

describe('The dashboard', () => {
  beforeEach(async () => {
    platform = await startAdminPlatform({ local: sampleAuthentication });
  });

  it('says how to send a first request, and then shows requests, errors and the process as charts', async () => {
    const empty = await overview();
    expect(textOf(empty)).toMatch(
      /No requests in the last 15 minutes\. Try one: curl -i http:\/\/127\.0\.0\.1:\d+\/v1\/atlas/,
    );
    await send(['/v1/atlas/countries/DE', '/v1/atlas/countries/DE', '/v1/atlas/countries/XX', '/v1/nothing']);
    const html = await overview();
    expect(textOf(html)).not.toContain('No requests in the last');
    for (const title of [
      'Requests',
      'Error rate',
      'Latency',
      'Authentication failures',
      'Event-loop lag',
      'Memory',
    ])
      expect(html).toMatch(new RegExp(`<title id="chart-\\w+-title">${title}</title>`));
    const text = textOf(html);
    expect(text).toMatch(/API health .*Atlas v1 healthy 3 .*Atlas v2 idle 0/);
    expect(text).toMatch(/Most requests Atlas_getCountry Atlas v1 3 .*Most errors /);
    expect(text).toMatch(/GET of unknown paths platform 1 × 4xx/);
    expect(text).toMatch(/Requests through the service .*Country Atlas v1/);
  });

  it('links operations to their API, unless it was removed since', async () => {
    const api = (path: string, init: RequestInit): Promise<Response> =>
      platform.request(`/platform/admin/api/v1${path}`, {
        ...init,
        headers: { Authorization: basic('ada', PASSWORD), 'Content-Type': 'application/json' },
      });
    const copy = { method: 'POST', body: JSON.stringify({ api_version: 'Atlas-v2', to: 7 }) };
    expect((await api('/version-copies', copy)).status).toBe(201);
    await send(['/v7/atlas/countries/DE', '/v1/atlas/countries/DE']);
    expect((await api('/api-versions/Atlas-v7', { method: 'DELETE' })).status).toBe(204);
    const html = await overview();
    expect(html).toMatch(/<a href="[^"]*\/apis\/Atlas-v1">Atlas_getCountry<\/a>/);
    expect(textOf(html)).toContain('Atlas_getCountry Atlas v7 1');
    expect(html).not.toContain('/apis/Atlas-v7');
  });

  it('shows recent errors with their request id, as text', async () => {
    await send(['/v1/%3Cscript%3E', '/v1/atlas/countries/XX'], { 'X-Request-Id': 'r-4711' });
    const html = await overview();
    expect(html).toContain('<code class="place">r-4711</code>');
    expect(html).not.toContain('<script>');
    expect(textOf(html)).toMatch(
      /Recent errors .*404 GET \/v1\/atlas\/countries\/XX Not Found entity_not_found/,
    );
  });

  it('links recent errors to the traces that were recorded', async () => {
    await send(['/v1/atlas/countries/XX'], { 'X-Request-Id': 'before' });
    await platform.ada.post('/traces', { requests: '5', minutes: '5', path: '', user: '' });
    await send(['/v1/atlas/countries/XX'], { 'X-Request-Id': 'recorded' });
    const html = await overview();
    expect(html).toContain('href="/platform/admin/traces/recorded"');
    expect(html).not.toContain('/traces/before');
    expect((await platform.ada.get('/traces/recorded')).status).toBe(200);
  });

  it('has the same numbers in the admin API, for each range, without requests of administrators', async () => {
    await send(['/v1/atlas/countries/DE', '/v1/atlas/countries/XX']);
    await overview();
    for (const [query, count] of [
      ['', 90],
      ['?minutes=5', 60],
      ['?minutes=60', 120],
    ] as const) {
      const shown = await numbers(query);
      expect(shown.points.requests).toHaveLength(count);
      expect(shown.points.requests.filter((one) => one !== null && one > 0)).toHaveLength(1);
      expect(shown.total).toMatchObject({ requests: 2, clientErrors: 1 });
      expect(shown.errors.map(({ path }) => path)).toEqual(['/v1/atlas/countries/XX']);
      expect(shown.apis.map(({ api }) => api)).not.toContain('Admin');
    }
    const headers = { Authorization: basic('ada', PASSWORD) };
    expect((await platform.request('/platform/admin/api/v1/dashboard?minutes=7', { headers })).status).toBe(
      400,
    );
    expect((await platform.request('/platform/admin/api/v1/dashboard')).status).toBe(401);
  });

  it('counts refused credentials by adapter', async () => {
    await send(['/v1/atlas/visits', '/v1/atlas/visits'], { Authorization: basic('eve', 'wrong') });
    expect(textOf(await overview())).toMatch(/Authentication failures .*atlas-basic \d/);
  });

  it('survives a reload of the configuration', async () => {
    await send(['/v1/atlas/countries/DE']);
    await platform.ada.post('/reload', {});
    await send(['/v1/atlas/countries/DE']);
    expect((await numbers()).total?.requests).toBe(2);
  });

  it('has its live part on a page of its own, for administrators only, which takes no messages', async () => {
    await platform.ada.post('/reload', {});
    const part = await (await platform.ada.get('/dashboard?range=5')).text();
    expect(part).toContain('data-source="/platform/admin/dashboard?range=5"');
    expect(part).not.toContain('<html');
    expect(textOf(await overview())).toContain('Configuration reloaded.');
    const stranger = await platform.stranger().get('/dashboard');
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      '/platform/admin/sign-in?return=%2Fdashboard',
    ]);
  });

  it('shows 15 minutes for a range that does not exist', async () => {
    expect(await overview('?range=%22%3E')).toContain('aria-current="true">15 minutes</a>');
    expect(await overview('?range=60')).toContain('aria-current="true">1 hour</a>');
  });
});

describe('The dashboard of 500 services', () => {
  it('stays short, with the busy ones first', async () => {
    const files = { 'config/autoload/large.global.json': JSON.stringify(largeApi(500, 2)) };
    platform = await startAdminPlatform({ files });
    await send(['/v1/large/service-499', '/v1/large/service-499', '/v1/large/service-7']);
    const html = await overview();
    const text = textOf(html);
    expect(text).toMatch(/Large v1 failing 3/);
    expect(text).toMatch(/Most errors Large_\w+ Large v1 2 × 5xx/);
    expect(html).toContain('more services');
    expect(html.match(/<[a-z]/g)?.length).toBeLessThan(2_000);
  });
});
