import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { ADMIN, AdminClient, claimTokenOf, PASSWORD, startUnclaimed } from '../../../factories/admin/admin';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

let platform: TestPlatform;
let token: string;
afterEach(() => platform.stop());

async function start(local = {}): Promise<AdminClient> {
  platform = await startUnclaimed({ local });
  token = claimTokenOf(platform) ?? '';
  return new AdminClient(platform.origin);
}

const chosen = { name: 'ada', password: PASSWORD, again: PASSWORD };
const namesOf = (root: string): string =>
  readFileSync(path.join(root, 'data/administrators.htpasswd'), 'utf8').replace(/:.*/g, '').trim();

describe('The one-time link for the first administrator', () => {
  it('is printed at startup with 256 random bits', async () => {
    await start();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(platform.application.notices).toEqual([
      { label: 'First administrator (one-time link)', target: `${ADMIN}/claim?token=${token}` },
    ]);
  });

  it('creates the first administrator and signs them in', async () => {
    const client = await start();
    expect((await client.get(`/claim?token=${token}`)).status).toBe(200);
    const claimed = await client.post('/claim', { ...chosen, token });
    expect(claimed.status).toBe(303);
    expect(claimed.headers.get('location')).toBe(ADMIN);
    expect(claimed.headers.get('set-cookie')).toMatch(
      /^platform_admin=[\w-]{43}; Path=\/platform\/admin; HttpOnly; SameSite=Strict$/,
    );
    expect((await client.get('/account')).status).toBe(200);
    const file = path.join(platform.root, 'data/administrators.htpasswd');
    expect(readFileSync(file, 'utf8')).toMatch(/^ada:\$2y\$12\$[./0-9A-Za-z]{53}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('works once', async () => {
    const client = await start();
    await client.post('/claim', { ...chosen, token });
    const second = new AdminClient(platform.origin);
    expect((await second.get(`/claim?token=${token}`)).status).toBe(403);
    expect((await second.post('/claim', { ...chosen, name: 'eve', token })).status).toBe(403);
    expect(namesOf(platform.root)).toBe('ada');
  });

  it('creates one administrator for two concurrent requests', async () => {
    const client = await start();
    const both = await Promise.all(
      ['ada', 'eve'].map((name) => new AdminClient(client.origin).post('/claim', { ...chosen, name, token })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([303, expect.any(Number)]);
    expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(namesOf(platform.root)).toMatch(/^(ada|eve)$/);
  });

  it('survives a reload', async () => {
    const client = await start();
    await platform.host.reload();
    expect(claimTokenOf(platform)).toBe(token);
    expect((await client.get(`/claim?token=${token}`)).status).toBe(200);
  });

  it('is not printed if an administrator exists', async () => {
    const client = await start();
    await client.post('/claim', { ...chosen, token });
    await platform.host.reload();
    expect(platform.application.notices).toEqual([{ label: 'Admin', target: ADMIN }]);
  });

  it('is invalid after an administrator was created on the command line', async () => {
    const client = await start();
    mkdirSync(path.join(platform.root, 'data'), { recursive: true });
    writeFileSync(path.join(platform.root, 'data/administrators.htpasswd'), `bob:$2y$04$${'.'.repeat(53)}\n`);
    expect((await client.get(`/claim?token=${token}`)).status).toBe(403);
    expect((await client.post('/claim', { ...chosen, token })).status).toBe(403);
    expect(namesOf(platform.root)).toBe('bob');
  });

  it('is printed if the file contains only comments', async () => {
    platform = await startUnclaimed({ files: { 'data/administrators.htpasswd': '# nobody yet\n' } });
    token = claimTokenOf(platform) ?? '';
    await new AdminClient(platform.origin).post('/claim', { ...chosen, token });
    expect(namesOf(platform.root)).toBe('# nobody yet\nada');
  });

  it('shows errors at their fields without repeating the password', async () => {
    const client = await start();
    const refused = await client.post('/claim', { token, name: 'a:b', password: 'seven77', again: 'x' });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain('contains a colon');
    expect(page).toContain('at least 8 characters');
    expect(page).toContain('The passwords do not match.');
    expect(page).not.toContain('seven77');
    const other = await client.post('/claim', { token, ...chosen, again: 'something else' });
    expect(await other.text()).toContain('do not match');
    const long = await client.post('/claim', {
      token,
      ...chosen,
      password: 'ä'.repeat(37),
      again: 'ä'.repeat(37),
    });
    expect(await long.text()).toContain('longer than 72 bytes');
  });

  it.each(['forwarded', 'x-forwarded-for', 'via'])(
    'is invalid through a proxy that sends %s',
    async (name) => {
      const client = await start();
      expect((await client.get(`/claim?token=${token}`, { [name]: '198.51.100.7' })).status).toBe(403);
    },
  );

  it('is valid on the loopback interface for all configured networks', async () => {
    const client = await start({ 'platform-admin': { allow: [] } });
    expect((await client.get(`/claim?token=${token}`)).status).toBe(200);
    expect((await client.get('/sign-in')).status).toBe(403);
    const redirected = await client.get(`/claim/?token=${token}`);
    expect(redirected.status).toBe(308);
    expect(redirected.headers.get('location')).toBe(`${ADMIN}/claim?token=${token}`);
    expect((await client.get('/sign-in/')).status).toBe(403);
  });

  const externalAddress = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  (externalAddress === undefined ? it.skip : it)(
    'is invalid from other addresses for all configured networks',
    async () => {
      await start({ server: { host: '0.0.0.0' }, 'platform-admin': { allow: ['0.0.0.0/0'] } });
      const origin = platform.origin.replace('0.0.0.0', externalAddress ?? '');
      const far = new AdminClient(origin);
      expect((await far.get('/sign-in')).status).toBe(200);
      expect((await far.get(`/claim?token=${token}`)).status).toBe(403);
      expect((await far.post('/claim', { ...chosen, token })).status).toBe(403);
      expect(() => namesOf(platform.root)).toThrow(/ENOENT/);
    },
  );

  it('throttles guesses', async () => {
    const client = await start();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await client.get(`/claim?token=${'x'.repeat(42)}${guess}`)).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 403));
    const refused = await client.get('/claim?token=y');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  it('reveals nothing to requests without it', async () => {
    const client = await start();
    const [none, wrong] = [await client.get('/claim'), await client.get('/claim?token=wrong')];
    expect([none.status, wrong.status]).toEqual([403, 403]);
    const withoutId = async (answer: Response): Promise<object> => ({
      ...(await bodyOf(answer)),
      request_id: undefined,
    });
    expect(await withoutId(none)).toEqual(await withoutId(wrong));
  });

  it('is not written to the access log', async () => {
    platform = await startTestPlatform({
      modules: [
        'content-negotiation',
        'content-validation',
        'mvc-auth',
        'hosting',
        'documentation',
        'operations',
        'admin',
      ],
      local: { 'platform-operations': { access_log: { enabled: true, file: 'access.log' } } },
    });
    token = claimTokenOf(platform) ?? '';
    const client = new AdminClient(platform.origin);
    await client.get(`/claim?token=${token}`);
    await client.post('/claim', { ...chosen, token });
    const log = readFileSync(path.join(platform.root, 'access.log'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('/claim'))).toHaveLength(2);
    expect(log).not.toContain(token);
    expect(JSON.stringify(platform.log.lines)).not.toContain(token);
  });
});
