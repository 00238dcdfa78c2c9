import { withPrefix } from '../../../../src/framework/http/proxies/removed-prefix';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { startFramework } from '../../../factories/routes';

describe('A removed prefix', () => {
  it.each([
    ['/a', '/gw/a'],
    ['/', '/gw/'],
    ['/a?b=/gw', '/gw/a?b=/gw'],
    ['/gw/a', '/gw/a'],
    ['/gw', '/gw'],
    ['/gw?a', '/gw?a'],
    ['/gwx', '/gw/gwx'],
    ['http://api.example/a', 'http://api.example/gw/a'],
    ['http://api.example/gw/a', 'http://api.example/gw/a'],
    ['http://api.example', 'http://api.example/gw/'],
    ['http://api.example?a', 'http://api.example/gw/?a'],
    ['*', '*'],
  ])('turns %s into %s', (target, expected) => {
    expect(withPrefix(target, '/gw', () => 0)).toBe(expected);
    expect(withPrefix(target, '', () => 0)).toBe(target);
  });

  it.each([
    ['/gw/a?b', { '/gw/gw/a': 1 }, '/gw/gw/a?b'],
    ['http://api.example/gw/a', { '/gw/gw/a': 2, '/gw/a': 1 }, 'http://api.example/gw/gw/a'],
    ['/gw/a', { '/gw/gw/a': 1, '/gw/a': 1 }, '/gw/a'],
  ])('of %s is found by the more specific of the routes %j: %s', (target, routes, expected) => {
    const specificity = new Map(Object.entries<number | undefined>(routes));
    expect(withPrefix(target, '/gw', (path) => specificity.get(path) ?? 0)).toBe(expected);
  });
});

describe('A service whose public URL has a path that the proxy removes', () => {
  let platform: TestPlatform;
  beforeAll(
    async () =>
      (platform = await startTestPlatform({
        local: {
          ...sampleAuthentication,
          server: { public_url: 'https://example.com/gw', base_url: '/api' },
        },
      })),
  );
  afterAll(() => platform.stop());

  it('serves paths without the prefix and with it', async () => {
    for (const path of ['/api/v2/atlas/countries/DE', '/gw/api/v2/atlas/countries/DE'])
      expect((await platform.request(path)).status).toBe(200);
    expect((await platform.request('/v2/atlas/countries/DE')).status).toBe(404);
  });

  it('has the prefix in relative links and in absolute URLs', async () => {
    const country = await platform.request('/api/v2/atlas/countries/DE');
    expect(country.headers.get('link')).toContain('</gw/api/platform/documentation/Atlas-v2');
    const page = await (
      await platform.request('/api/platform/documentation', { headers: { Accept: 'text/html' } })
    ).text();
    expect(page).toContain('href="/gw/api/platform/');
    expect(page).not.toMatch(/(?:href|src|action)="\/(?!gw\/api\/)/);
    const openapi: unknown = await (
      await platform.request('/api/platform/documentation/Atlas-v2?format=openapi')
    ).json();
    expect(openapi).toMatchObject({ servers: [{ url: 'https://example.com/gw/api' }] });
    const { type } = (await (await platform.request('/api/nowhere')).json()) as { readonly type: string };
    expect(type).toBe('https://example.com/gw/api/platform/errors#route_not_found');
  });

  it('verifies Digest credentials for the path that the client requested', async () => {
    const url = `${platform.origin}/gw/api/v2/atlas/visits`;
    const client = new DigestClient();
    expect((await client.fetch(url)).status).toBe(200);
    const created = await client.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ country_code: 'DE', visited_on: '2026-01-01' }),
    });
    expect([created.status, created.headers.get('location')?.slice(0, 23)]).toEqual([
      201,
      '/gw/api/v2/atlas/visits',
    ]);
  });
});

describe('A service with routes that begin with the prefix that the proxy removes', () => {
  let platform: TestPlatform;
  beforeAll(
    async () =>
      (platform = await startTestPlatform({
        local: { server: { public_url: 'https://example.com/atlas' } },
      })),
  );
  afterAll(() => platform.stop());

  it.each(['/atlas/countries/DE', '/atlas/atlas/countries/DE'])(
    'serves them without the prefix and with it: %s',
    async (path) => {
      const country = await platform.request(path);
      expect(country.status).toBe(200);
      expect(await country.json()).toMatchObject({ country_code: 'DE' });
    },
  );

  it('links to URLs that work through the proxy', async () => {
    const list = await platform.request('/atlas/countries?page_size=1');
    const [, next = ''] = /<\/atlas([^>]*)>; rel="next"/.exec(list.headers.get('link') ?? '') ?? [];
    expect(next).toContain('/atlas/countries?');
    expect((await platform.request(next)).status).toBe(200);
  });

  it('serves other routes with the prefix as well', async () => {
    for (const path of ['/atlas/v2/atlas/countries/DE', '/atlas/platform/documentation'])
      expect((await platform.request(path)).status).toBe(200);
    for (const path of ['/atlas/nowhere', '/atlas/%ff', '/atlas/countries/%ff'])
      expect((await platform.request(path)).status).toBe(path.includes('%') ? 400 : 404);
  });
});

describe('Routes behind a removed prefix that cannot be added when they are needed', () => {
  it('fail with a response', async () => {
    const fail = (): never => {
      throw new Error('These routes are broken.');
    };
    const platform = await startFramework(
      {},
      ({ application: { router } }) => {
        router.addLater({ path: '/gw/inner', names: 'inner' }, fail);
        router.addLater({ path: '/outer', names: 'outer' }, fail);
      },
      { local: { server: { public_url: 'https://example.com/gw' } } },
    );
    for (const path of ['/outer', '/gw/outer', '/gw/inner', '/gw/gw/inner'])
      expect([path, (await platform.request(path)).status]).toEqual([path, 500]);
    await platform.stop();
  });
});

describe('A service whose proxy names the removed prefix', () => {
  const start = (fields: readonly string[]): Promise<TestPlatform> =>
    startTestPlatform({
      local: { server: { base_url: '/gw/api', trust_proxy: ['loopback'], forwarding_fields: fields } },
    });
  const statuses = async (platform: TestPlatform): Promise<number[]> => {
    try {
      const all: number[] = [];
      for (const prefix of ['/gw', '/gw/api', '/other', '/gw/', '/g', undefined]) {
        const path = prefix === '/gw/api' ? '/v2/atlas/countries/DE' : '/api/v2/atlas/countries/DE';
        const headers = { ...(prefix === undefined ? {} : { 'X-Forwarded-Prefix': prefix }) };
        all.push((await platform.request(path, { headers })).status);
      }
      return all;
    } finally {
      await platform.stop();
    }
  };

  it('serves what begins with the base path together with the prefix', async () => {
    expect(await statuses(await start(['x-forwarded-for', 'x-forwarded-prefix']))).toEqual([
      200, 200, 404, 200, 404, 404,
    ]);
  });

  it('ignores the prefix unless the field is listed', async () => {
    expect(await statuses(await start(['x-forwarded-for']))).toEqual([404, 404, 404, 404, 404, 404]);
  });
});
