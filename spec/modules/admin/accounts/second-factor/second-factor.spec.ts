import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from '../../../../factories/platform';
import {
  ADMIN,
  PASSWORD,
  startAdminPlatform,
  type AdminClient,
  type AdminPlatform,
} from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { oneTimePassword } from '../../../../factories/sign-in/one-time-password';
import { plantLock } from '../../../../factories/processes/planted-lock';
import { basic, bodyOf } from '../../../../factories/http/requests';
import { setTestTimeout } from '../../../../factories/test-timeout';
import { until } from '../../../../factories/until';

setTestTimeout(60);

const SETUP = '/account/second-factor';

let platform: AdminPlatform;
afterEach(() => platform.stop());

const start = async (project: TestProject = {}): Promise<void> => {
  platform = await startAdminPlatform(project);
};
const accounts = (): string => path.join(platform.root, 'data/administrators.json');
const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** A password of the next step: that of this one may have been used. */
const nextPassword = (secret: string): string => oneTimePassword(secret, Date.now() + 30_000);

/** Sets up a second factor for a signed-in administrator. */
async function setUp(client: AdminClient): Promise<{ secret: string; codes: readonly string[] }> {
  const secret = hidden(await (await client.get(SETUP)).text(), 'secret');
  const code = oneTimePassword(secret, Date.now());
  const shown = await client.post(SETUP, { secret, code, password: PASSWORD });
  const html = await shown.text();
  expect(shown.status).toBe(200);
  return { secret, codes: [...html.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, one]) => one ?? '') };
}

/** Sends name and password. @returns the client, and the sealed first step */
async function firstStep(): Promise<{ client: AdminClient; pending: string }> {
  const client = platform.stranger();
  const answer = await client.post('/sign-in', { name: 'ada', password: PASSWORD });
  const html = await answer.text();
  expect(html).toContain('Enter the code that your authenticator app shows');
  expect(client.cookie).toBeUndefined();
  return { client, pending: hidden(html, 'pending') };
}

describe('A second factor', () => {
  it('is set up on the account page, and then requested after the password', async () => {
    await start();
    const { secret, codes } = await setUp(platform.ada);
    expect(codes).toHaveLength(10);
    const stored = readFileSync(accounts(), 'utf8');
    for (const code of codes) expect(stored).not.toContain(code);
    const { client, pending } = await firstStep();
    const signedIn = await client.post('/sign-in/code', {
      pending,
      code: nextPassword(secret),
      return: '/audit',
    });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get('location')).toBe(`${ADMIN}/audit`);
    expect((await client.get('/account')).status).toBe(200);
    const audit = readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8');
    expect(audit).toContain('"action":"second_factor_add","outcome":"success","administrator":"ada"');
  });

  it('accepts a one-time password once', async () => {
    await start();
    const { secret } = await setUp(platform.ada);
    const code = nextPassword(secret);
    const [first, second] = [await firstStep(), await firstStep()];
    expect((await first.client.post('/sign-in/code', { pending: first.pending, code })).status).toBe(303);
    const again = await second.client.post('/sign-in/code', { pending: second.pending, code });
    expect(again.status).toBe(403);
    expect(second.client.cookie).toBeUndefined();
    const audit = readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8');
    expect(audit).toMatch(
      /"action":"sign_in","outcome":"failure","administrator":"ada".*"code":"second_factor"/,
    );
  });

  it('does not accept a one-time password again after a restart', async () => {
    await start();
    const { secret } = await setUp(platform.ada);
    const code = nextPassword(secret);
    const { client, pending } = await firstStep();
    expect((await client.post('/sign-in/code', { pending, code })).status).toBe(303);
    const data = path.join(platform.root, 'data');
    const names = readdirSync(data, { withFileTypes: true }).filter((one) => one.isFile());
    const files = names.map(
      ({ name }) => [`data/${name}`, readFileSync(path.join(data, name), 'utf8')] as const,
    );
    expect(
      files
        .map(([, content]) => content)
        .join('')
        .split(secret),
    ).toHaveLength(2);
    await platform.stop();
    await start({ files: Object.fromEntries(files) });
    const again = await firstStep();
    expect((await again.client.post('/sign-in/code', { pending: again.pending, code })).status).toBe(403);
    expect(again.client.cookie).toBeUndefined();
  });

  it('accepts a one-time password that cannot be recorded', async () => {
    await start();
    const { secret } = await setUp(platform.ada);
    const steps = path.join(platform.root, 'data/administrators.steps.json');
    rmSync(steps);
    mkdirSync(steps);
    const { client, pending } = await firstStep();
    const sent = { pending, code: nextPassword(secret) };
    expect((await client.post('/sign-in/code', sent)).status).toBe(303);
    expect((await platform.stranger().post('/sign-in/code', sent)).status).toBe(403);
  });

  it('does not accept the one-time password again that set it up', async () => {
    await start();
    const secret = hidden(await (await platform.ada.get(SETUP)).text(), 'secret');
    const code = oneTimePassword(secret, Date.now());
    expect((await platform.ada.post(SETUP, { secret, code, password: PASSWORD })).status).toBe(200);
    const { client, pending } = await firstStep();
    expect((await client.post('/sign-in/code', { pending, code })).status).toBe(403);
    expect(client.cookie).toBeUndefined();
  });

  it('accepts each recovery code once, also when two arrive at the same moment', async () => {
    await start();
    const { codes } = await setUp(platform.ada);
    const steps = [await firstStep(), await firstStep(), await firstStep()];
    const answers = await Promise.all(
      steps.map(({ client, pending }) => client.post('/sign-in/code', { pending, code: codes[0] ?? '' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
    expect(await (await platform.ada.get(SETUP)).text()).toContain('9 recovery codes are left');
  });

  it('says why a recovery code cannot be used while the file of the codes cannot be written', async () => {
    await start();
    const { codes } = await setUp(platform.ada);
    const { client, pending } = await firstStep();
    const sent = { pending, code: codes[0] ?? '' };
    plantLock(accounts());
    const refused = await client.post('/sign-in/code', sent);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      507,
      expect.stringContaining('another process is changing it'),
    ]);
    rmSync(`${accounts()}.lock`, { recursive: true });
    expect((await client.post('/sign-in/code', sent)).status).toBe(303);
  });

  it('is not skipped: a first step cannot be forged, or outlive the password', async () => {
    await start();
    const { secret } = await setUp(platform.ada);
    const code = nextPassword(secret);
    const forged = platform.stranger();
    for (const pending of ['', 'x', Buffer.from('{"name":"ada"}').toString('base64url')]) {
      const refused = await forged.post('/sign-in/code', { pending, code });
      expect(refused.headers.get('location')).toBe(`${ADMIN}/sign-in`);
    }
    const { client, pending } = await firstStep();
    await platform.ada.save('/account', {
      old: PASSWORD,
      password: 'battery staple',
      again: 'battery staple',
    });
    expect((await client.post('/sign-in/code', { pending, code })).headers.get('location')).toBe(
      `${ADMIN}/sign-in`,
    );
    expect(client.cookie).toBeUndefined();
  });

  it('is protected from guesses, which do not lock the password out', async () => {
    await start();
    const { secret } = await setUp(platform.ada);
    const { client, pending } = await firstStep();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await client.post('/sign-in/code', { pending, code: String(100_000 + guess) })).status);
    expect(statuses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
    expect(statuses.at(-1)).toBe(429);
    expect((await client.post('/sign-in/code', { pending, code: nextPassword(secret) })).status).toBe(429);
    await firstStep();
  });

  it('is protected from guesses from many addresses', async () => {
    await start({
      local: {
        server: { trust_proxy: ['loopback'] },
        'platform-admin': { allow: ['127.0.0.0/8', '2001:db8::/32'] },
      },
    });
    const { secret, codes } = await setUp(platform.ada);
    const { client, pending } = await firstStep();
    const send = async (code: string, from: number): Promise<number> => {
      const headers = { 'X-Forwarded-For': `2001:db8:${from}::1` };
      return (await client.post('/sign-in/code', { pending, code }, headers)).status;
    };
    const statuses: number[] = [];
    for (let guess = 1; guess <= 12; guess++) statuses.push(await send(String(100_000 + guess), guess));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429]);
    expect(await send(nextPassword(secret), 13)).toBe(429);
    expect(await send('guess', 14)).toBe(403);
    expect(await send(codes[0] ?? '', 15)).toBe(303);
    await firstStep();
  });

  it('is refused after too many wrong passwords, and says until when, as a new password is', async () => {
    await start();
    const sent = { secret: 'A'.repeat(32), code: '000000' };
    for (let guess = 0; guess < 10; guess++)
      expect((await platform.ada.post(SETUP, { ...sent, password: `guess ${guess}` })).status).toBe(422);
    const news = { old: PASSWORD, password: 'battery staple', again: 'battery staple' };
    for (const [below, fields] of [
      [SETUP, { ...sent, password: PASSWORD }],
      ['/account', news],
    ] as const) {
      const refused = await platform.ada.post(below, fields);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await refused.text()).toContain('Too many failed sign-ins');
    }
  });

  it('needs the password and a code of the app', async () => {
    await start();
    const secret = hidden(await (await platform.ada.get(SETUP)).text(), 'secret');
    const code = oneTimePassword(secret, Date.now());
    const wrong = await platform.ada.post(SETUP, { secret, code, password: 'guess' });
    expect(wrong.status).toBe(422);
    const page = await wrong.text();
    expect(page).toContain('Wrong password.');
    expect(hidden(page, 'secret')).toBe(secret);
    const unread = await platform.ada.post(SETUP, { secret, code: '000000', password: PASSWORD });
    expect(await unread.text()).toContain('Wrong code.');
    expect((await platform.ada.post(SETUP, { secret: 'AAAA', code, password: PASSWORD })).status).toBe(422);
    expect(await (await platform.ada.get('/account')).text()).toContain('Set up a second factor');
  });

  it('is removed with the password, or by another administrator', async () => {
    await start();
    await setUp(platform.ada);
    const refused = await platform.ada.post(`${SETUP}/remove`, { password: 'guess' });
    const html = await refused.text();
    expect([refused.status, html]).toEqual([
      422,
      expect.stringContaining('id="removal-password-error"') as string,
    ]);
    expect(html).not.toContain('id="password-error"');
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect((await platform.ada.post(`${SETUP}/remove`, { password: PASSWORD })).status).toBe(303);
    expect(JSON.parse(readFileSync(accounts(), 'utf8'))).toEqual({ ada: { role: 'administrator' } });
    await setUp(platform.ada);
    // The form for other administrators does not replace the password.
    const own = await platform.ada.save('/administrators/ada/second-factor', {});
    expect([own.status, own.headers.get('location')]).toEqual([303, `${ADMIN}${SETUP}`]);
    expect(readFileSync(accounts(), 'utf8')).toContain('second_factor');
    await platform.ada.save('/administrators', {
      name: 'bob',
      role: 'administrator',
      password: PASSWORD,
      again: PASSWORD,
    });
    const bob = await platform.signIn('bob');
    expect((await bob.save('/administrators/ada/second-factor', {})).status).toBe(303);
    expect((await platform.signIn('ada')).cookie).toBeDefined();
  });

  it('replaces recovery codes', async () => {
    await start();
    const { codes } = await setUp(platform.ada);
    const replaced = await (
      await platform.ada.post(`${SETUP}/recovery-codes`, { password: PASSWORD })
    ).text();
    expect(replaced).not.toContain(codes[0]);
    const { client, pending } = await firstStep();
    expect((await client.post('/sign-in/code', { pending, code: codes[0] ?? '' })).status).toBe(403);
  });

  it('is not replaced by Basic credentials in the admin API', async () => {
    await start();
    await setUp(platform.ada);
    const refused = await platform.request(`${ADMIN}/api/v1/selectors`, {
      headers: { Authorization: basic('ada', PASSWORD) },
    });
    expect(refused.status).toBe(403);
    expect((await bodyOf(refused)).type).toMatch(/#second_factor_required$/);
    const wrong = await platform.request(`${ADMIN}/api/v1/selectors`, {
      headers: { Authorization: basic('ada', 'guess') },
    });
    expect(wrong.status).toBe(401);
    const audit = path.join(platform.root, 'data/audit.log');
    const failures = (): readonly string[] =>
      readFileSync(audit, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"via":"api"'));
    await until(() => failures().length >= 2);
    const entry = { action: 'sign_in', outcome: 'failure', administrator: 'ada' };
    const entries = failures().map((line) => JSON.parse(line) as object);
    expect(entries).toMatchObject([{ ...entry, code: 'second_factor_required' }, entry]);
  });
});

describe('A required second factor', () => {
  it('leaves only its own pages until it is set up', async () => {
    await start({ local: { 'platform-admin': { require_second_factor: true } } });
    for (const below of ['', '/adapters', '/audit'])
      expect((await platform.ada.get(below)).headers.get('location')).toBe(`${ADMIN}${SETUP}`);
    expect((await platform.ada.post('/selectors', { name: 'Xml' })).headers.get('location')).toBe(
      `${ADMIN}${SETUP}`,
    );
    const api = await platform.request(`${ADMIN}/api/v1/selectors`, {
      headers: { Authorization: basic('ada', PASSWORD) },
    });
    expect(api.status).toBe(403);
    await setUp(platform.ada);
    expect((await platform.ada.get('')).status).toBe(200);
  });

  it('takes effect when the file is edited by hand', async () => {
    await start();
    writeFileSync(
      accounts(),
      JSON.stringify({ ada: { role: 'administrator', second_factor: { secret: 'A'.repeat(32) } } }),
    );
    const { client, pending } = await firstStep();
    const code = nextPassword('A'.repeat(32));
    expect((await client.post('/sign-in/code', { pending, code })).status).toBe(303);
  });
});
