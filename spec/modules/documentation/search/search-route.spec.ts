import { defineApi, defineProcedure, defineRpcService } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { setTestTimeout } from '../../../factories/test-timeout';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

// Passwords are verified on a busy machine.
setTestTimeout(60);

describe('the search of an audience', () => {
  it('searches public APIs only for guests, and responses are compressed, revalidated and cached like pages', async () => {
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
      platform.request('/platform/search?q=one', { headers });
    const guest = await get();
    expect(guest.headers.get('cache-control')).toBe('no-cache');
    expect(guest.headers.get('vary')).toContain('Authorization');
    const etag = guest.headers.get('etag') ?? '';
    const text = await guest.text();
    expect(text).toContain('Open');
    expect(text).not.toContain('Secret');
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    expect(await (await get({ accept: 'text/html' })).text()).not.toContain('Secret');
    const user = await get({ authorization: basic('ada', 'password') });
    expect(user.headers.get('cache-control')).toBe('private, no-cache');
    expect(await user.text()).toContain('Secret');
    const page = await get({ accept: 'text/html', authorization: basic('ada', 'password') });
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    expect(await page.text()).toContain('Secret');
    expect((await get({ authorization: basic('ada', 'no') })).status).toBe(401);
    await platform.stop();
  });
});

describe('the search page', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());
  const open = (query: string): Promise<Response> =>
    platform.request(`/platform/search${query}`, { headers: { accept: 'text/html' } });

  it('shows the same results as JSON in the same order, with the words that match', async () => {
    const html = await (await open('?q=list+countries')).text();
    const { results } = (await (await platform.request('/platform/search?q=list+countries')).json()) as {
      readonly results: readonly { readonly url: string }[];
    };
    const links = [...html.matchAll(/<a class="found[^"]*" href="([^"]*)"/g)].map(([, url]) => url);
    expect(links).toEqual(results.map(({ url }) => url));
    expect(links[0]).toBe('/platform/documentation/Atlas-v2/Country#GET-collection');
    expect(html).toContain('<mark>countries</mark>');
    expect(await (await open('?q=unauthorized')).text()).toContain('<bdi><mark>unauthorized</mark></bdi>');
    expect(html).toContain('value="list countries"');
  });

  it('has a form that its policy allows, which pages without a form do not', async () => {
    const page = await open('');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await page.text()).toContain('<form class="search-form" action="/platform/search">');
    const other = await platform.request('/platform/documentation', { headers: { accept: 'text/html' } });
    expect(other.headers.get('content-security-policy')).toContain("form-action 'none'");
  });

  it('shows queries and results as text', async () => {
    const html = await (await open(`?q=${encodeURIComponent('"><script>alert(1)</script> country')}`)).text();
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; country"');
  });

  it('is linked on pages, and keeps the API version of the reader', async () => {
    const pages = [
      ['', '/platform/search'],
      ['/Atlas-v1', '/platform/search?api=Atlas-v1'],
      ['/Atlas-v1/Country', '/platform/search?api=Atlas-v1'],
    ];
    for (const [below = '', link = ''] of pages) {
      const page = await platform.request(`/platform/documentation${below}`, {
        headers: { accept: 'text/html' },
      });
      expect(await page.text()).toContain(`<a class="search-link" href="${link}">Search</a>`);
    }
    expect(await (await open('?q=visit&api=Atlas-v1')).text()).toMatch(
      /<input type="hidden" name="api" value="Atlas-v1">[^]*href="\/platform\/documentation\/Atlas-v1\/Visit"/,
    );
  });

  it('reports queries without results, and responds 406 to other formats', async () => {
    expect(await (await open('?q=zzzzzzzz')).text()).toContain('No results.');
    expect(await (await open('?q=atlas')).text()).toMatch(
      /<p class="quiet">(The best 50 of )?\d+ results<\/p>/,
    );
    const other = await platform.request('/platform/search?q=atlas', { headers: { accept: 'image/png' } });
    expect(other.status).toBe(406);
    expect(other.headers.get('vary')).toContain('Accept');
  });
});
