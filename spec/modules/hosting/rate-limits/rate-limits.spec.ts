import { defineApi, defineProcedure, defineRpcService, type ConfigObject } from '../../../../src/platform';
import { configure } from '../../../factories/configure';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { advanceClock } from '../../../factories/measure/advance-clock';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const ADA = basic('ada', PASSWORD);
const BOB = basic('bob', PASSWORD);

const local = (limits: unknown, server: ConfigObject = {}): ConfigObject => ({
  ...authentication(CLUB_ADAPTERS, { Club: 'basic' }),
  server: { trust_proxy: ['loopback'], ...server },
  'platform-rate-limits': limits as ConfigObject,
});

let platform: TestPlatform;
afterEach(() => {
  jest.restoreAllMocks();
  return platform.stop();
});

async function start(limits: unknown, server?: ConfigObject): Promise<void> {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: local(limits, server),
  });
}

interface Client {
  readonly path?: string;
  readonly method?: string;
  readonly from?: string;
  readonly as?: string;
  readonly body?: string;
}

function ask({ path = '/club/hall', method = 'GET', from, as, body }: Client = {}): Promise<Response> {
  return platform.request(path, {
    method,
    headers: {
      ...(from === undefined ? {} : { 'X-Forwarded-For': from }),
      ...(as === undefined ? {} : { Authorization: as }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

async function statuses(times: number, client: Client = {}): Promise<readonly number[]> {
  const all: number[] = [];
  for (let at = 0; at < times; at++) all.push((await ask(client)).status);
  return all;
}

describe('A rate limit', () => {
  it('refuses further requests with 429, and reports what is left in each response', async () => {
    await start({ Club: [{ limit: 2, window: 60, per: 'address' }] });
    const first = await ask();
    expect(first.headers.get('ratelimit-policy')).toBe('"Club:address:60";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"Club:address:60";r=1;t=6[01]$/);
    expect((await ask()).headers.get('ratelimit')).toMatch(/;r=0;t=(?:60|61|59)$/);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toMatch(/^"Club:address:60";r=0;t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"Club:address:60";q=2;w=60');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(await bodyOf(refused)).toMatchObject({
      status: 429,
      title: 'Too Many Requests',
      detail: `The rate limit of 2 requests per minute per address is reached. Try again in ${seconds} seconds.`,
      'violated-policies': ['Club:address:60'],
    });
  });

  it('never lets more pass than the limit, however many arrive at once', async () => {
    await start({ Club: [{ limit: 25, window: 60, per: 'address' }] });
    const all = await Promise.all(Array.from({ length: 200 }, async () => (await ask()).status));
    expect(all.filter((status) => status === 200)).toHaveLength(25);
    expect(all.filter((status) => status === 429)).toHaveLength(175);
  });

  it('per address has a limit for each address, and one for each /64 of IPv6', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] });
    expect(await statuses(2, { from: '192.0.2.1' })).toEqual([200, 429]);
    expect(await statuses(2, { from: '192.0.2.2' })).toEqual([200, 429]);
    expect(await statuses(1, { from: '2001:db8::1' })).toEqual([200]);
    expect(await statuses(1, { from: '2001:db8::ffff:2' })).toEqual([429]);
    expect(await statuses(1, { from: '2001:db8:0:1::1' })).toEqual([200]);
    // What stands left of the address that the trusted proxy added is the client's claim.
    expect(await statuses(1, { from: '198.51.100.7, 192.0.2.1' })).toEqual([429]);
  });

  it('per address ignores forwarding fields of untrusted peers', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] }, { trust_proxy: [] });
    expect(await statuses(1, { from: '192.0.2.1' })).toEqual([200]);
    for (const from of ['192.0.2.2', '2001:db8::1', 'unknown', '']) {
      expect(await statuses(1, { from })).toEqual([429]);
    }
  });

  it('per user has a limit for each user, from all addresses, and counts guests by address', async () => {
    await start({ Club: [{ limit: 2, window: 60, per: 'user' }] });
    expect(await statuses(1, { as: ADA, from: '192.0.2.1' })).toEqual([200]);
    expect(await statuses(2, { as: ADA, from: '192.0.2.2' })).toEqual([200, 429]);
    expect(await statuses(3, { as: BOB, from: '192.0.2.2' })).toEqual([200, 200, 429]);
    expect(await statuses(3, { from: '192.0.2.2' })).toEqual([200, 200, 429]);
    expect(await statuses(1, { from: '192.0.2.3' })).toEqual([200]);
  });

  it('per user refuses wrong passwords of an address before they are verified, and costs the user nothing', async () => {
    await start({ Club: [{ limit: 3, window: 60, per: 'user' }] });
    const wrong = { as: basic('ada', 'wrong'), from: '192.0.2.1' };
    expect(await statuses(5, wrong)).toEqual([401, 401, 401, 429, 429]);
    expect((await ask(wrong)).headers.get('ratelimit')).toContain(';r=0;');
    expect(await statuses(3, { as: ADA, from: '192.0.2.2' })).toEqual([200, 200, 200]);
    expect(await statuses(1, { from: '192.0.2.1' })).toEqual([200]);
  });

  it('adds no fields to a 401, and challenges do not count', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'user' }] });
    const challenge = await ask({ path: '/club/members' });
    expect(challenge.status).toBe(401);
    expect(challenge.headers.has('ratelimit')).toBe(false);
    expect(challenge.headers.has('ratelimit-policy')).toBe(false);
    expect(await statuses(2, { path: '/club/members' })).toEqual([401, 401]);
    expect(await statuses(2)).toEqual([200, 429]);
    expect(await statuses(2, { path: '/club/members', as: ADA })).toEqual([200, 429]);
  });

  it('for all clients is shared, and refused requests of a user do not use it up', async () => {
    await start({
      Club: [
        { limit: 3, window: 60, per: 'all' },
        { limit: 1, window: 60, per: 'user' },
      ],
    });
    expect(await statuses(5, { as: ADA })).toEqual([200, 429, 429, 429, 429]);
    expect(await statuses(1, { as: BOB })).toEqual([200]);
    const last = await ask({ from: '192.0.2.1' });
    expect(last.headers.get('ratelimit')).toMatch(/"Club:user:60";r=0;t=\d+, "Club:all:60";r=0;t=\d+$/);
    expect(await statuses(1, { from: '192.0.2.2' })).toEqual([429]);
  });

  it('applies to an API, a version, a service or an operation, with all that match', async () => {
    await start({
      '*': [{ limit: 6, window: 60, per: 'address' }],
      Club: [{ limit: 5, window: 60, per: 'address' }],
      'Club-v1': [{ limit: 4, window: 60, per: 'address' }],
      'Club/Note': [{ limit: 3, window: 60, per: 'address' }],
      'Club/Note entity GET': [{ limit: 1, window: 60, per: 'address' }],
    });
    expect(await statuses(2, { path: '/v1/club/notes/1' })).toEqual([200, 429]);
    expect(await statuses(3, { path: '/v1/club/notes' })).toEqual([200, 200, 429]);
    expect(await statuses(2, { path: '/v1/club/hall' })).toEqual([200, 429]);
    expect(await statuses(2, { path: '/v2/club/hall' })).toEqual([200, 429]);
    expect(await statuses(2, { path: '/annex/door' })).toEqual([200, 429]);
  });

  it('may be set where an API has the name of a member that every object inherits', async () => {
    const service = defineRpcService({
      route: '/inherited',
      methods: { GET: defineProcedure({ handler: () => ({ data: 1 }) }) },
    });
    const apis = [defineApi({ name: 'constructor', versions: { 1: { services: { toString: service } } } })];
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [{ name: 'inherited', requires: ['hosting'], apis }],
      local: { 'platform-rate-limits': { '*': [{ limit: 1, window: 60, per: 'address' }] } },
    });
    const statuses = [await platform.request('/inherited'), await platform.request('/inherited')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  });

  it('counts requests by the weight of their method', async () => {
    await start({ 'Club/Note': [{ limit: 10, window: 60, per: 'user', weights: { POST: 5, DELETE: 0 } }] });
    const post = { path: '/club/notes', method: 'POST', body: '{"text":"a"}' };
    expect(await statuses(3, post)).toEqual([201, 201, 429]);
    expect(await statuses(2, { path: '/club/notes/1', method: 'DELETE' })).toEqual([204, 204]);
    expect(await statuses(1, { path: '/club/notes' })).toEqual([429]);
  });

  it('ends after its window', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] });
    expect(await statuses(2)).toEqual([200, 429]);
    advanceClock(50);
    expect(await statuses(1)).toEqual([429]);
    // Usage expires in slots, the last of which ends after the window.
    advanceClock(16);
    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('survives a reload, with what was used', async () => {
    await start({ Club: [{ limit: 2, window: 60, per: 'address' }] });
    expect(await statuses(2)).toEqual([200, 200]);
    await platform.host.reload();
    expect(await statuses(1)).toEqual([429]);
    configure(platform.root, local({ Club: [{ limit: 3, window: 60, per: 'address' }] }));
    await platform.host.reload();
    expect(await statuses(2)).toEqual([200, 429]);
    configure(platform.root, local({}));
    await platform.host.reload();
    const free = await ask();
    expect([free.status, free.headers.has('ratelimit-policy')]).toEqual([200, false]);
  });

  it('is counted in metrics by its name', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] });
    await statuses(3);
    const values = Object.fromEntries(
      platform.application.measurements.map(({ name, values: of }) => [name, [...of()]]),
    );
    expect(values.apidesc_rate_limited_total).toEqual([[{ limit: 'Club:address:60' }, 2]]);
    expect(values.apidesc_rate_limit_clients).toEqual([[{ limit: 'Club:address:60' }, 1]]);
  });

  it('does not apply to OPTIONS, and attaches no listener without limits', async () => {
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] });
    expect(await statuses(3, { method: 'OPTIONS' })).toEqual([204, 204, 204]);
    await platform.stop();
    await start({});
    const unlimited = platform.application.events.describe().length;
    await platform.stop();
    await start({ Club: [{ limit: 1, window: 60, per: 'address' }] });
    expect(platform.application.events.describe().length).toBe(unlimited + 3);
  });
});
