import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordSession } from '../../../../src/modules/admin/accounts/sign-in-pages';
import { AuditFile } from '../../../../src/modules/admin/audit/audit-file';
import { AuditLog, repairLine } from '../../../../src/modules/admin/audit/audit-log';
import type { PageDependencies } from '../../../../src/modules/admin/pages/page-dependencies';
import type { PageRoutes } from '../../../../src/modules/admin/pages/page-routes';
import { Sessions } from '../../../../src/modules/admin/sessions/sessions';
import { testEvent } from '../../../../src/testing';
import { hashWithBcrypt } from '../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import {
  ADMIN,
  AdminClient,
  claimTokenOf,
  PASSWORD,
  startAdminPlatform,
  startUnclaimed,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform();
});
afterAll(() => platform.stop());

describe('Signing in', () => {
  it('is required and returns to the requested page', async () => {
    const client = platform.stranger();
    const redirect = await client.get('/administrators/ada/password?x=%26');
    expect(redirect.status).toBe(303);
    const { pathname, searchParams } = new URL(redirect.headers.get('location') ?? '', platform.origin);
    expect(pathname).toBe(`${ADMIN}/sign-in`);
    const back = searchParams.get('return') ?? '';
    const page = await (await client.get(`/sign-in?return=${encodeURIComponent(back)}`)).text();
    expect(page).toContain('name="return" value="/administrators/ada/password?x=%26"');
    const signedIn = await client.post('/sign-in', { name: 'ada', password: PASSWORD, return: back });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get('location')).toBe(`${ADMIN}/administrators/ada/password?x=%26`);
  });

  it.each(['https://evil.example', '//evil.example', '/../../evil', '/\r\nSet-Cookie: a=b'])(
    'does not redirect to %j',
    async (back) => {
      const client = platform.stranger();
      const signedIn = await client.post('/sign-in', { name: 'ada', password: PASSWORD, return: back });
      const to = new URL(signedIn.headers.get('location') ?? '', platform.origin);
      expect(to.origin).toBe(platform.origin);
      expect(to.pathname.startsWith(ADMIN)).toBe(true);
      expect(signedIn.headers.getSetCookie()).toHaveLength(1);
    },
  );

  it.each([
    ['ada', 'wrong'],
    ['nobody', PASSWORD],
    ['', ''],
    ['ada', ''],
    ['ada', 'x'.repeat(5000)],
  ])('fails with the same page: %j', async (name, password) => {
    const client = platform.stranger();
    const refused = await client.post('/sign-in', { name, password });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(await refused.text()).toContain('Wrong name or password.');
  });

  it('starts a new session and ends the previous one', async () => {
    const client = await platform.signIn('ada');
    const before = client.cookie;
    await client.post('/sign-in', { name: 'ada', password: PASSWORD });
    expect(client.cookie).not.toBe(before);
    const thief = platform.stranger();
    thief.cookie = before;
    expect((await thief.get('/account')).status).toBe(303);
    expect((await client.get('/account')).status).toBe(200);
  });

  it.each([40, 150, 300])(
    'starts no session with a password that is replaced while it is verified: after %i ms',
    async (delay) => {
      // Cost 13: the verification takes about 400 ms.
      const files = { 'data/administrators.htpasswd': `ada:${await hashWithBcrypt(PASSWORD, 13)}\n` };
      const slow = await startAdminPlatform({ files });
      try {
        const replacement = `ada:${await hashWithBcrypt('battery staple', 4)}\n`;
        // Otherwise the password is remembered since the factory signed in.
        writeFileSync(slow.file, `${files['data/administrators.htpasswd']}# changed\n`);
        const client = slow.stranger();
        const answer = client.post('/sign-in', { name: 'ada', password: PASSWORD });
        await sleep(delay);
        writeFileSync(slow.file, replacement);
        expect((await answer).status).toBe(403);
        expect(client.cookie).toBeUndefined();
        expect((await slow.signIn('ada', 'battery staple')).cookie).toBeDefined();
      } finally {
        await slow.stop();
      }
    },
  );

  it.each([
    ['the same', 'success'],
    ['another', 'failure'],
  ])('is recorded by whether a session starts: with %s password, %s', async (credentials, outcome) => {
    const file = path.join(platform.root, `data/${outcome}.log`);
    const log = { error: jest.fn(), warn: jest.fn(), info: jest.fn() };
    const dependencies = {
      sessions: new Sessions(),
      administrators: { credentialsOf: () => Promise.resolve('the same') },
      audit: new AuditLog(new AuditFile(file, repairLine), log, { required: false }),
      paths: { url: (below: string) => below, safe: () => '/' },
      settings: { session: { idle: 60, absolute: 60 } },
    } as unknown as PageDependencies;
    const routes = { sessionOf: () => undefined, cookieScope: () => ({ path: '/', secure: false }) };
    const actor = { name: 'ada', via: 'page' } as const;
    const user = { actor, name: 'ada', credentials };
    await recordSession(dependencies, routes as unknown as PageRoutes, testEvent(), user);
    await dependencies.audit.close();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ action: 'sign_in', outcome });
  });

  it('does not accept a session id chosen by an attacker', async () => {
    const client = platform.stranger();
    client.cookie = 'platform_admin=chosen-by-an-attacker';
    await client.post('/sign-in', { name: 'ada', password: PASSWORD, csrf: '' });
    expect(client.cookie).toMatch(/^platform_admin=[\w-]{43}$/);
    const attacker = platform.stranger();
    attacker.cookie = 'platform_admin=chosen-by-an-attacker';
    expect((await attacker.get('/account')).status).toBe(303);
  });

  it('skips the sign-in page for signed-in administrators', async () => {
    expect((await platform.ada.get('/sign-in?return=/account')).headers.get('location')).toBe(
      `${ADMIN}/account`,
    );
  });

  it('throttles guesses with a page that shows when to try again', async () => {
    const busy = await startAdminPlatform();
    const client = busy.stranger();
    for (let guess = 0; guess < 10; guess++)
      expect((await client.post('/sign-in', { name: 'ada', password: `guess ${guess}` })).status).toBe(403);
    const refused = await client.post('/sign-in', { name: 'ada', password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many failed sign-ins');
    expect(client.cookie).toBeUndefined();
    expect((await busy.ada.get('/account')).status).toBe(200);
    await busy.stop();
  });

  it('sets a Secure cookie if configured, and then rejects forms without TLS', async () => {
    const secure = await startUnclaimed({ local: { 'platform-admin': { secure_cookies: true } } });
    try {
      const client = new AdminClient(secure.origin);
      const claim = { token: claimTokenOf(secure) ?? '', name: 'ada', password: PASSWORD, again: PASSWORD };
      expect((await client.post('/claim', claim)).status).toBe(403);
      const claimed = await client.post('/claim', claim, {
        Origin: secure.origin.replace('http:', 'https:'),
      });
      expect(claimed.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    } finally {
      await secure.stop();
    }
  });
});

describe('Signing out', () => {
  it('ends the session and removes the cookie', async () => {
    const client = await platform.signIn('ada');
    const stolen = client.cookie;
    const out = await client.post('/sign-out', {});
    expect(out.status).toBe(303);
    expect(out.headers.get('location')).toBe(`${ADMIN}/sign-in`);
    expect(client.cookie).toBeUndefined();
    client.cookie = stolen;
    expect((await client.get('/account')).status).toBe(303);
  });

  it('is not a link, which any site could embed as an image', async () => {
    const answer = await platform.ada.get('/sign-out');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect((await platform.ada.get('/account')).status).toBe(200);
  });
});

describe('A session', () => {
  it('outlives a change of configuration', async () => {
    await platform.host.reload();
    expect((await platform.ada.get('/account')).status).toBe(200);
  });

  it('is useless without the admin module', async () => {
    const off = await startUnclaimed({ local: { 'platform-admin': { enabled: false } } });
    try {
      const client = new AdminClient(off.origin);
      for (const page of ['', '/sign-in', '/claim', '/account'])
        expect([page, (await client.get(page)).status]).toEqual([page, 404]);
      expect(off.application.notices).toEqual([]);
    } finally {
      await off.stop();
    }
  });
});
