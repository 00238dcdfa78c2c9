import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../factories/admin/admin';
import { CookieBrowser, locationOf } from '../../factories/browser/cookie-browser';
import { completeSignIn, signInAs } from '../../factories/sign-in/openid-sign-in';
import { OpenidTestProvider } from '../../factories/sign-in/openid-provider';
import { ALL_MODULES } from '../../factories/platform';
import { setTestTimeout } from '../../factories/test-timeout';

setTestTimeout(60);

let provider: OpenidTestProvider;
let platform: AdminPlatform;

beforeAll(async () => {
  provider = await OpenidTestProvider.create();
  platform = await startAdminPlatform({
    modules: [...ALL_MODULES, 'openid', 'admin'],
    local: provider.settings({ documentation: false }),
  });
  await provider.start({ origins: [platform.origin] });
});
afterAll(async () => {
  await platform.stop();
  await provider.stop();
});

const auditLog = (): readonly Record<string, unknown>[] =>
  readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('Signing in to the admin with OpenID Connect', () => {
  it('is offered on the sign-in page, and returns to the requested page', async () => {
    const browser = new CookieBrowser();
    const page = await browser.follow(await browser.get(`${platform.origin}${ADMIN}/adapters`));
    const html = await page.text();
    expect(html).toContain('Sign in with Example login');
    const href = /href="(\/platform\/sign-in\?[^"]+)"/.exec(html)?.[1] ?? '';
    const finished = await completeSignIn(browser, platform.origin + href.replaceAll('&amp;', '&'), 'ada');
    expect(finished.status).toBe(200);
    expect(await finished.text()).toContain(`url=${ADMIN}/adapters`);
    const adapters = await browser.get(`${platform.origin}${ADMIN}/adapters`);
    expect(adapters.status).toBe(200);
    expect(await adapters.text()).toContain('openid:ada');
    expect(auditLog().at(-1)).toMatchObject({
      action: 'sign_in',
      outcome: 'success',
      administrator: 'openid:ada',
      summary: `OpenID Connect: subject "ada" of ${provider.issuer}.`,
    });
  });

  it('is refused without a role, and says how to get access', async () => {
    const browser = new CookieBrowser();
    const refused = await signInAs(browser, platform.origin, 'nobody', ADMIN);
    expect(refused.status).toBe(403);
    const html = await refused.text();
    expect(html).toContain('has no role in this admin. Ask an administrator');
    expect(html).not.toContain('visitors');
    // The provider would sign the same user in again: to use another account, they sign out there.
    expect(html).toContain(`href="${provider.issuer}/session/end?client_id=platform"`);
    expect((await browser.get(`${platform.origin}${ADMIN}`)).status).toBe(303);
    expect(auditLog().at(-1)).toMatchObject({
      action: 'sign_in',
      outcome: 'failure',
      administrator: 'openid:nobody',
      code: 'no_role',
    });
  });

  it('has an account page without a password, and refuses to change one', async () => {
    const browser = new CookieBrowser();
    await signInAs(browser, platform.origin, 'ada', ADMIN);
    const html = await (await browser.get(`${platform.origin}${ADMIN}/account`)).text();
    expect(html).toContain('<code>platform-admins</code>');
    expect(html).not.toContain('type="password"');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = { csrf, old: 'x', password: 'long enough', again: 'long enough' };
    const origin = { Origin: platform.origin, 'Sec-Fetch-Site': 'same-origin' };
    const refused = await browser.post(`${platform.origin}${ADMIN}/account`, fields, origin);
    expect(refused.status).toBe(400);
  });

  it('gives the role of the groups, and no page for a second factor', async () => {
    const browser = new CookieBrowser();
    await signInAs(browser, platform.origin, 'vera', ADMIN);
    const csrf = await csrfOf(browser);
    const origin = { Origin: platform.origin, 'Sec-Fetch-Site': 'same-origin' };
    const send = async (below: string): Promise<number> =>
      (await browser.post(`${platform.origin}${ADMIN}${below}`, { csrf, name: 'x' }, origin)).status;
    // A viewer changes nothing.
    expect(await send('/administrators')).toBe(403);
    expect(await send('/account/second-factor')).toBe(400);
    const page = await browser.get(`${platform.origin}${ADMIN}/account/second-factor`);
    expect(page.status).toBe(303);
  });

  it('ends with a link that signs out of the provider', async () => {
    const browser = new CookieBrowser();
    await signInAs(browser, platform.origin, 'ada', ADMIN);
    const csrf = await csrfOf(browser);
    const origin = { Origin: platform.origin, 'Sec-Fetch-Site': 'same-origin' };
    const signedOut = await browser.follow(
      await browser.post(`${platform.origin}${ADMIN}/sign-out`, { csrf }, origin),
    );
    const html = (await signedOut.text()).replaceAll('&amp;', '&');
    expect(html).toContain(`href="${provider.issuer}/session/end?client_id=platform"`);
    expect((await browser.get(`${platform.origin}${ADMIN}`)).status).toBe(303);
    expect(auditLog().at(-1)).toMatchObject({ action: 'sign_out', administrator: 'openid:ada' });
  });

  it('shows that the user cancelled, without the HTML of the provider', async () => {
    const browser = new CookieBrowser();
    const denied = await signInAs(browser, platform.origin, 'someone who cancels', ADMIN);
    expect(denied.status).toBe(403);
    const html = await denied.text();
    expect(html).toContain('access_denied');
    expect(html).toContain('Sign out of Example login');
    expect(html).not.toContain('<b>');
    expect(html).toContain('Sign in with a local account');
  });

  it('is refused from networks that the admin excludes', async () => {
    const browser = new CookieBrowser();
    const start = `${platform.origin}/platform/sign-in?return=${ADMIN}`;
    const refused = await browser.get(start, { 'X-Forwarded-For': '192.0.2.1' });
    // The address of the client is unknown behind a proxy that is not trusted.
    expect(refused.status).toBe(403);
    expect(refused.headers.get('location')).toBeNull();
  });

  it('is not recorded for a callback that no browser has begun, which any client can request', async () => {
    const recorded = auditLog().length;
    const refused = await fetch(`${platform.origin}/platform/sign-in/callback?code=c&state=s`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('This sign-in has expired'),
    ]);
    expect(auditLog()).toHaveLength(recorded);
  });

  it('is recorded once when it fails, however often its callback is requested', async () => {
    const browser = new CookieBrowser();
    const start = await browser.get(`${platform.origin}/platform/sign-in?return=${ADMIN}`);
    const state = locationOf(start)?.searchParams.get('state') ?? '';
    const Cookie = browser.cookiesFor(new URL(`${platform.origin}/platform/sign-in`));
    const recorded = auditLog().length;
    const callback = async (own: string): Promise<number> => {
      const url = `${platform.origin}/platform/sign-in/callback?error=access_denied&state=${own}`;
      return (await fetch(url, { headers: { Cookie } })).status;
    };
    expect([await callback('x'), await callback('x')]).toEqual([400, 400]);
    expect(auditLog()).toHaveLength(recorded);
    const statuses = [await callback(state), await callback(state), await callback('x')];
    expect(statuses[1]).toBe(statuses[0]);
    expect(auditLog()).toHaveLength(recorded + 1);
    expect(auditLog().at(-1)).toMatchObject({ action: 'sign_in', outcome: 'failure' });
  });

  it('is not recorded while the provider is unavailable, because clients can request it again and again', async () => {
    const other = await startAdminPlatform({
      modules: [...ALL_MODULES, 'openid', 'admin'],
      local: (await OpenidTestProvider.create()).settings({ documentation: false }),
    });
    const log = path.join(other.root, 'data/audit.log');
    const recorded = readFileSync(log, 'utf8');
    const response = await fetch(`${other.origin}/platform/sign-in?return=${ADMIN}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(readFileSync(log, 'utf8')).toBe(recorded);
    await other.stop();
  });

  it('survives reloads, and ends when the mapping of the role is removed', async () => {
    const browser = new CookieBrowser();
    await signInAs(browser, platform.origin, 'vera', ADMIN);
    const page = async (): Promise<number> => (await browser.get(`${platform.origin}${ADMIN}`)).status;
    await platform.host.reload();
    expect(await page()).toBe(200);
    const file = path.join(platform.root, 'config/autoload/local.json');
    const before = readFileSync(file, 'utf8');
    const local = JSON.parse(before) as { 'platform-openid': { admin: { roles: Record<string, string> } } };
    delete local['platform-openid'].admin.roles.staff;
    writeFileSync(file, JSON.stringify(local));
    await platform.host.reload();
    expect(await page()).toBe(303);
    writeFileSync(file, before);
    await platform.host.reload();
  });
});

async function csrfOf(browser: CookieBrowser): Promise<string> {
  const html = await (await browser.get(`${platform.origin}${ADMIN}/account`)).text();
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
}
