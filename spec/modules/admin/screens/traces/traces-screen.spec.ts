import { setTimeout as wait } from 'node:timers/promises';
import { startAdminPlatform, PASSWORD, type AdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { basic } from '../../../../factories/http/requests';

const API = '/platform/admin/api/v1';
const ADA = { Authorization: basic('ada', PASSWORD) };

describe('Request traces', () => {
  let platform: AdminPlatform;
  beforeAll(async () => {
    platform = await startAdminPlatform();
  });
  afterAll(() => platform.stop());

  const api = async (path: string, init: RequestInit = {}): Promise<[number, Record<string, unknown>]> => {
    const headers = new Headers({
      ...ADA,
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    });
    const response = await platform.request(`${API}${path}`, { ...init, headers });
    const text = await response.text();
    return [response.status, (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>];
  };
  const start = (options: object) =>
    api('/trace-recording', { method: 'POST', body: JSON.stringify(options) });
  const visit = async (path: string, id: string): Promise<void> => {
    await (await platform.request(path, { headers: { 'X-Request-Id': id } })).arrayBuffer();
    while ((await api(`/traces/${id}`))[0] === 404) await wait(5);
  };

  it('are recorded by the API, listed, shown and removed', async () => {
    expect(await start({ requests: 2 })).toEqual([
      200,
      {
        recording: true,
        always: false,
        remaining: 2,
        until: expect.any(String) as string,
        path: null,
        user: null,
      },
    ]);
    await visit('/v1/atlas/countries?region=Europe', 'first');
    await visit('/nowhere', 'second');
    const [, { total_items: total }] = await api('/traces');
    expect(total).toBe(2);
    const [status, trace] = await api('/traces/second');
    expect([status, trace]).toEqual([
      200,
      expect.objectContaining({ id: 'second', status: 404, code: 'route_not_found' }),
    ]);
    expect((await api('/trace-recording'))[1]).toMatchObject({ recording: false });
    expect((await api('/traces', { method: 'DELETE' }))[0]).toBe(204);
    expect((await api('/traces/second'))[0]).toBe(404);
  });

  it('are refused to guests, and with invalid options', async () => {
    expect((await platform.request(`${API}/traces`)).status).toBe(401);
    expect((await platform.request(`${API}/trace-recording`, { method: 'POST' })).status).toBe(401);
    expect((await platform.request('/platform/admin/traces')).status).toBe(303);
    for (const options of [
      { requests: 0 },
      { requests: 1_001 },
      { minutes: 61 },
      { path: 'countries' },
      { pages: 1 },
    ])
      expect((await start(options))[0]).toBe(422);
    expect((await api('/trace-recording'))[1]).toMatchObject({ recording: false });
  });

  it('are recorded and shown by the pages, which work without JavaScript', async () => {
    const { ada } = platform;
    const started = await ada.post('/traces', { requests: '1', minutes: '5', path: '/v1/atlas', user: '' });
    expect(started.status).toBe(303);
    expect(textOf(await (await ada.get('/traces')).text())).toContain(
      'Recording the next request of paths that begin with /v1/atlas',
    );
    await visit('/v1/atlas/countries/DE', 'germany');
    const list = await (await ada.get('/traces')).text();
    expect(list).toContain('href="/platform/admin/traces/germany"');
    const page = await (await ada.get('/traces/germany')).text();
    expect(page).toContain('<svg class="picture timeline"');
    const text = textOf(page);
    expect(text).toMatch(
      /route FrameworkListeners\.match framework · src\/framework\/mvc\/framework-listeners\.ts:\d+ 1 continued/,
    );
    expect(text).toMatch(/statement select .* database adapter atlas – 1 row/i);
    // Every bar leads to its row.
    const targets = [...page.matchAll(/class="bar [^"]*" href="#(entry-\d+)"/g)].map(([, id = '']) => id);
    expect(targets.length).toBeGreaterThan(20);
    for (const id of targets) expect(page).toContain(`<tr id="${id}">`);
    expect((await ada.get('/traces/missing')).status).toBe(404);
  });

  it('show errors next to their fields, and stop', async () => {
    const { ada } = platform;
    const refused = await ada.post('/traces', { requests: 'many', minutes: '5', path: 'x', user: '' });
    expect(refused.status).toBe(422);
    const text = textOf(await refused.text());
    expect(text).toContain('2 problems found');
    expect(text).toContain('Enter a whole number from 1 to 1000.');
    await ada.post('/traces', { requests: '5', minutes: '5', path: '', user: 'bob' });
    expect((await api('/trace-recording'))[1]).toMatchObject({ recording: true, user: 'bob' });
    await ada.post('/trace-recording', { action: 'stop' });
    expect((await api('/trace-recording'))[1]).toMatchObject({ recording: false });
    expect(platform.log.lines.map(({ message }) => message)).toContain('Stopped recording requests.');
  });
});
