import { readFileSync } from 'node:fs';
import {
  ADMIN,
  PASSWORD,
  startAdminPlatform,
  type AdminClient,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { sendRaw } from '../../../factories/http/raw-http';

let platform: AdminPlatform;
let ada: AdminClient;
let before: string;
beforeAll(async () => {
  platform = await startAdminPlatform();
  ({ ada } = platform);
  before = readFileSync(platform.file, 'utf8');
});
afterAll(() => platform.stop());

/** Adding an administrator represents every effect of a form. */
const add = { name: 'eve', password: PASSWORD, again: PASSWORD };
const expectNoEffect = (): void => expect(readFileSync(platform.file, 'utf8')).toBe(before);

describe('A form from another site', () => {
  it.each([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['another site, as an old browser says', { Origin: 'https://evil.example', 'Sec-Fetch-Site': '' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['another port of this host', { Origin: 'http://127.0.0.1:1' }],
    ['a site of the same registrable domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
  ])('has no effect: %s', async (_, headers) => {
    const refused = await ada.post('/administrators', add, headers);
    expect(refused.status).toBe(403);
    expectNoEffect();
  });

  it.each(['/sign-in', '/claim', '/sign-out', '/account'])('is also rejected at %s', async (page) => {
    const client = await platform.signIn('ada');
    const refused = await client.post(
      page,
      { name: 'ada', password: PASSWORD },
      { Origin: 'https://evil.example' },
    );
    expect(refused.status).toBe(403);
    expect(refused.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    ['none', { csrf: '' }],
    ['a made-up one', { csrf: 'A'.repeat(43) }],
  ])('has no effect with a token that is %s', async (_, fields) => {
    expect((await ada.post('/administrators', { ...add, ...fields })).status).toBe(403);
    expectNoEffect();
  });

  it('has no effect with the token of another session', async () => {
    const other = await platform.signIn('ada');
    const refused = await ada.post('/administrators', { ...add, csrf: await other.csrf() });
    expect(refused.status).toBe(403);
    expectNoEffect();
  });

  it('has no effect when it is submitted again after signing out', async () => {
    const client = await platform.signIn('ada');
    const { cookie } = client;
    const csrf = await client.csrf();
    await client.post('/sign-out', {});
    client.cookie = cookie;
    const replayed = await client.post('/administrators', { ...add, csrf });
    expect(replayed.status).toBe(303);
    expect(replayed.headers.get('location')).toBe(`${ADMIN}/sign-in?unsaved=yes`);
    expectNoEffect();
  });

  it('has no effect as a query or with another method', async () => {
    const query = new URLSearchParams({ ...add, csrf: await ada.csrf() });
    expect((await ada.get(`/administrators?${query.toString()}`)).status).toBe(200);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(
        (await platform.request(`${ADMIN}/administrators`, { method, headers: { Cookie: ada.cookie ?? '' } }))
          .status,
      ).toBe(405);
    expectNoEffect();
  });
});

describe('A form of another media type', () => {
  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'is rejected: %j',
    async (type) => {
      const refused = await ada.post('/administrators', add, { 'Content-Type': type });
      expect(refused.status).toBe(415);
      expectNoEffect();
    },
  );

  it('is rejected if it is too large', async () => {
    const refused = await ada.post('/administrators', { ...add, more: 'x'.repeat(70_000) });
    expect(refused.status).toBe(413);
    expectNoEffect();
  });

  it('is rejected if it is not valid UTF-8', async () => {
    for (const body of [Buffer.from('name=\xff', 'latin1'), 'name=%ff']) {
      const refused = await platform.request(`${ADMIN}/administrators`, {
        method: 'POST',
        body,
        headers: { Cookie: ada.cookie ?? '', 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(refused.status).toBe(400);
    }
  });

  it('is rejected with two Content-Type lines', async () => {
    const body = new URLSearchParams({ ...add, csrf: await ada.csrf() }).toString();
    const head = [
      `POST ${ADMIN}/administrators HTTP/1.1`,
      `Host: ${new URL(platform.origin).host}`,
      `Origin: ${platform.origin}`,
      `Cookie: ${ada.cookie}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Type: text/plain',
      `Content-Length: ${body.length}`,
    ];
    const answer = await sendRaw(platform.origin, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('The request has more than one Content-Type field line');
    expectNoEffect();
  });

  it('is rejected without a session before its body is read', async () => {
    const { host } = new URL(platform.origin);
    const head = [
      `POST ${ADMIN}/administrators HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/x-www-form-urlencoded',
    ];
    const answer = await sendRaw(
      platform.origin,
      [...head, 'Content-Length: 60000', '', 'name=eve'].join('\r\n'),
    );
    expect(answer.status).toBe(303);
    expectNoEffect();
  });
});

describe('Every response of the admin', () => {
  it.each(['', '/sign-in', '/account', '/administrators', '/administrators/nobody/remove', '/claim'])(
    'forbids framing, caching and inline scripts: %j',
    async (page) => {
      for (const client of [ada, platform.stranger()]) {
        const { headers } = await client.get(page);
        expect(headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        );
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('referrer-policy')).toBe('same-origin');
      }
    },
  );

  it('ignores X-Forwarded-Host in redirects', async () => {
    const forged = await sendRaw(
      platform.origin,
      `GET ${ADMIN}/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-Host: evil.example\r\n\r\n`,
    );
    expect(forged.status).toBe(303);
    expect(forged.text).not.toContain('evil.example');
    expect(forged.text).toContain(`Location: ${ADMIN}/sign-in`);
  });

  it('rejects a form with a forged Host', async () => {
    const { host } = new URL(platform.origin);
    const body = new URLSearchParams({ ...add, csrf: await ada.csrf() }).toString();
    const answer = await sendRaw(
      platform.origin,
      [
        `POST ${ADMIN}/administrators HTTP/1.1`,
        'Host: evil.example',
        `Origin: http://${host}`,
        `Cookie: ${ada.cookie ?? ''}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(answer.status).toBe(421);
    expectNoEffect();
  });

  it('supports the methods of its page', async () => {
    const head = await platform.request(`${ADMIN}/account`, {
      method: 'HEAD',
      headers: { Cookie: ada.cookie ?? '' },
    });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const wrong = await platform.request(`${ADMIN}/account`, { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
    const missing = await ada.get('/nowhere', { Accept: 'text/html' });
    // Without a badge: the role of the administrator is not known there.
    const who = expect.stringContaining('<span class="who">ada</span>') as string;
    expect([missing.status, await missing.text()]).toEqual([404, who]);
  });
});

describe('User input', () => {
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>'{{ 7919*7927 }}`;

  it.each([
    ['/sign-in', ['name', 'return']],
    ['/administrators', ['name']],
    ['/account', ['old']],
  ])('at %s is displayed as text, never as markup', async (page, fields) => {
    for (const field of fields) {
      const client = page === '/sign-in' ? platform.stranger() : ada;
      const shown = await (await client.post(page, { [field]: HOSTILE, password: 'x' })).text();
      expect(shown).not.toContain('<script>alert');
      expect(shown).not.toContain('<img src=x');
      expect(shown).not.toContain('62773913');
      const inAddress = await (
        await client.get(`${page}?return=${encodeURIComponent(HOSTILE)}&name=${encodeURIComponent(HOSTILE)}`)
      ).text();
      expect(inAddress).not.toContain('<script>alert');
    }
  });

  it('in the name of an administrator is displayed as text everywhere', async () => {
    const name = '<script>alert(1)</script>';
    const shown = await ada.post('/administrators', { name, password: PASSWORD, again: PASSWORD });
    expect(await shown.text()).not.toContain('<script>alert');
    await ada.save('/administrators', { name, password: PASSWORD, again: PASSWORD });
    const list = await (await ada.get('/administrators')).text();
    expect(list).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(list).not.toContain('<script>alert');
    const address = /href="([^"]*)\/remove">Remove<span class="hidden"> &lt;script/.exec(list)?.[1];
    expect(address).toBe(`${ADMIN}/administrators/${encodeURIComponent(name).replace(/[()']/g, (c) => c)}`);
    const client = await platform.signIn(name);
    for (const page of ['/account', '/administrators', `/administrators/${encodeURIComponent(name)}/remove`])
      expect(await (await client.get(page)).text()).not.toContain('<script>alert');
    await ada.save(`/administrators/${encodeURIComponent(name)}/remove`, {});
    expectNoEffect();
  });
});
