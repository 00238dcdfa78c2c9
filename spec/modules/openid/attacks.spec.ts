import { CookieBrowser, locationOf } from '../../factories/browser/cookie-browser';
import { freePort } from '../../factories/http/free-port';
import { HostileProvider, json, unsigned, type Misbehaviour } from '../../factories/sign-in/hostile-provider';
import { startTestPlatform } from '../../factories/platform';
import { setTestTimeout } from '../../factories/test-timeout';
import { sendRaw } from '../../factories/http/raw-http';
import { reusedPlatform } from '../../factories/reused-platform';
import { HOSTING } from '../../factories/processes/start-refusal';
import { signed, signingKey, tokenOf } from '../../factories/sign-in/tokens';

setTestTimeout(60);

const DOCUMENTATION = '/platform/documentation';

let provider: HostileProvider;
beforeAll(async () => (provider = await HostileProvider.start()));
afterAll(() => provider.stop());
beforeEach(() => (provider.misbehaviour = {}));

const { platform, restart } = reusedPlatform((settings: object = {}) =>
  startTestPlatform({
    modules: [...HOSTING, 'documentation', 'openid'],
    local: {
      'platform-openid': {
        issuer: provider.issuer,
        client_id: 'platform',
        documentation: true,
        ...settings,
      },
    },
  }),
);

/** Starts a sign-in. @returns the parameters that the provider received */
async function begin(browser: CookieBrowser, target = DOCUMENTATION): Promise<URLSearchParams> {
  const url = `${platform.origin}/platform/sign-in?return=${encodeURIComponent(target)}`;
  const { searchParams } = locationOf(await browser.get(url)) ?? new URL('about:blank');
  provider.nonce = searchParams.get('nonce') ?? '';
  return searchParams;
}

function callback(parameters: Record<string, string>): string {
  return `${platform.origin}/platform/sign-in/callback?${new URLSearchParams(parameters).toString()}`;
}

async function sessionOf(browser: CookieBrowser): Promise<unknown> {
  return await (await browser.get(`${platform.origin}/platform/sign-in/session`)).json();
}

/** Completes a sign-in of a new browser with the usual callback. */
async function signIn(
  changes: Record<string, string> = {},
): Promise<{ readonly response: Response; readonly browser: CookieBrowser }> {
  const browser = new CookieBrowser();
  const state = (await begin(browser)).get('state') ?? '';
  const parameters = { code: 'c', state, iss: provider.issuer, ...changes };
  return { browser, response: await browser.get(callback(parameters)) };
}

const warnings = (): readonly string[] =>
  platform.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);

describe('A sign-in', () => {
  it('succeeds with a provider that follows the rules', async () => {
    const { browser, response } = await signIn();
    expect(response.status).toBe(200);
    expect(await sessionOf(browser)).toEqual({ name: 'eve' });
  });

  it('sends PKCE with S256, and keeps its secrets from scripts and other sites', async () => {
    const browser = new CookieBrowser();
    const response = await browser.get(`${platform.origin}/platform/sign-in`);
    const { searchParams } = locationOf(response) ?? new URL('about:blank');
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('code_challenge')).toHaveLength(43);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^platform_sign_in=[\w-]+; Path=\/platform\/sign-in; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(cookie).not.toContain(searchParams.get('state'));
  });

  it.each([
    ['a forged state', { state: 'forged' }, 400],
    ['no state', { state: '' }, 400],
    ['the issuer of another provider', { iss: 'https://evil.example' }, 502],
  ])('is refused with %s', async (_, changes, status) => {
    const { browser, response } = await signIn(changes);
    expect(response.status).toBe(status);
    expect(await sessionOf(browser)).toEqual({ name: null });
  });

  it('is not ended by a callback that belongs to another one', async () => {
    const browser = new CookieBrowser();
    const state = (await begin(browser)).get('state') ?? '';
    const of = (own: string) => callback({ code: 'c', state: own, iss: provider.issuer });
    expect((await browser.get(of('forged'))).status).toBe(400);
    expect((await browser.get(of(state))).status).toBe(200);
    expect(await sessionOf(browser)).toEqual({ name: 'eve' });
  });

  it('is refused without the issuer that the provider promises', async () => {
    const browser = new CookieBrowser();
    const state = (await begin(browser)).get('state') ?? '';
    expect((await browser.get(callback({ code: 'c', state }))).status).toBe(502);
  });

  it('is refused when a callback is replayed, with and without the cookie', async () => {
    const browser = new CookieBrowser();
    const state = (await begin(browser)).get('state') ?? '';
    const cookie = browser.cookiesFor(new URL(`${platform.origin}/platform/sign-in`));
    const url = callback({ code: 'c', state, iss: provider.issuer });
    expect((await browser.get(url)).status).toBe(200);
    expect((await browser.get(url)).status).toBe(400);
    const stolen = await fetch(url, { headers: { Cookie: cookie } });
    expect(stolen.status).toBe(400);
    expect(await stolen.text()).toContain('already completed');
    expect(stolen.headers.getSetCookie().join()).not.toContain('platform_reader');
  });

  it('is refused with the callback of another browser', async () => {
    const attacker = new CookieBrowser();
    const state = (await begin(attacker)).get('state') ?? '';
    const url = callback({ code: 'c', state, iss: provider.issuer });
    const victim = new CookieBrowser();
    expect((await victim.get(url)).status).toBe(400);
    await begin(victim);
    expect((await victim.get(url)).status).toBe(400);
    expect(await sessionOf(victim)).toEqual({ name: null });
  });

  it('is refused with several cookies, of which another host may have set one', async () => {
    const [mine, theirs] = [new CookieBrowser(), new CookieBrowser()];
    await begin(theirs);
    const state = (await begin(mine)).get('state') ?? '';
    const at = new URL(`${platform.origin}/platform/sign-in`);
    const url = callback({ code: 'c', state, iss: provider.issuer });
    for (const cookies of [
      `${mine.cookiesFor(at)}; ${theirs.cookiesFor(at)}`,
      `${theirs.cookiesFor(at)}; ${mine.cookiesFor(at)}`,
      Array.from({ length: 200 }, () => 'platform_sign_in=x').join('; '),
    ]) {
      const { status, headers } = await fetch(url, { headers: { Cookie: cookies } });
      // Without the cookie of this host, the other one would count.
      expect([status, headers.getSetCookie()]).toEqual([400, []]);
    }
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/platform/documentation',
    '/platform/..//evil.example',
    '/platform/documentation/../../..//evil.example',
    'javascript:alert(1)',
    '/platform/sign-in?return=/platform/sign-in',
    '/\t/evil.example',
    `/platform/documentation?${'x'.repeat(1_000)}`,
  ])('returns to the documentation instead of %s', async (target) => {
    const browser = new CookieBrowser();
    const state = (await begin(browser, target)).get('state') ?? '';
    const response = await browser.get(callback({ code: 'c', state, iss: provider.issuer }));
    expect(/url=([^"]*)"/.exec(await response.text())?.[1]).toMatch(/^\/platform(\/documentation)?$/);
  });
});

describe('An ID token is refused', () => {
  const other = signingKey('RS256', 'own');
  it.each<[string, Misbehaviour]>([
    ['for another audience', { claims: { aud: 'another' } }],
    ['for several audiences, issued to another party', { claims: { aud: ['platform', 'x'], azp: 'x' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { exp: 1 } }],
    ['whose expiry is not a date', { claims: { exp: 1e308 } }],
    ['whose name has an invisible character', { claims: { preferred_username: 'a\u202eb' } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['without a signature', { idToken: unsigned }],
    ['signed with another key', { idToken: (claims) => tokenOf(claims, other) }],
    ['signed with the public key', { idToken: (claims) => signed({ alg: 'HS256' }, claims, 'public') }],
    ['whose name has control characters', { claims: { preferred_username: 'a\r\nb' } }],
    ['without the name', { claims: { preferred_username: undefined } }],
  ])('%s', async (_, misbehaviour) => {
    provider.misbehaviour = misbehaviour;
    const { browser, response } = await signIn();
    expect(response.status).toBe(502);
    expect(await sessionOf(browser)).toEqual({ name: null });
  });
});

describe('A provider', () => {
  it('that is down costs 503 with a page, and nothing else', async () => {
    await restart({ issuer: `http://127.0.0.1:${await freePort()}` });
    const response = await platform.request('/platform/sign-in');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await response.text()).toContain('cannot be reached');
    expect((await platform.request(DOCUMENTATION)).status).toBe(200);
  });

  it('that does not respond is given up, while other requests continue', async () => {
    provider.misbehaviour = { metadata: () => undefined };
    await restart({});
    const slow = platform.request('/platform/sign-in');
    let isDone = false;
    void slow.then(() => (isDone = true));
    expect((await platform.request(DOCUMENTATION)).status).toBe(200);
    expect(isDone).toBe(false);
    expect((await slow).status).toBe(503);
  });

  it.each<[string, Misbehaviour]>([
    ['responds with garbage', { metadata: (response) => response.end('<html>') }],
    ['responds with an error', { metadata: (response) => void response.writeHead(500).end() }],
    [
      'redirects',
      { metadata: (response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end() },
    ],
    [
      'responds with 10 MB',
      { metadata: (response, usual) => json(response, { ...usual, x: 'x'.repeat(10_000_000) }) },
    ],
    [
      'names another issuer',
      { metadata: (response, usual) => json(response, { ...usual, issuer: 'https://evil.example' }) },
    ],
    [
      'names an endpoint without TLS',
      {
        metadata: (response, usual) =>
          json(response, { ...usual, authorization_endpoint: 'http://evil.example/' }),
      },
    ],
    [
      'names an endpoint that is a script',
      {
        metadata: (response, usual) =>
          json(response, { ...usual, authorization_endpoint: 'javascript:alert(1)' }),
      },
    ],
  ])('that %s costs 502', async (_, misbehaviour) => {
    provider.misbehaviour = misbehaviour;
    await restart({});
    const response = await platform.request('/platform/sign-in');
    expect(response.status).toBe(502);
    expect(response.headers.get('location')).toBeNull();
  });

  it.each<[string, Misbehaviour, number]>([
    ['garbage', { token: (response) => void response.end('x') }, 502],
    ['10 MB', { token: (response) => json(response, { access_token: 'x'.repeat(10_000_000) }) }, 502],
    [
      'no ID token',
      { token: (response) => json(response, { access_token: 'x', token_type: 'bearer' }) },
      502,
    ],
    [
      'a used code',
      {
        token: (response) =>
          void response
            .writeHead(400, { 'Content-Type': 'application/json' })
            .end('{"error":"invalid_grant"}'),
      },
      400,
    ],
    [
      'a wrong client',
      {
        token: (response) =>
          void response
            .writeHead(401, { 'Content-Type': 'application/json' })
            .end('{"error":"invalid_client"}'),
      },
      502,
    ],
    ['an interrupted connection', { token: (response) => void response.destroy() }, 503],
  ])('whose token endpoint responds with %s refuses the sign-in', async (_, misbehaviour, status) => {
    provider.misbehaviour = misbehaviour;
    const { browser, response } = await signIn();
    expect(response.status).toBe(status);
    expect(await sessionOf(browser)).toEqual({ name: null });
    expect(JSON.stringify(platform.log.lines)).not.toMatch(/code=|code_verifier/);
  });
});

describe('Errors of the provider', () => {
  it.each([
    ['access_denied', 403],
    ['temporarily_unavailable', 503],
    ['invalid_scope', 502],
  ])('are shown as text: %s', async (error, status) => {
    const browser = new CookieBrowser();
    const state = (await begin(browser)).get('state') ?? '';
    const parameters = { error, error_description: '<script>alert(1)</script>', state, iss: provider.issuer };
    const response = await browser.get(callback(parameters));
    expect(response.status).toBe(status);
    const html = await response.text();
    expect(html).toContain(`<code>${error}</code>`);
    expect(html).not.toContain('alert(1)');
  });

  it('are logged once each, and no more than 20, as clients can write them', async () => {
    await restart({});
    const fail = async (error: string): Promise<void> => {
      const browser = new CookieBrowser();
      const state = (await begin(browser)).get('state') ?? '';
      await browser.get(callback({ error, state, iss: provider.issuer }));
    };
    for (let i = 0; i < 3; i++) await fail('server_error');
    expect(warnings()).toEqual(['Sign-in failed: server_error']);
    for (let i = 0; i < 30; i++) await fail(`error_${i}`);
    expect(warnings()).toHaveLength(20);
    // They hide no errors that clients cannot write.
    provider.misbehaviour = {
      token: (response) => {
        response.statusCode = 401;
        json(response, { error: 'invalid_client' });
      },
    };
    await signIn();
    expect(warnings().slice(20)).toEqual(['Sign-in failed: invalid_client']);
  });

  it('are not believed without the state', async () => {
    const url = callback({ error: '<b>your password was stolen</b>' });
    const response = await fetch(url);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('stolen');
  });
});

it('An outage of the provider is logged once, and so is its end', async () => {
  await restart({});
  provider.misbehaviour = { metadata: (response) => void response.writeHead(503).end() };
  const start = async (): Promise<number> => (await platform.request('/platform/sign-in')).status;
  for (let i = 0; i < 5; i++) expect(await start()).toBeGreaterThanOrEqual(500);
  expect(warnings()).toEqual([
    expect.stringMatching(/^Nobody can sign in with the OpenID provider until it is available: /),
  ]);
  provider.misbehaviour = {};
  // A failure is remembered for 3 seconds.
  for (let tries = 0; (await start()) >= 500; tries++) {
    if (tries === 200) throw new Error('The provider is not asked again.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await start()).toBe(303);
  expect(warnings().slice(1)).toEqual(['The OpenID provider is available again.']);
});

it('A sign-in at a host that is longer than any name is a 400', async () => {
  const host = 'a'.repeat(3_000);
  const { status, body } = await sendRaw(
    platform.origin,
    `GET /platform/sign-in HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  expect([status, body]).toEqual([400, expect.stringContaining('Host field')]);
  expect(platform.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
