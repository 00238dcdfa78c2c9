import { plainText, searchIndexOf } from '../../../../src/modules/documentation/search/search-index';
import { basic } from '../../../factories/requests';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';
import { atlas } from '../../../fixtures/documentation';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';

describe('the search index', () => {
  const entries = [...searchIndexOf([atlas], '/platform/documentation')];

  it('has all services, operations and fields, with their location', () => {
    const urls = entries.map(({ url }) => url);
    expect(urls).toContain('/platform/documentation/Atlas-v2/Country#GET-entity');
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: 'field',
        title: 'currencies.symbol',
        within: 'Atlas v2 › Country',
        url: '/platform/documentation/Atlas-v2/Country#fields.currencies.items.symbol',
        text: 'Currency symbol',
      }),
    );
  });

  it('has operations with their parameters and request fields', () => {
    const list = entries.find(({ title }) => title === 'GET /atlas/countries');
    expect(list?.names.split(' ')).toEqual(['region', 'page', 'page_size']);
    const create = entries.find(({ title }) => title === 'POST /atlas/visits');
    expect(create?.names).toContain('companions.email');
  });

  it('has procedures with their response fields', () => {
    const distance = entries.find(({ title }) => title === 'GET /atlas/distance/:from/:to');
    expect(distance?.names).toBe('kilometres');
  });

  it('has the beginning of descriptions, without markup', () => {
    expect(plainText('A [link](https://example.org) and `code`,\n**bold**.')).toBe('A link and code, bold.');
    expect(plainText('`user_id` and ``a`b_c``, _not_ __marked__ snake_case, [`x_y`](/z)')).toBe(
      'user_id and a`b_c, not marked snake_case, x_y',
    );
    expect(Array.from(plainText('😀'.repeat(1000)))).toHaveLength(241);
  });

  it('has public APIs only for guests, and is compressed, revalidated and cached like pages', async () => {
    const api = (name: string, visibility: 'public' | 'authenticated') =>
      defineApi({
        name,
        visibility,
        versions: {
          1: {
            services: {
              One: defineRpcService({
                route: `/${name.toLowerCase()}`,
                methods: { GET: defineProcedure({ handler: () => null }) },
              }),
            },
          },
        },
      });
    const people = authenticatedBy('people');
    const { authentication } = people['platform-mvc-auth'] as { readonly authentication: object };
    const platform = await startTestPlatform({
      files: PEOPLE,
      extra: [
        { name: 'two', requires: ['hosting'], apis: [api('Open', 'public'), api('Secret', 'authenticated')] },
      ],
      local: {
        'platform-mvc-auth': {
          authentication: { ...authentication, map: { '@documentation': 'people', '*': 'people' } },
        },
      },
    });
    const get = (headers: Record<string, string> = {}): Promise<Response> =>
      platform.request('/platform/search.json', { headers });
    const guest = await get();
    expect(guest.headers.get('cache-control')).toBe('no-cache');
    expect(guest.headers.get('vary')).toContain('Authorization');
    const etag = guest.headers.get('etag') ?? '';
    const text = await guest.text();
    expect(text).toContain('Open');
    expect(text).not.toContain('Secret');
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    const user = await get({ authorization: basic('ada', 'password') });
    expect(user.headers.get('cache-control')).toBe('private, no-cache');
    expect(await user.text()).toContain('Secret');
    expect((await get({ authorization: basic('ada', 'no') })).status).toBe(401);
    await platform.stop();
  });
});

it('leads to places that are there', async () => {
  const platform = await startTestPlatform();
  try {
    const index = (await (await platform.request('/platform/search.json')).json()) as {
      readonly entries: readonly { readonly url: string }[];
    };
    const pages = new Map<string, string>();
    for (const { url } of index.entries) {
      const [path = '', fragment] = url.split('#');
      if (fragment === undefined) continue;
      const page = pages.get(path) ?? (await (await platform.request(`${path}?format=html`)).text());
      pages.set(path, page);
      expect([url, page.includes(` id="${fragment}"`)]).toEqual([url, true]);
    }
    expect(pages.size).toBeGreaterThanOrEqual(6);
  } finally {
    await platform.stop();
  }
});
