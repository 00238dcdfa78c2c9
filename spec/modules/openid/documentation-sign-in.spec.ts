import { Type } from '@sinclair/typebox';
import { defineApi, defineProcedure, defineRpcService } from '../../../src/modules/hosting';
import type { ConfigObject, Module } from '../../../src/platform';
import { CookieBrowser } from '../../factories/browser/cookie-browser';
import { OpenidTestProvider } from '../../factories/sign-in/openid-provider';
import { signInAs } from '../../factories/sign-in/openid-sign-in';
import { ALL_MODULES, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic } from '../../factories/http/requests';
import { setTestTimeout } from '../../factories/test-timeout';
import { PEOPLE, peopleAdapter } from '../../fixtures/people';

setTestTimeout(60);

const service = (name: string, extra: object = {}) =>
  defineRpcService({
    route: `/${name}`,
    description: `About ${name}.`,
    methods: {
      GET: defineProcedure({
        handler: () => ({ name }),
        response: Type.Object({ name: Type.String() }),
      }),
    },
    ...extra,
  });

/** An API with a hidden service, and a hidden API. */
const club: Module = {
  name: 'club',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Club',
      versions: {
        1: {
          services: {
            Hall: service('hall'),
            Board: service('board', { visibility: 'authenticated' }),
          },
        },
      },
    }),
    defineApi({
      name: 'Vault',
      visibility: 'authenticated',
      versions: { 1: { services: { Gold: service('gold') } } },
    }),
  ],
};

const DOCUMENTATION = '/platform/documentation';
const HTML = { Accept: 'text/html' };
const HIDDEN = /vault|gold|board/i;

let provider: OpenidTestProvider;
const platforms: TestPlatform[] = [];

async function start(local: ConfigObject = {}, settings: ConfigObject = {}): Promise<TestPlatform> {
  provider = await OpenidTestProvider.create();
  const platform = await startTestPlatform({
    modules: [...ALL_MODULES, 'openid'],
    extra: [club],
    files: PEOPLE,
    local: { ...provider.settings({ admin: { roles: {} }, ...settings }), ...local },
  });
  platforms.push(platform);
  await provider.start({ origins: [platform.origin] });
  return platform;
}

async function signedIn(
  platform: TestPlatform,
  name: string,
  target = DOCUMENTATION,
): Promise<CookieBrowser> {
  const browser = new CookieBrowser();
  expect((await signInAs(browser, platform.origin, name, target)).status).toBe(200);
  return browser;
}

afterEach(async () => {
  for (const platform of platforms.splice(0)) await platform.stop();
  await provider.stop();
});

describe('A reader who has signed in with OpenID Connect', () => {
  it('sees what is hidden from guests, in every format, and no guest does', async () => {
    const platform = await start();
    const reader = await signedIn(platform, 'vera');
    for (const path of ['', '/Club', '/Club-v1', '/Vault', '/Vault/Gold', '/Club/Board'])
      for (const format of ['json', 'html', 'openapi', 'markdown']) {
        const url = `${platform.origin}${DOCUMENTATION}${path}?format=${format}`;
        const isReadableForGuests = path === '' || (path.startsWith('/Club') && path !== '/Club/Board');
        // Before and after, so that one could find what was cached for the other.
        for (const browser of [new CookieBrowser(), reader, new CookieBrowser()]) {
          const response = await browser.get(url);
          const text = await response.text();
          const isReader = browser === reader;
          expect([url, response.status]).toEqual([url, isReader || isReadableForGuests ? 200 : 404]);
          // 404 repeats the requested name.
          if (isReader) expect(text).toMatch(HIDDEN);
          else if (isReadableForGuests) expect(text).not.toMatch(HIDDEN);
          expect(response.headers.get('vary')).toContain('Cookie');
          if (isReader) expect(response.headers.get('cache-control')).toContain('private');
          expect(text).not.toMatch(/\bvera\b/);
        }
      }
  });

  it('does not get the content of guests by its entity tag', async () => {
    const platform = await start();
    const url = `${platform.origin}${DOCUMENTATION}/Club?format=json`;
    const reader = await signedIn(platform, 'vera');
    const tag = (await fetch(url)).headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    expect((await reader.get(url, { 'If-None-Match': tag })).status).toBe(200);
    const own = (await reader.get(url)).headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'If-None-Match': own } })).status).toBe(200);
  });

  it('stays signed in while reading: the cookie is renewed on pages that nobody else gets', async () => {
    const platform = await start({}, { session: { idle: 60, absolute: 3_600 } });
    const reader = await signedIn(platform, 'vera');
    const url = `${platform.origin}${DOCUMENTATION}/Club`;
    expect((await reader.get(url)).headers.getSetCookie()).toEqual([]);
    // A tenth of the idle timeout.
    const later = Date.now() + 10_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    try {
      const renewed = await reader.get(url);
      expect(renewed.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^platform_reader=.*Max-Age=60$/),
      ]);
      expect(renewed.headers.get('cache-control')).toContain('private');
    } finally {
      clock.mockRestore();
    }
  });

  it('finds hidden services in the search', async () => {
    const platform = await start();
    const url = `${platform.origin}/platform/search?q=gold`;
    const search = async (browser: CookieBrowser) =>
      await (await browser.get(url, { Accept: 'application/json' })).text();
    const reader = await signedIn(platform, 'vera');
    expect(await search(reader)).toMatch(/Vault/);
    expect(await search(new CookieBrowser())).not.toMatch(/Vault/);
  });

  it('is nobody for APIs', async () => {
    const map = { '*': 'people' };
    const platform = await start({
      'platform-mvc-auth': {
        authentication: { adapters: { people: peopleAdapter('people') }, map },
        authorization: { Club: { Board: { GET: 'authenticated' } } },
      },
    });
    const browser = await signedIn(platform, 'vera');
    const cookie = browser.cookiesFor(new URL(`${platform.origin}${DOCUMENTATION}`));
    const response = await platform.request('/v1/board', { headers: { Cookie: cookie } });
    expect(response.status).toBe(401);
    const known = { Cookie: cookie, Authorization: basic('ada', 'password') };
    expect((await platform.request('/v1/board', { headers: known })).status).toBe(200);
    // Wrong credentials are refused, also together with the cookie.
    const wrong = { Cookie: cookie, Authorization: basic('ada', 'wrong') };
    expect((await platform.request(`${DOCUMENTATION}/Club`, { headers: wrong })).status).toBe(401);
  });

  it('is subject to the rules of the documentation, by groups', async () => {
    const platform = await start({
      'platform-mvc-auth': { authorization: { '@documentation': ['@staff'] } },
    });
    const url = `${platform.origin}${DOCUMENTATION}`;
    expect((await (await signedIn(platform, 'vera')).get(url)).status).toBe(200);
    expect((await (await signedIn(platform, 'nobody')).get(url)).status).toBe(403);
    const guest = await fetch(url, { headers: HTML });
    expect(guest.status).toBe(403);
    const html = (await guest.text()).replaceAll('&amp;', '&');
    expect(html).toContain('href="/platform/sign-in?return=%2Fplatform%2Fdocumentation"');
    expect(html).toContain('Sign in with Example login');
    expect(platform.application.warnings.join()).not.toMatch(/@documentation|hidden from guests/);
  });

  it('is offered the sign-in where an adapter challenges, in addition to its challenge', async () => {
    const platform = await start({
      'platform-mvc-auth': {
        authentication: {
          adapters: { people: peopleAdapter('people') },
          map: { '@documentation': 'people' },
        },
        authorization: { '@documentation': 'authenticated' },
      },
    });
    const guest = await platform.request(`${DOCUMENTATION}/Club?format=html`, { headers: HTML });
    expect(guest.status).toBe(401);
    expect(guest.headers.get('www-authenticate')).toMatch(/people/);
    const html = (await guest.text()).replaceAll('&amp;', '&');
    expect(html).toContain('/platform/sign-in?return=%2Fplatform%2Fdocumentation%2FClub%3Fformat%3Dhtml');
    const reader = await signedIn(platform, 'vera');
    expect((await reader.get(`${platform.origin}${DOCUMENTATION}/Club`)).status).toBe(200);
  });

  it('signs out with a form of this site, and not with one of another', async () => {
    const platform = await start();
    const reader = await signedIn(platform, 'vera');
    const account = await reader.get(`${platform.origin}/platform/sign-in/account`);
    expect(await account.text()).toContain('vera');
    // The cookie is not sent with forms of other sites.
    const foreign = await fetch(`${platform.origin}/platform/sign-in/sign-out`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect(foreign.headers.getSetCookie()).toEqual([]);
    const signedOut = await reader.follow(
      await reader.post(`${platform.origin}/platform/sign-in/sign-out`, {}),
    );
    expect(await signedOut.text()).toContain('Sign out of Example login');
    expect((await reader.get(`${platform.origin}${DOCUMENTATION}/Vault`)).status).toBe(404);
  });

  it.each([
    // Not the last character, some of whose bits encode nothing.
    ['changed', (cookie: string) => cookie.replace(/(?<==.{40})./, (one) => (one === 'A' ? 'B' : 'A'))],
    ['of the sign-in', (cookie: string) => cookie.replace('platform_reader=', 'platform_sign_in=')],
    ['empty', () => 'platform_reader='],
    ['too long', () => `platform_reader=${'x'.repeat(4_000)}`],
  ])('is a guest with a cookie that is %s', async (_, change) => {
    const platform = await start();
    const browser = await signedIn(platform, 'vera');
    const cookie = browser.cookiesFor(new URL(`${platform.origin}${DOCUMENTATION}`));
    const response = await platform.request(`${DOCUMENTATION}/Vault`, {
      headers: { Cookie: change(cookie) },
    });
    expect(response.status).toBe(404);
  });

  it('is not known if the documentation has no sign-in', async () => {
    const platform = await start({}, { documentation: false, admin: { roles: { staff: 'viewer' } } });
    expect((await platform.request('/platform/sign-in/session')).status).toBe(404);
    const html = await (await platform.request(DOCUMENTATION, { headers: HTML })).text();
    expect(html).not.toContain('/platform/sign-in');
    expect((await platform.request('/platform/sign-in')).status).toBe(403);
  });
});

describe('A public client', () => {
  it('signs in with PKCE alone', async () => {
    provider = await OpenidTestProvider.create();
    const settings = provider.settings() as { 'platform-openid': Record<string, string | undefined> };
    delete settings['platform-openid'].client_secret;
    const platform = await startTestPlatform({
      modules: [...ALL_MODULES, 'openid'],
      extra: [club],
      local: settings as ConfigObject,
    });
    platforms.push(platform);
    await provider.start({ origins: [platform.origin], isPublic: true });
    const reader = await signedIn(platform, 'ada');
    expect((await reader.get(`${platform.origin}${DOCUMENTATION}/Vault`)).status).toBe(200);
  });
});
