import { AdminClient, PASSWORD } from '../factories/admin/admin';
import { hashWithBcrypt } from '../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { sendRaw } from '../factories/http/raw-http';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { askWhere, childrenOf, get, until, workersProject } from '../factories/processes/workers';

const servers = new ServerProcesses();
afterEach(() => servers.clear());
jest.setTimeout(180_000);

const MODULES = ['admin', 'documentation', 'operations'];

async function start(
  local: object = {},
  environment: Record<string, string> = {},
): Promise<{ readonly server: ServerProcess; readonly origin: string }> {
  const files = { 'data/administrators.htpasswd': `ada:${await hashWithBcrypt(PASSWORD, 4)}\n` };
  const root = servers.project(
    workersProject({ server: { workers: 3 }, ...local }, { modules: MODULES, files }),
  );
  const server = servers.start(['--root', root], environment);
  return { server, origin: await server.origin() };
}

describe('administration with several workers', () => {
  it('keeps administrators signed in on every connection, and over a rolling restart', async () => {
    const { server, origin } = await start();
    const ada = new AdminClient(origin);
    expect((await ada.post('/sign-in', { name: 'ada', password: PASSWORD })).status).toBe(303);
    const pages = async (): Promise<readonly number[]> => {
      const headers = { Cookie: ada.cookie ?? '' };
      const all = Array.from({ length: 9 }, () => get(`${origin}/platform/admin/account`, { headers }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    expect(new Set(await pages())).toEqual(new Set([200]));
    server.child.kill('SIGUSR1');
    await server.printed(/^All workers replaced\.$/m);
    expect(new Set(await pages())).toEqual(new Set([200]));
  });

  it('activates a change in all workers before the response', async () => {
    const { origin, server } = await start({ where: { mark: 'first' } });
    const send = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${origin}/platform/admin/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const before = childrenOf(server.child.pid);
    const created = await send('POST', '/selectors', { name: 'Plain' });
    expect(created.status).toBe(201);
    const revisions = (await (await send('GET', '/revisions')).json()) as object;
    expect(JSON.stringify(revisions)).toContain('Plain');
    const byWorker = new Map<number, boolean>();
    await until(async () => {
      for (const { pid, selectors } of await askWhere(origin, 9))
        byWorker.set(pid, selectors.includes('Plain'));
      return byWorker.size >= 3;
    });
    expect([...byWorker].sort()).toEqual(before.map((pid) => [pid, true]).sort());
  });

  it('knows the address of the client, not that of the worker', async () => {
    const { origin } = await start({
      server: { workers: 2, trust_proxy: ['loopback'] },
      'platform-admin': { allow: ['192.0.2.0/24'] },
    });
    const from = (address: string): Promise<number> =>
      get(`${origin}/platform/admin/sign-in`, { headers: { 'X-Forwarded-For': address } }).then(
        ({ status }) => status,
      );
    expect([await from('192.0.2.7'), await from('198.51.100.7')]).toEqual([200, 403]);
  });

  it('sends no interim response to clients of HTTP/1.0, and ignores what they expect', async () => {
    const { origin } = await start();
    const create = (name: string, expectation: string): string => {
      const body = JSON.stringify({ name });
      const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
      return `POST /platform/admin/api/v1/selectors HTTP/1.0\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: ${expectation}\r\n\r\n${body}`;
    };
    for (const [name, expectation] of [
      ['First', '100-continue'],
      ['Second', '200-ok'],
    ] as const)
      expect((await sendRaw(origin, create(name, expectation))).text).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('handles requests with an encoded path in the primary, whatever their query contains', async () => {
    const { origin } = await start();
    const ada = new AdminClient(origin);
    await ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    const headers = { Cookie: ada.cookie ?? '' };
    for (const query of ['', '?from=/platform/admin', '?from=%2Fplatform%2Fadmin']) {
      const { status } = await get(`${origin}/%70latform/admin/account${query}`, { headers });
      expect([query, status]).toEqual([query, 200]);
    }
  });

  it('refuses clients that pretend to be a worker', async () => {
    const { origin } = await start();
    const field = Buffer.from(
      JSON.stringify({ secret: '', address: '127.0.0.1', port: 1, isEncrypted: true }),
    ).toString('base64url');
    const answer = await get(`${origin}/platform/admin/sign-in`, {
      headers: { 'X-Apidesc-Worker-Client': field },
    });
    expect(answer.status).toBe(200);
    expect(await get(`${origin}/where`, { headers: { 'X-Apidesc-Worker-Client': field } })).toMatchObject({
      status: 200,
    });
  });
});
