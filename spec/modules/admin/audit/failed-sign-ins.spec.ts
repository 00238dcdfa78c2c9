import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN, PASSWORD, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { answerTo, challengeOf } from '../../../factories/sign-in/digest-client';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic } from '../../../factories/http/requests';
import { until } from '../../../factories/until';

const ADAPTERS = `${ADMIN}/api/v1/adapters`;
const DOCUMENTATION = '/platform/documentation/Admin-v1';
const GUESS = basic('ada', 'guessed');
/** What is recorded of each guess. */
const RECORDED = ['sign_in failure ada'];

describe('A wrong password of an administrator', () => {
  let platform: AdminPlatform;
  beforeAll(async () => {
    const map = { 'Atlas-v1': ['administrators'] };
    platform = await startAdminPlatform({ local: { 'platform-mvc-auth': { authentication: { map } } } });
  });
  afterAll(() => platform.stop());

  const entries = ({ root } = platform): readonly string[] =>
    readFileSync(path.join(root, 'data/audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<'action' | 'outcome' | 'administrator', string | null>)
      .map(({ action, outcome, administrator }) => `${action} ${outcome} ${administrator}`);

  /** Returns the entries of a request, which follow its response. */
  async function recorded(status: number, target: string, init: RequestInit): Promise<readonly string[]> {
    const before = entries().length;
    expect((await platform.request(target, init)).status).toBe(status);
    await until(() => entries().length > before);
    return entries().slice(before);
  }

  it('is recorded with any number of spaces after the scheme', async () => {
    const headers = { Authorization: GUESS.replace(' ', '   ') };
    expect(await recorded(401, ADAPTERS, { headers })).toEqual(RECORDED);
  });

  it('is recorded for a method that the path does not have', async () => {
    const headers = { Authorization: GUESS };
    expect(await recorded(401, ADAPTERS, { method: 'PUT', headers })).toEqual(RECORDED);
  });

  it('is recorded at the documentation of the admin API', async () => {
    const headers = { Authorization: GUESS };
    expect(await recorded(401, DOCUMENTATION, { headers })).toEqual(RECORDED);
  });

  it('is recorded at other APIs that administrators sign in to', async () => {
    const headers = { Authorization: GUESS };
    expect(await recorded(401, '/v1/atlas/countries', { headers })).toEqual(RECORDED);
  });

  it('is recorded without a name where the credentials have none', async () => {
    const headers = { Authorization: 'Bearer guessed' };
    expect(await recorded(401, ADAPTERS, { headers })).toEqual(['sign_in failure null']);
  });

  it('is not that of Digest credentials whose nonce has expired', async () => {
    const options = {
      ...{ accept_schemes: ['digest'], realm: 'Staff', htdigest: 'data/staff.htdigest' },
      ...{ digest_domains: '', nonce_timeout: '1' },
    };
    const adapters = { staff: { adapter: 'HttpAdapter', options } };
    const other = await startAdminPlatform({
      local: { 'platform-mvc-auth': { authentication: { adapters, map: { Admin: 'staff' } } } },
      files: { 'data/staff.htdigest': `ada:Staff:${hash('md5', 'ada:Staff:secret')}\n` },
    });
    const challenge = challengeOf(await other.request(ADAPTERS));
    await pause(1_500);
    const attempt = (password: string): Promise<Response> => {
      const user = { username: 'ada', password, uri: ADAPTERS };
      return other.request(ADAPTERS, { headers: { Authorization: answerTo(challenge, user) } });
    };
    const failed = (): number => entries(other).filter((one) => one.startsWith('sign_in failure')).length;
    expect(challengeOf(await attempt('secret'))).toContain('stale=true');
    await pause(300);
    expect(failed()).toBe(0);
    expect(challengeOf(await attempt('guessed'))).not.toContain('stale=true');
    await until(() => failed() === 1);
    await other.stop();
  });

  it.each([true, false])(
    'is recorded after any number of credentials that were not verified, the last recorded of which says so (throttling: %s)',
    async (enabled) => {
      const local = { 'platform-mvc-auth': { throttling: { enabled, per_address: 4 } } };
      const other = await startAdminPlatform({ local });
      const failures = (name: string): number =>
        entries(other).filter((one) => one === `sign_in failure ${name}`).length;
      const line = `Authorization: ${GUESS}\r\n`;
      const twice = `GET ${ADAPTERS} HTTP/1.1\r\nHost: ${new URL(other.origin).host}\r\n${line}${line}Connection: close\r\n\r\n`;
      for (let i = 0; i < 4; i++) {
        const headers = { Authorization: `Foo ${i}` };
        expect((await other.request(ADAPTERS, { headers })).status).toBe(401);
        expect((await sendRaw(other.origin, twice)).status).toBe(401);
      }
      await until(() => failures('null') + failures('ada') === 4);
      const unverified = failures('ada');
      expect((await other.request(ADAPTERS, { headers: { Authorization: GUESS } })).status).toBe(401);
      await until(() => failures('ada') > unverified);
      expect([failures('null') + unverified, failures('ada')]).toEqual([4, unverified + 1]);
      const log = readFileSync(path.join(other.root, 'data/audit.log'), 'utf8');
      expect(
        log.match(/Further failures of this kind from this address are in the access log only/g),
      ).toHaveLength(1);
      await other.stop();
    },
  );

  it('is recorded without throttling as often as throttling would allow it, in requests and on the page', async () => {
    const throttling = { enabled: false, per_address: 4 };
    const other = await startAdminPlatform({ local: { 'platform-mvc-auth': { throttling } } });
    const failures = (): readonly string[] => entries(other).filter((one) => one.includes(' failure '));
    for (let i = 0; i < 3; i++)
      await other.request(ADAPTERS, { headers: { Authorization: basic('ada', `guess ${i}`) } });
    await until(() => failures().length === 3);
    const client = other.stranger();
    for (let i = 0; i < 3; i++) await client.post('/sign-in', { name: 'ada', password: `guess ${i}` });
    const { status } = await client.post('/sign-in', { name: 'ada', password: PASSWORD });
    const [recorded, last] = [failures(), entries(other).at(-1)];
    const log = readFileSync(path.join(other.root, 'data/audit.log'), 'utf8');
    await other.stop();
    expect([status, last]).toEqual([303, 'sign_in success ada']);
    expect(recorded).toEqual(Array(4).fill(RECORDED[0]));
    expect(log.split('\n').at(-3)).toContain('Further failures of this kind from this address');
  });

  it('is none of a request without credentials', async () => {
    expect((await platform.request(ADAPTERS)).status).toBe(401);
    expect(await recorded(401, ADAPTERS, { headers: { Authorization: GUESS } })).toEqual(RECORDED);
  });
});
