import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  ADMIN,
  claimTokenOf,
  PASSWORD,
  startAdminPlatform,
  startUnclaimed,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { basic } from '../../../factories/http/requests';
import type { TestPlatform } from '../../../factories/platform';
import { ServerProcesses } from '../../../factories/processes/server-process';
import { WITH_ADMIN } from '../../../factories/admin/admin';
import { until } from '../../../factories/until';

interface Entry {
  readonly action: string;
  readonly outcome: string;
  readonly administrator?: string | null;
}

const entriesOf = (root: string): readonly Entry[] =>
  readFileSync(path.join(root, 'data/audit.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);

const AUTHORIZATION = { Authorization: basic('ada', PASSWORD) };
const JSON_BODY = { ...AUTHORIZATION, 'Content-Type': 'application/json' };

describe('The audit log', () => {
  let platform: TestPlatform;
  let ada: AdminPlatform['ada'];
  const start = async (audit: object = {}): Promise<void> => {
    const admin = await startAdminPlatform({ local: { 'platform-admin': { audit: { ...audit } } } });
    [platform, ada] = [admin, admin.ada];
  };
  afterEach(() => platform.stop());
  const entries = (): readonly Entry[] => entriesOf(platform.root);
  const api = (below: string, init: RequestInit = {}): Promise<Response> =>
    platform.request(`${ADMIN}/api${below}`, { headers: JSON_BODY, ...init });

  it('has sign-ins, failed ones and sign-outs, with address and request id, but without passwords', async () => {
    await start();
    const stranger = (platform as AdminPlatform).stranger();
    await stranger.post('/sign-in', { name: 'ada', password: 'hunter2' });
    await stranger.post('/sign-in', { name: 'hunter3', password: 'x' });
    await api('/overview', { headers: { Authorization: basic('ada', 'hunter4') } });
    await ada.post('/sign-out', {});
    await until(() => entries().length >= 5);
    expect(entries()).toMatchObject([
      { action: 'sign_in', outcome: 'success', administrator: 'ada', via: 'page', address: '127.0.0.1' },
      { action: 'sign_in', outcome: 'failure', administrator: 'ada', via: 'page' },
      { action: 'sign_in', outcome: 'failure', administrator: null, via: 'page' },
      expect.objectContaining({ action: 'sign_in', outcome: 'failure', administrator: 'ada', via: 'api' }),
      { action: 'sign_out', outcome: 'success', administrator: 'ada' },
    ]);
    for (const entry of entries()) expect(entry).toHaveProperty('request_id');
    expect(JSON.stringify(entries())).not.toMatch(/hunter|correct horse/);
  });

  it('has changes of the configuration with their revisions and key paths, but no values', async () => {
    await start();
    const mapped = await api('/map/Atlas-v1', {
      method: 'PUT',
      headers: { ...JSON_BODY, 'X-Request-Id': 'change-7' },
      body: JSON.stringify({ adapters: ['administrators'] }),
    });
    const last = entries().at(-1);
    expect([mapped.status, last]).toMatchObject([
      200,
      {
        action: 'configuration_change',
        outcome: 'success',
        administrator: 'ada',
        via: 'api',
        request_id: 'change-7',
        revision_before: 0,
        revision_after: 1,
        paths: [expect.stringContaining('Atlas')],
      },
    ]);
  });

  it('has changes of administrators and password files, and refused ones', async () => {
    await start();
    const body = JSON.stringify({ name: 'bob', password: 'a long password' });
    expect((await api('/administrators', { method: 'POST', body })).status).toBe(201);
    expect((await api('/administrators', { method: 'POST', body })).status).toBe(409);
    await ada.save('/administrators/bob/password', {
      password: 'another password',
      again: 'another password',
    });
    expect((await api('/administrators/bob', { method: 'DELETE' })).status).toBe(204);
    await ada.save('/account', { old: PASSWORD, password: 'my new password', again: 'my new password' });
    expect(entries().slice(1)).toMatchObject([
      { action: 'administrator_add', outcome: 'success', target: 'bob', via: 'api' },
      { action: 'administrator_add', outcome: 'failure', target: 'bob', code: expect.any(String) as unknown },
      { action: 'password_change', outcome: 'success', target: 'bob', via: 'page' },
      { action: 'administrator_remove', outcome: 'success', target: 'bob' },
      { action: 'password_change', outcome: 'success', target: 'ada', administrator: 'ada' },
    ]);
    expect(JSON.stringify(entries())).not.toMatch(/password"|long password|\$2/);
  });

  it('has reloads, also failed ones', async () => {
    await start();
    expect((await api('/reload', { method: 'POST', headers: AUTHORIZATION })).status).toBe(200);
    writeFileSync(path.join(platform.root, 'config/autoload/local.json'), '{');
    expect((await api('/reload', { method: 'POST', headers: AUTHORIZATION })).status).toBe(422);
    expect(entries().slice(1)).toMatchObject([
      { action: 'reload', outcome: 'success' },
      { action: 'reload', outcome: 'failure', code: 'configuration_refused' },
    ]);
  });

  it('is listed by the admin API and on a page, with filters', async () => {
    await start();
    await ada.post('/sign-in', { name: 'ada', password: 'wrong one' });
    await (platform as AdminPlatform).stranger().post('/sign-in', { name: '<b>ada</b>', password: 'x' });
    await ada.post('/sign-out', {});
    const list = async (query: string): Promise<{ entries: Entry[]; next?: number }> =>
      (await (await api(`/audit${query}`)).json()) as { entries: Entry[]; next?: number };
    const { entries: newest, next } = await list('?limit=1');
    expect(newest).toMatchObject([{ action: 'sign_out' }]);
    expect((await list(`?limit=50&before=${next}`)).entries.map(({ action }) => action)).not.toContain(
      'sign_out',
    );
    expect((await list('?action=sign_out')).entries).toHaveLength(1);
    expect((await list('?administrator=nobody')).entries).toEqual([]);
    expect((await api('/audit?action=hack')).status).toBe(400);
    expect((await platform.request(`${ADMIN}/api/audit`)).status).toBe(401);
    const again = await (platform as AdminPlatform).signIn('ada');
    const html = await (await again.get('/audit?action=sign_out')).text();
    expect(html.match(/<tr>/g)).toHaveLength(2);
    expect(html).toContain('Sign out');
    expect(html).toContain('>API key change</option>');
    expect(await (await again.get('/audit?before=1&administrator=x')).text()).toContain('No entries found.');
  });

  const obstruct = (): void => {
    rmSync(path.join(platform.root, 'data/audit.log'));
    mkdirSync(path.join(platform.root, 'data/audit.log'));
  };

  it('does not prevent changes when it cannot be written: its entries are in the error log', async () => {
    await start();
    obstruct();
    const body = JSON.stringify({ name: 'bob', password: 'a long password' });
    expect((await api('/administrators', { method: 'POST', body })).status).toBe(201);
    const lines = platform.log.lines.filter(({ message }) => message.includes('The audit log cannot'));
    expect(lines).toMatchObject([{ details: { entry: { action: 'administrator_add', target: 'bob' } } }]);
    rmSync(path.join(platform.root, 'data/audit.log'), { recursive: true });
    expect((await api('/administrators/bob', { method: 'DELETE' })).status).toBe(204);
    expect(entries()).toMatchObject([{ action: 'administrator_remove' }]);
  });

  it('prevents sign-ins and changes when it is required and cannot be written', async () => {
    await start({ required: true });
    expect(entries()).toMatchObject([
      { action: 'sign_in', outcome: 'started' },
      { action: 'sign_in', outcome: 'success' },
    ]);
    obstruct();
    const body = JSON.stringify({ name: 'bob', password: 'a long password' });
    const refused = await api('/administrators', { method: 'POST', body });
    expect(refused.status).toBe(507);
    expect(await refused.text()).toContain('audit log');
    expect(readFileSync(path.join(platform.root, 'data/administrators.htpasswd'), 'utf8')).not.toContain(
      'bob',
    );
    const stranger = (platform as AdminPlatform).stranger();
    expect((await stranger.post('/sign-in', { name: 'ada', password: PASSWORD })).status).toBe(507);
    expect(stranger.cookie).toBeUndefined();
    expect((await api('/v1/trace-recording', { method: 'POST', body: '{}' })).status).toBe(507);
    expect(await (await api('/v1/trace-recording')).json()).toMatchObject({ recording: false });
  });

  it('has the start and the end of a recording of requests, and the removal of traces', async () => {
    await start();
    const before = entries().length;
    expect((await api('/v1/trace-recording', { method: 'POST', body: '{}' })).status).toBe(200);
    expect((await api('/v1/trace-recording', { method: 'DELETE' })).status).toBe(200);
    expect((await api('/v1/traces', { method: 'DELETE' })).status).toBe(204);
    expect(entries().slice(before)).toMatchObject([
      { action: 'trace_start', outcome: 'success', administrator: 'ada', via: 'api' },
      { action: 'trace_stop', outcome: 'success', administrator: 'ada' },
      { action: 'trace_removal', outcome: 'success', administrator: 'ada' },
    ]);
  });

  it('has the claim of the first administrator, and refused claims', async () => {
    platform = await startUnclaimed();
    const token = claimTokenOf(platform) ?? '';
    const post = (form: Record<string, string>): Promise<Response> =>
      platform.request(`${ADMIN}/claim`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { Origin: platform.origin, 'Sec-Fetch-Site': 'same-origin' },
      });
    await post({ token: 'guessed', name: 'eve', password: PASSWORD, again: PASSWORD });
    await post({ token, name: 'ada', password: PASSWORD, again: PASSWORD });
    expect(entries()).toMatchObject([
      { action: 'claim', outcome: 'failure', administrator: null },
      { action: 'claim', outcome: 'success', administrator: 'ada' },
    ]);
    expect(JSON.stringify(entries())).not.toContain(token);
  });

  it('is not written if it is switched off', async () => {
    await start({ enabled: false });
    expect(() => entries()).toThrow('ENOENT');
    expect(await (await ada.get('/audit')).text()).toContain('The audit log is off.');
  });
});

describe('The audit log of a server', () => {
  const servers = new ServerProcesses();
  afterEach(() => servers.clear());

  it('has reloads by SIGHUP, and is reopened by SIGUSR2', async () => {
    const root = servers.project({ modules: WITH_ADMIN });
    const server = servers.start(['--root', root]);
    await server.origin();
    server.child.kill('SIGHUP');
    await server.printed(/^Configuration reloaded\.$/m);
    // The file is created with the first entry.
    await until(() => existsSync(path.join(root, 'data/audit.log')) && entriesOf(root).length > 0);
    expect(entriesOf(root)).toMatchObject([{ action: 'reload', outcome: 'success', via: 'signal' }]);
    server.child.kill('SIGUSR2');
    await server.printedError(/^Log files reopened\.$/m);
  });
});
