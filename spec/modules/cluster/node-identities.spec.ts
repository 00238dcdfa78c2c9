import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { addKey, newKey } from '../../../src/modules/mvc-auth/api-keys/edit-keys';
import { hashWithBcrypt } from '../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { ADMIN, AdminClient, PASSWORD, WITH_ADMIN } from '../../factories/admin/admin';
import { oneTimePassword } from '../../factories/sign-in/one-time-password';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { basic, bodyOf } from '../../factories/http/requests';
import { setTestTimeout } from '../../factories/test-timeout';
import { secondsFromNow } from '../../factories/sign-in/tokens';
import { authentication, ClubModule } from '../../fixtures/club-module';

const { describe, it } = withPrograms('redis-server');

setTestTimeout(60);

const SECRET = 'B'.repeat(32);

let redis: RedisServer;
let authorization: Server;
let folder = '';
let questions: string[] = [];
let isActive = true;
const nodes: TestPlatform[] = [];
const { key, stored } = newKey({ owner: 'ci', rateLimit: { limit: 4, window: 60 } });

beforeEach(async () => {
  redis = await RedisServer.start();
  folder = mkdtempSync(path.join(tmpdir(), 'identities-'));
  const line = `ada:${await hashWithBcrypt(PASSWORD, 4)}\nbob:${await hashWithBcrypt(PASSWORD, 4)}\n`;
  writeFileSync(path.join(folder, 'administrators.htpasswd'), line);
  writeFileSync(
    path.join(folder, 'administrators.json'),
    JSON.stringify({
      ada: { role: 'administrator', second_factor: { secret: SECRET } },
      bob: { role: 'administrator' },
    }),
  );
  questions = [];
  isActive = true;
  authorization = createServer((message, outgoing) => {
    void text(message).then((body) => {
      questions.push(new URLSearchParams(body).get('token') ?? '');
      const response = isActive ? { active: true, sub: 'eve', exp: secondsFromNow(60) } : { active: false };
      outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(response));
    });
  });
  await once(authorization.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  authorization.closeAllConnections();
  authorization.close();
  await redis.close();
  rmSync(folder, { recursive: true });
});

/** Starts a node. All of them have the same administrators, and the same authorization server. */
async function startNode(): Promise<TestPlatform> {
  const endpoint = `http://127.0.0.1:${(authorization.address() as AddressInfo).port}/introspect`;
  const { 'platform-mvc-auth': club } = authentication(
    {
      opaque: {
        adapter: 'IntrospectionAdapter',
        options: { endpoint, client_id: 'club', client_secret: 'secret' },
      },
      keys: { adapter: 'ApiKeyAdapter', options: { keys: 'data/keys.json' } },
    },
    { Club: ['opaque', 'keys'] },
    { Club: { Hall: { GET: 'authenticated' } } },
  );
  const node = await startTestPlatform({
    modules: ['cluster', ...WITH_ADMIN],
    extra: [new ClubModule()],
    local: {
      'platform-mvc-auth': club ?? {},
      'platform-cluster': { redis: { url: redis.url }, deployment_key: 'k'.repeat(32) },
      'platform-admin': { administrators: path.join(folder, 'administrators.htpasswd') },
    },
    files: { 'data/keys.json': addKey('data/keys.json', undefined, stored).toString('utf8') },
  });
  nodes.push(node);
  return node;
}

const hall = (node: TestPlatform, token: string): Promise<Response> =>
  node.request('/club/hall', { headers: { Authorization: `Bearer ${token}` } });

/** Waits until Redis has a response of the authorization server. @returns its name */
async function storedResponse(): Promise<string> {
  for (;;) {
    const [name] = await namesOf('*introspection:*');
    if (name !== undefined) return name;
    await delay(20);
  }
}

async function namesOf(pattern: string): Promise<readonly string[]> {
  return (await redis.command('KEYS', pattern)) as readonly string[];
}

describe('Nodes with one Redis', () => {
  it('ask the authorization server once about an active token', async () => {
    const [one, other] = [await startNode(), await startNode()];
    expect(await bodyOf(await hall(one, 'opaque'))).toMatchObject({ name: 'eve' });
    await storedResponse();
    isActive = false;
    expect(await bodyOf(await hall(other, 'opaque'))).toMatchObject({ name: 'eve' });
    expect(questions).toEqual(['opaque']);
    expect((await hall(other, 'another')).status).toBe(401);
    expect((await hall(one, 'another')).status).toBe(401);
    expect(questions).toEqual(['opaque', 'another', 'another']);
  });

  it('store neither tokens nor what they say', async () => {
    await hall(await startNode(), 'opaque-token-of-eve');
    const name = await storedResponse();
    const content = `${name} ${String(await redis.command('GET', name))}`;
    expect(content).not.toContain('opaque-token');
    expect(content).not.toContain('eve');
    expect(Number(await redis.command('PTTL', name))).toBeLessThanOrEqual(60_000);
  });

  it('ask the authorization server themselves while Redis is down', async () => {
    const [one, other] = [await startNode(), await startNode()];
    await hall(one, 'opaque');
    await redis.kill();
    expect((await hall(other, 'opaque')).status).toBe(200);
    expect(questions).toEqual(['opaque', 'opaque']);
  });

  it('accept a one-time password once', async () => {
    const [one, other] = [await startNode(), await startNode()];
    const code = oneTimePassword(SECRET, Date.now());
    const clients = [one, other].map((node) => new AdminClient(node.origin));
    const statuses: number[] = [];
    for (const client of clients) {
      const html = await (await client.post('/sign-in', { name: 'ada', password: PASSWORD })).text();
      const pending = /name="pending" value="([^"]*)"/.exec(html)?.[1] ?? '';
      statuses.push((await client.post('/sign-in/code', { pending, code })).status);
    }
    expect(statuses).toEqual([303, 403]);
  });

  it('continue on one node what was begun on another', async () => {
    const [one, other] = [await startNode(), await startNode()];
    const first = await new AdminClient(one.origin).post('/sign-in', { name: 'ada', password: PASSWORD });
    const pending = /name="pending" value="([^"]*)"/.exec(await first.text())?.[1] ?? '';
    const client = new AdminClient(other.origin);
    const code = oneTimePassword(SECRET, Date.now());
    expect((await client.post('/sign-in/code', { pending, code })).status).toBe(303);
    expect((await client.get('/account')).status).toBe(200);
  });

  it('count the requests of a key together', async () => {
    const [one, other] = [await startNode(), await startNode()];
    const use = async (node: TestPlatform): Promise<number> =>
      (await node.request('/club/hall', { headers: { 'X-API-Key': key } })).status;
    for (const node of [one, one, one]) expect(await use(node)).toBe(200);
    // Alone it would allow four. What it allows until it knows counts, too.
    let used = 0;
    while ((await use(other)) === 200) {
      used++;
      await delay(100);
    }
    expect(used).toBeLessThan(4);
    expect(await use(one)).toBe(429);
  });

  it('know when a key was used on another one', async () => {
    const [one, other] = [await startNode(), await startNode()];
    expect((await one.request('/club/hall', { headers: { 'X-API-Key': key } })).status).toBe(200);
    while ((await namesOf('*key-use:*')).length === 0) await delay(20);
    const listed = await other.request(`${ADMIN}/api/v1/adapters/keys/keys/${stored.id}`, {
      headers: { Authorization: basic('bob', PASSWORD) },
    });
    const body = await bodyOf(listed);
    expect(body).toMatchObject({ id: stored.id });
    const { last_used: used } = body as { last_used: string | null };
    expect(Math.abs(Date.parse(used ?? '') - Date.now())).toBeLessThan(60_000);
    expect(() => readFileSync(path.join(other.root, 'data/keys.used.json'))).toThrow('ENOENT');
  });
});
