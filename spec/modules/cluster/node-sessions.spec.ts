import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../src/framework';
import { ClusterState } from '../../../src/modules/cluster/cluster-state';
import { hashWithBcrypt } from '../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { AdminClient, PASSWORD, WITH_ADMIN } from '../../factories/admin/admin';
import { textOf } from '../../factories/admin/admin-pages';
import { fieldsOf } from '../../factories/admin/page-form';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { basic } from '../../factories/http/requests';

const { describe, it } = withPrograms('redis-server');

let server: RedisServer;
let folder = '';
let file = '';
const nodes: TestPlatform[] = [];

beforeEach(async () => {
  server = await RedisServer.start();
  folder = mkdtempSync(path.join(tmpdir(), 'administrators-'));
  file = path.join(folder, 'administrators.htpasswd');
  await writeFile(
    file,
    `ada:${await hashWithBcrypt(PASSWORD, 4)}\nbob:${await hashWithBcrypt(PASSWORD, 4)}\n`,
  );
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Starts two nodes that have the same administrators, as on a shared volume. */
async function startNodes(local: ConfigObject = {}): Promise<readonly [TestPlatform, TestPlatform]> {
  const project = {
    modules: ['cluster', ...WITH_ADMIN],
    local: {
      'platform-cluster': { redis: { url: server.url }, deployment_key: 'k'.repeat(32) },
      'platform-admin': { administrators: file },
      ...local,
    },
  };
  const started = [await startTestPlatform(project), await startTestPlatform(project)] as const;
  nodes.push(...started);
  return started;
}

async function signIn(node: TestPlatform, name = 'ada', password = PASSWORD): Promise<AdminClient> {
  const client = new AdminClient(node.origin);
  await client.post('/sign-in', { name, password });
  return client;
}

/** The same browser, whose next request reaches another node. */
function at(node: TestPlatform, { cookie }: AdminClient): AdminClient {
  return new AdminClient(node.origin, cookie);
}

const statusOf = async (client: AdminClient): Promise<number> => (await client.get('/account')).status;

describe('the admin of two nodes behind a balancer without sticky sessions', () => {
  it('knows sessions on both, and ends them on both', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    expect([await statusOf(ada), await statusOf(at(b, ada))]).toEqual([200, 200]);
    const onB = at(b, ada);
    expect((await onB.post('/sign-out', {})).status).toBe(303);
    expect(await statusOf(ada)).toBe(303);
  });

  it('changes a password that one node reviews and the other confirms, which ends the sessions everywhere', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    const other = await signIn(b);
    const bob = await signIn(b, 'bob');
    const password = 'battery staple';
    const shown = await ada.post('/account', { old: PASSWORD, password, again: password });
    const html = await shown.text();
    expect(html).not.toContain(password);
    const onB = at(b, ada);
    const confirmed = await onB.post('/account', fieldsOf(html, 'confirm'));
    expect(confirmed.status).toBe(303);
    // The new session, and its message, on the first node.
    const page = await at(a, onB).get('/account');
    expect(page.status).toBe(200);
    expect(textOf(await page.text())).toContain('Password changed.');
    expect([await statusOf(ada), await statusOf(at(a, other)), await statusOf(at(b, other))]).toEqual([
      303, 303, 303,
    ]);
    expect([await statusOf(bob), await statusOf(at(a, bob))]).toEqual([200, 200]);
    expect(await statusOf(await signIn(a, 'ada', password))).toBe(200);
    expect((await signIn(b)).cookie).toBeUndefined();
  });

  it('shows on one node the review of a form that the other received, until the change is saved', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    const response = await fetch(`${a.origin}/platform/admin/apis/Atlas-v1/texts`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: ada.cookie ?? '', Origin: a.origin },
      body: new URLSearchParams({ '/description': 'Both nodes.', csrf: await ada.csrf() }),
    });
    const review = (response.headers.get('location') ?? '').replace('/platform/admin', '');
    const html = await (await at(b, ada).get(review)).text();
    expect(html).toContain('Both nodes.');
    expect((await at(b, ada).post('/apis/Atlas-v1/texts', fieldsOf(html, 'confirm'))).status).toBe(303);
    const gone = await ada.get(review);
    expect([gone.status, textOf(await gone.text())]).toEqual([
      410,
      expect.stringContaining('This change was saved'),
    ]);
  });

  it('ends sessions of a password that the admin API changes, also where the file is not distributed yet', async () => {
    const [a, b] = await startNodes();
    // The second node has a copy.
    const own = path.join(folder, 'copy.htpasswd');
    await writeFile(own, await readFile(file, 'utf8'));
    const c = await startTestPlatform({
      modules: ['cluster', ...WITH_ADMIN],
      local: {
        'platform-cluster': { redis: { url: server.url }, deployment_key: 'k'.repeat(32) },
        'platform-admin': { administrators: own },
      },
    });
    nodes.push(c);
    const ada = await signIn(b);
    expect([await statusOf(ada), await statusOf(at(c, ada))]).toEqual([200, 200]);
    const changed = await fetch(`${a.origin}/platform/admin/api/v1/administrators/ada`, {
      method: 'PUT',
      headers: { Authorization: basic('ada', PASSWORD), 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: 'battery staple' }),
    });
    expect(changed.status).toBe(200);
    expect([await statusOf(ada), await statusOf(at(c, ada))]).toEqual([303, 303]);
    const next = await signIn(a, 'ada', 'battery staple');
    // The node with the earlier file refuses the session, but does not end it.
    expect([await statusOf(at(c, next)), await statusOf(next)]).toEqual([303, 200]);
  });

  it('confirms a review once, on whichever node', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    const fields = { name: 'cem', password: PASSWORD, again: PASSWORD };
    const html = await (await ada.post('/administrators', fields)).text();
    const review = fieldsOf(html, 'confirm');
    expect((await at(b, ada).post('/administrators', review)).status).toBe(303);
    expect(await readFile(file, 'utf8')).toContain('cem:');
    const withoutPage = review.filter(([name]) => name !== 'review');
    for (const node of [a, b]) {
      const saved = await at(node, ada).post('/administrators', review);
      expect([saved.status, textOf(await saved.text())]).toEqual([
        410,
        expect.stringContaining('This change was saved'),
      ]);
      // Of a review that has no page.
      const again = await at(node, ada).post('/administrators', withoutPage);
      expect(again.status).toBe(422);
      expect(textOf(await again.text())).toContain('This review was confirmed before');
    }
    // The node that kept a review has confirmed it.
    const first = await (await ada.post('/administrators', { ...fields, name: 'eli' })).text();
    const kept = fieldsOf(first, 'confirm').filter(([name]) => name !== 'review');
    expect((await ada.post('/administrators', kept)).status).toBe(303);
    const late = textOf(await (await at(b, ada).post('/administrators', kept)).text());
    expect(late).toContain('This review was confirmed before');
    expect(late).not.toContain('Nothing was saved');
    // Of another session it confirms nothing.
    const second = { ...fields, name: 'dee' };
    const shown = fieldsOf(await (await ada.post('/administrators', second)).text(), 'confirm');
    const stolen = shown.filter(([name]) => name !== 'csrf');
    expect((await (await signIn(b, 'bob')).post('/administrators', stolen)).status).toBe(422);
    expect(await readFile(file, 'utf8')).not.toContain('dee:');
  });

  it('reviews again on the other node if the password has changed since', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    const fields = { password: 'battery staple', again: 'battery staple' };
    const html = await (await ada.post('/administrators/bob/password', fields)).text();
    const review = new Map(fieldsOf(html, 'confirm')).get('review') ?? '';
    const content = await readFile(file, 'utf8');
    const other = `bob:${await hashWithBcrypt('another secret', 4)}`;
    await writeFile(
      file,
      content.replace(/^bob:.*$/m, () => other),
    );
    const onB = at(b, ada);
    const again = await onB.post('/administrators/bob/password', fieldsOf(html, 'confirm'));
    expect([again.status, textOf(await again.clone().text())]).toEqual([
      200,
      expect.stringContaining('changed by someone else'),
    ]);
    expect(await readFile(file, 'utf8')).toContain(other);
    // The first node finds the password that was submitted to it, by way of the second one.
    const shown = fieldsOf(await again.text(), 'confirm');
    expect((await ada.post('/administrators/bob/password', shown)).status).toBe(303);
    expect(await statusOf(await signIn(b, 'bob', 'battery staple'))).toBe(200);
    const page = await ada.get(`/reviews/${review}`);
    expect(textOf(await page.text())).toContain('This change was saved');
  });

  it('shows a message of one node on the next page of the other', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    await ada.save('/administrators', { name: 'cem', password: PASSWORD, again: PASSWORD });
    const first = await (await at(b, ada).get('/administrators')).text();
    expect(textOf(first)).toContain('Administrator “cem” added.');
    await delay(100);
    expect(textOf(await (await ada.get('/administrators')).text())).not.toContain('added.');
  });

  it('keeps what was typed in an expired session, for the sign-in on the other node', async () => {
    const [a, b] = await startNodes({
      'platform-admin': { administrators: file, session: { idle: 60, absolute: 60 } },
    });
    const ada = await signIn(a);
    const csrf = await ada.csrf();
    for (const node of nodes) {
      const redis = node.application.sharedState.find(ClusterState)?.redis;
      if (redis === undefined) throw new Error('The node has no Redis.');
      const now = redis.now.bind(redis);
      redis.now = () => now() + 61_000;
    }
    const sent = await at(b, ada).post('/administrators', {
      csrf,
      name: 'cem',
      password: PASSWORD,
      again: 'x',
    });
    expect(sent.status).toBe(303);
    const back = new URL(sent.headers.get('location') ?? '', b.origin).searchParams.get('return') ?? '';
    expect(back).toContain('draft=');
    const again = await signIn(a);
    const page = textOf(await (await again.get(back)).text());
    expect(page).toContain('Your session had expired.');
  });

  it('counts failed sign-ins on both', async () => {
    const [a, b] = await startNodes({ 'platform-mvc-auth': { throttling: { failures: 5, window: 600 } } });
    for (let time = 0; time < 5; time++) await signIn(a, 'ada', `wrong${time}`);
    for (;;) {
      const refused = await new AdminClient(b.origin).post('/sign-in', { name: 'ada', password: 'another' });
      if (refused.status === 429) break;
      await delay(20);
    }
    expect((await signIn(b)).cookie).toBeUndefined();
    expect((await signIn(b, 'bob')).cookie).toBeDefined();
  });
});

describe('the admin of two nodes without Redis', () => {
  it('continues on the node that knows the session', async () => {
    const [a, b] = await startNodes();
    const ada = await signIn(a);
    await server.kill();
    expect(await statusOf(ada)).toBe(200);
    expect(await statusOf(at(b, ada))).toBe(303);
    const fields = { name: 'cem', password: PASSWORD, again: PASSWORD };
    expect((await ada.save('/administrators', fields)).status).toBe(303);
    expect(await readFile(file, 'utf8')).toContain('cem:');
    // A session of this time belongs to its node, until Redis is back.
    const late = await signIn(b, 'bob');
    expect([await statusOf(late), await statusOf(at(a, late))]).toEqual([200, 303]);
    await server.start();
    while ((await statusOf(ada)) !== 303) await delay(50);
    const next = await signIn(a);
    expect(await statusOf(at(b, next))).toBe(200);
  });
});
