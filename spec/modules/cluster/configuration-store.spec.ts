import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminClient, PASSWORD } from '../../factories/admin/admin';
import {
  ADMINISTRATORS,
  BAD,
  TestDeployment,
  until,
  type TestNode,
} from '../../factories/processes/deployment';
import { fieldsOf } from '../../factories/admin/page-form';
import { ROOT } from '../../factories/platform';
import { PostgresServer } from '../../factories/database/postgres';
import { run } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { setTestTimeout } from '../../factories/test-timeout';

setTestTimeout(120);

const KEY = 'k'.repeat(32);
const CLI = path.join(ROOT, 'dist/cli.js');

/** A server for a configuration store, whose data survives a stop. */
interface StoreServer {
  readonly cluster: Readonly<Record<string, string | Record<string, string>>>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const stores: readonly ['redis' | 'postgres', 'redis-server' | 'postgres', () => Promise<StoreServer>][] = [
  [
    'redis',
    'redis-server',
    async () => {
      const server = await RedisServer.start();
      return {
        cluster: { store: 'redis', redis: { url: server.url }, deployment_key: KEY },
        stop: () => server.stop(),
        start: () => server.start(),
        close: () => server.close(),
      };
    },
  ],
  [
    'postgres',
    'postgres',
    async () => {
      const server = await PostgresServer.start();
      return {
        cluster: { store: 'postgres', postgres: { url: server.url() } },
        stop: () => server.stop(),
        start: () => server.start(),
        close: () => server.close(),
      };
    },
  ],
];

describe.each(stores)('three nodes with their configuration in %s', (kind, program, start) => {
  withPrograms(program).describe('on a real server', () => {
    let server: StoreServer;
    let deployment: TestDeployment;
    let nodes: readonly [a: TestNode, b: TestNode, c: TestNode];
    beforeAll(async () => {
      server = await start();
      deployment = new TestDeployment(server.cluster);
      nodes = [await deployment.node('a'), await deployment.node('b'), await deployment.node('c')];
      await nodes[0].start({ NAME: 'json' });
      await Promise.all([nodes[1].start({ STRICT: '1' }), nodes[2].start({ NAME: 'json' })]);
    });
    afterAll(async () => {
      deployment.clear();
      await server.close();
    });

    async function revisions(): Promise<readonly unknown[]> {
      const { body } = await nodes[0].call('GET', '/revisions');
      return (body.items as readonly Record<string, unknown>[]).map(({ revision }) => revision);
    }

    async function allUseTheStore(): Promise<void> {
      for (const node of nodes)
        await until('not degraded', async () => {
          const { degraded } = (await node.ready()).body;
          return (degraded as readonly string[]).length === 0;
        });
    }

    it('serve a change of one of them', async () => {
      expect(await nodes[0].createSelector('First')).toBe(201);
      for (const node of nodes) expect(await node.hasSelector('First')).toBe(true);
      expect(new Set(nodes.map((node) => node.local())).size).toBe(1);
    });

    it('change nothing if one of them refuses, and name it', async () => {
      const before = nodes.map((node) => node.local());
      const revision = await revisions();
      for (const node of [nodes[0], nodes[2]]) {
        const { status, body } = await node.call('POST', '/selectors', { name: `${BAD}One` });
        expect(status).toBe(422);
        expect(body.type).toMatch(/#rollout_refused$/);
        expect(body.nodes).toEqual([
          {
            node: 'b',
            message: expect.stringContaining('the selector BadOne is not allowed here') as string,
          },
        ]);
        expect(body.detail).toMatch(/^Nothing was changed on any node\.\nNode b: /);
      }
      expect(nodes.map((node) => node.local())).toEqual(before);
      expect(await revisions()).toEqual(revision);
      for (const node of nodes) expect(await node.hasSelector(`${BAD}One`)).toBe(false);
    });

    it('reload a file that was edited on one of them, unless another lacks a variable', async () => {
      const [a, b] = nodes;
      const file = path.join(a.root, 'config/autoload/local.json');
      const before = a.local();
      const edited = (text: string): void => {
        const tree = JSON.parse(before) as Record<string, unknown>;
        writeFileSync(file, JSON.stringify({ ...tree, 'platform-documentation': { name: text } }));
      };
      edited('${NAME}');
      const refused = await a.call('POST', '/reload');
      expect(refused.status).toBe(422);
      expect(refused.body.nodes).toEqual([
        { node: 'b', message: expect.stringContaining('environment variable NAME') as string },
      ]);
      expect(b.local()).toBe(before);
      const { output } = await run(process.execPath, [CLI, 'nodes', '--root', a.root]);
      expect(output).toMatch(/^b +serving /m);
      edited('Shared');
      expect((await a.call('POST', '/reload')).status).toBe(200);
      await until('the edit is served', () => b.local() === a.local());
      const headers = { Accept: 'text/html' };
      const pages = nodes.map(async ({ origin }) =>
        (await fetch(`${origin}/platform/documentation`, { headers })).text(),
      );
      for (const page of await Promise.all(pages)) expect(page).toContain('Shared');
    });

    it('reload a file that was edited in the same way on several of them, at the same time', async () => {
      const [a, b, c] = nodes;
      const tree = JSON.parse(a.local()) as Record<string, unknown>;
      const text = JSON.stringify({ ...tree, 'platform-documentation': { name: 'Pushed' } });
      for (const node of nodes) writeFileSync(path.join(node.root, 'config/autoload/local.json'), text);
      const reloads = await Promise.all(nodes.map((node) => node.call('POST', '/reload')));
      expect(reloads.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const node of [a, b, c])
        await until('it is current', async () => {
          const { body } = await node.call('GET', '/nodes');
          return (body.nodes as { revision: number }[]).every(({ revision }) => revision === body.revision);
        });
      expect(new Set([a, b, c].map((node) => node.local()))).toEqual(new Set([text]));
    });

    it('reload without the file that all of them share on none of them', async () => {
      const [a] = nodes;
      const file = path.join(a.root, 'config/autoload/local.json');
      const before = a.local();
      rmSync(file);
      const { status, body } = await a.call('POST', '/reload');
      expect([status, body.detail]).toEqual([
        422,
        expect.stringContaining('config/autoload/local.json, which all nodes share, is missing on this one'),
      ]);
      writeFileSync(file, before);
      expect((await a.call('POST', '/reload')).status).toBe(200);
    });

    it('accept changes at the same time one after the other, and lose none', async () => {
      const names = Array.from({ length: 3 }, (__, at) => [`Left${at}`, `Right${at}`] as const);
      for (const [left, right] of names) {
        const statuses = await Promise.all([
          nodes[0].createSelector(left, ADMINISTRATORS[0]),
          nodes[2].createSelector(right, ADMINISTRATORS[1]),
        ]);
        expect(statuses).toEqual([201, 201]);
        for (const name of [left, right])
          for (const node of nodes) await until(`${name} is served`, () => node.hasSelector(name));
      }
    });

    it('undo a change while another node makes one, and lose neither', async () => {
      const [a, , c] = nodes;
      for (const at of [0, 1, 2]) {
        expect(await a.createSelector(`Undone${at}`)).toBe(201);
        await until('c follows', () => c.hasSelector(`Undone${at}`));
        const [number] = await revisions();
        const [undone, created] = await Promise.all([
          a.call('POST', '/undo', { revision: Number(number) }),
          c.createSelector(`Kept${at}`),
        ]);
        expect([undone.status, created]).toEqual([200, 201]);
        for (const node of nodes) {
          await until('the change is undone', async () => !(await node.hasSelector(`Undone${at}`)));
          await until('the other change is served', () => node.hasSelector(`Kept${at}`));
        }
      }
    });

    it('accept one of two changes of what both administrators have seen', async () => {
      const { etag } = await nodes[0].call('GET', '/selectors/Left0');
      const remove = (node: TestNode) =>
        node.call('DELETE', '/selectors/Left0', undefined, 'ada', { 'If-Match': etag });
      const answers = await Promise.all([remove(nodes[0]), remove(nodes[2])]);
      const [first, second] = answers.map(({ status }) => status).sort();
      expect(first).toBe(204);
      expect([404, 412]).toContain(second);
    });

    it('show an administrator the change of the same value that another one confirmed at the same moment', async () => {
      const page = '/selectors/Documentation/models/ViewModel';
      const confirmed = [nodes[0], nodes[2]].map(async ({ origin }, at) => {
        const client = new AdminClient(origin);
        await client.post('/sign-in', { name: ADMINISTRATORS[at] ?? '', password: PASSWORD });
        const form = fieldsOf(await (await client.get(page)).text(), 'types');
        const typed = form.map(
          ([name, value]) => [name, name === 'types' ? `${value}\ntext/x-${at}` : value] as const,
        );
        const review = fieldsOf(await (await client.post(page, typed)).text(), 'confirm');
        return () => client.post(page, review);
      });
      const confirm = await Promise.all(confirmed);
      const answers = await Promise.all(confirm.map((send) => send()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 303]);
      const refused = answers.find(({ status }) => status === 200);
      expect(await refused?.text()).toContain('This was changed by someone else');
    });

    it('refuse a removed administrator everywhere', async () => {
      const [a, b, c] = nodes;
      expect((await b.call('GET', '/nodes', undefined, 'bob')).status).not.toBe(401);
      expect((await a.call('DELETE', '/administrators/bob')).status).toBe(204);
      const isRefused = async (node: TestNode): Promise<boolean> =>
        (await node.call('GET', '/overview', undefined, 'bob')).status === 401;
      for (const node of [b, c]) await until('bob is refused', () => isRefused(node));
      // The revision has the administrator who made it.
      const { revision } = (await a.call('GET', '/nodes')).body;
      await b.process.printedError(new RegExp(`"revision":${String(revision)},"by":"ada"`));
    });

    it('give a password file that was edited by another program to the others', async () => {
      const [a, b, c] = nodes;
      const fileOf = (node: TestNode): string => path.join(node.root, 'data/administrators.htpasswd');
      const line = readFileSync(fileOf(a), 'utf8').replace(/^ada:/m, 'eve:');
      writeFileSync(fileOf(b), readFileSync(fileOf(b), 'utf8') + line);
      for (const node of [a, c])
        // Failed sign-ins would be throttled.
        await until('the file is there', () => readFileSync(fileOf(node), 'utf8').includes('eve:'));
      for (const node of nodes)
        expect((await node.call('GET', '/overview', undefined, 'eve')).status).toBe(200);
    });

    it('give an edited file to the others once it can be read again', async () => {
      const [a, b, c] = nodes;
      const fileOf = (node: TestNode): string => path.join(node.root, 'data/administrators.htpasswd');
      const lines = readFileSync(fileOf(b), 'utf8');
      rmSync(fileOf(b));
      mkdirSync(fileOf(b));
      // Longer than the time between two checks of a node.
      await delay(4_000);
      rmdirSync(fileOf(b));
      const [line = ''] = /^eve:.*\n/m.exec(lines) ?? [];
      writeFileSync(fileOf(b), lines + line.replace('eve:', 'zoe:'));
      for (const node of [a, c])
        await until('the file is there', () => readFileSync(fileOf(node), 'utf8').includes('zoe:'));
    });

    it('undo a change of another node', async () => {
      const [number] = await revisions();
      const { status } = await nodes[2].call('POST', '/undo', { revision: Number(number) });
      expect(status).toBe(200);
      for (const node of nodes) await until('it is undone', () => node.local() === nodes[2].local());
    });

    it('continue without the store, and change nothing until it is back', async () => {
      const [a] = nodes;
      await server.stop();
      const before = a.local();
      const { status, body } = await a.call('POST', '/selectors', { name: 'Unstored' });
      expect(status).toBe(503);
      expect(body.type).toMatch(/#configuration_store_unavailable$/);
      await until('degraded', async () =>
        ((await a.ready()).body.degraded as readonly string[]).includes('configuration store'),
      );
      expect((await a.ready()).status).toBe(200);
      // Files of its own need no store.
      expect((await a.call('POST', '/reload')).status).toBe(200);
      expect(await a.hasSelector('First')).toBe(true);
      expect(a.local()).toBe(before);
      // Also starts without it, from what it served last.
      await nodes[2].stop();
      await nodes[2].start({ NAME: 'json' });
      expect(await nodes[2].hasSelector('First')).toBe(true);
      await server.start();
      await allUseTheStore();
      await until('a change is accepted', async () => (await a.createSelector('Stored')) === 201);
      for (const node of nodes) await until('it is served', () => node.hasSelector('Stored'));
    });

    it('follow the current revision after an absence, and set aside what was edited meanwhile', async () => {
      const [a, b, c] = nodes;
      await c.stop();
      const file = path.join(c.root, 'config/autoload/local.json');
      writeFileSync(file, '{ "broken"');
      expect(await a.createSelector('Meanwhile')).toBe(201);
      await c.start({ NAME: 'json' });
      expect(await c.hasSelector('Meanwhile')).toBe(true);
      expect(c.local()).toBe(b.local());
      const replaced = path.join(c.root, 'data/nodes/c/replaced');
      const kept = existsSync(replaced) ? readdirSync(replaced) : [];
      expect(kept.map((name) => readFileSync(path.join(replaced, name), 'utf8'))).toEqual(['{ "broken"']);
    });

    it('serve a change that one of them cannot keep for its next start, and keep it later', async () => {
      const [a, b] = nodes;
      const kept = path.join(a.root, 'data/nodes/a/revision.json');
      rmSync(kept);
      mkdirSync(kept);
      expect(await a.createSelector('Unkept')).toBe(201);
      expect(await a.hasSelector('Unkept')).toBe(true);
      await a.process.printedError(/revision\.json cannot be written.*could not be kept/);
      for (const node of [a, b]) {
        await until('it is served', () => node.hasSelector('Unkept'));
        expect((await node.ready()).body).toEqual({ status: 'ready', degraded: [] });
      }
      // Also while the store is away: it is kept for a start without it.
      await server.stop();
      rmdirSync(kept);
      await until('it is kept', () => existsSync(kept));
      await server.start();
      await allUseTheStore();
      const { revision } = JSON.parse(readFileSync(kept, 'utf8')) as { revision: { number: number } };
      expect(revision.number).toBe((await a.call('GET', '/nodes')).body.revision);
    });

    it('change nothing while a node is silent, and continue without it once it is known to be gone', async () => {
      const [a, b, c] = nodes;
      c.process.child.kill('SIGSTOP');
      const { status, body } = await a.call('POST', '/selectors', { name: 'Silent' });
      expect(status).toBe(422);
      expect(body.nodes).toEqual([
        { node: 'c', message: expect.stringMatching(/^It did not answer within 10 seconds/) as string },
      ]);
      expect(await b.hasSelector('Silent')).toBe(false);
      await until('accepted without c', async () => (await a.createSelector('Silent')) === 201);
      c.process.child.kill('SIGCONT');
      await until('c catches up', () => c.hasSelector('Silent'));
    });

    it('are known to administrators and commands', async () => {
      const [a] = nodes;
      const listed = async (): Promise<Record<string, unknown>> => (await a.call('GET', '/nodes')).body;
      await until('all are current', async () => {
        const { nodes: all, revision } = await listed();
        return (all as { revision: number }[]).every((node) => node.revision === revision);
      });
      const body = await listed();
      expect(body.store).toBe(kind);
      expect(body.nodes).toMatchObject(
        ['a', 'b', 'c'].map((node) => ({
          node,
          state: 'serving',
          revision: body.revision,
          errors: expect.any(Number) as number,
          self: node === 'a',
        })),
      );
      await until('samples of each node', async () => {
        const { body: history } = await a.call('GET', '/nodes/history?minutes=5');
        const series = history.nodes as { node: string; memory: (number | null)[] }[];
        return (
          series.map(({ node }) => node).join() === 'a,b,c' &&
          series.every(({ memory }) => memory.filter((bytes) => bytes !== null && bytes > 1e7).length > 1)
        );
      });
      const { output } = await run(process.execPath, [CLI, 'nodes', '--root', a.root]);
      expect(output).toMatch(/^a +serving +\d+ +\d+\.\d+\.\d+ /m);
      expect(await run(process.execPath, [CLI, 'upgrade', 'check', '--root', a.root])).toMatchObject({
        code: 0,
      });
      const added = await run(process.execPath, [CLI, 'selector', 'add', 'Command', '--root', a.root]);
      expect(added.output).toContain('All running nodes have it.');
      for (const node of nodes) await until('it is served', () => node.hasSelector('Command'));
    });

    it('keep the last revision that they can use, and say why', async () => {
      const [a, b] = nodes;
      const before = b.local();
      await b.stop();
      const file = path.join(a.root, 'config/autoload/local.json');
      const tree = JSON.parse(a.local()) as Record<string, unknown>;
      writeFileSync(file, JSON.stringify({ ...tree, 'platform-documentation': { name: '${NAME}' } }));
      expect((await a.call('POST', '/reload')).status).toBe(200);
      await b.start({ STRICT: '1' });
      expect(b.local()).toBe(before);
      expect(await b.hasSelector('Command')).toBe(true);
      expect((await b.ready()).body.degraded).toEqual(['current configuration']);
      const { body } = await a.call('GET', '/nodes');
      expect(body.nodes).toContainEqual(
        expect.objectContaining({
          node: 'b',
          state: 'behind',
          problem: expect.stringContaining('environment variable NAME') as string,
        }),
      );
      writeFileSync(file, before);
      expect((await a.call('POST', '/reload')).status).toBe(200);
      await until('b follows', async () => ((await b.ready()).body.degraded as string[]).length === 0);
    });

    it('share what they did before when they start with the last revision that they can use', async () => {
      const [a, b] = nodes;
      await b.stop();
      expect(await a.createSelector(`${BAD}Later`)).toBe(201);
      await b.start({ STRICT: '1' });
      const warnings = await b.process.printedError(/^Warning: The current revision .* cannot be used.*$/m);
      expect(warnings).toContain(`the selector ${BAD}Later is not allowed here`);
      expect((await b.ready()).body.degraded).toEqual(['current configuration']);
      const metrics = await (await fetch(`${b.operations}/metrics`)).text();
      expect(metrics.includes('apidesc_cluster_redis_available 1')).toBe(kind === 'redis');
      expect((await a.call('DELETE', `/selectors/${BAD}Later`)).status).toBe(204);
      await until('b follows', async () => ((await b.ready()).body.degraded as string[]).length === 0);
    });

    it('take edited password files from each other, and refuse removed users, while one of them is behind', async () => {
      const [a, b, c] = nodes;
      const fileOf = (node: TestNode): string => path.join(node.root, 'data/administrators.htpasswd');
      const linesOf = (node: TestNode): readonly string[] => readFileSync(fileOf(node), 'utf8').split('\n');
      const has = (node: TestNode, user: string): boolean =>
        linesOf(node).some((line) => line.startsWith(`${user}:`));
      const write = (node: TestNode, lines: readonly string[]): void =>
        writeFileSync(fileOf(node), lines.join('\n'));
      const before = a.local();
      const file = path.join(a.root, 'config/autoload/local.json');
      const tree = JSON.parse(before) as Record<string, unknown>;
      await b.stop();
      writeFileSync(file, JSON.stringify({ ...tree, 'platform-documentation': { name: '${NAME}' } }));
      expect((await a.call('POST', '/reload')).status).toBe(200);
      await b.start({ STRICT: '1' });
      expect((await b.ready()).body.degraded).toEqual(['current configuration']);
      // In the admin.
      const own = linesOf(a).find((line) => line.startsWith('ada:')) ?? '';
      write(c, [own.replace('ada:', 'joe:'), ...linesOf(c)]);
      for (const node of nodes) await until('joe is known', () => has(node, 'joe'));
      expect((await a.call('DELETE', '/administrators/joe')).status).toBe(204);
      for (const node of nodes) await until('joe is removed', () => !has(node, 'joe'));
      // It is not asked about anything any more.
      await until('b looks at the store every three seconds again', async () => {
        const { nodes: seen } = (await a.call('GET', '/nodes')).body;
        return (seen as { node: string; last_seen: number }[]).some(
          (one) => one.node === 'b' && one.last_seen > 1.5,
        );
      });
      // By another program, on the node that is behind; the file is as it was before.
      write(a, [own.replace('ada:', 'kim:'), ...linesOf(a)]);
      for (const node of nodes) await until('kim is known', () => has(node, 'kim'));
      write(
        b,
        linesOf(b).filter((line) => !line.startsWith('kim:')),
      );
      for (const node of [a, c]) await until('kim is removed', () => !has(node, 'kim'));
      for (const node of nodes)
        await until('kim is refused', async () =>
          [401, 429].includes((await node.call('GET', '/overview', undefined, 'kim')).status),
        );
      const { status, body } = await b.call('POST', '/selectors', { name: 'OnB' });
      expect([status, body.detail]).toEqual([
        503,
        expect.stringMatching(/node b cannot use the current revision .*environment variable NAME/),
      ]);
      writeFileSync(file, before);
      expect((await a.call('POST', '/reload')).status).toBe(200);
      await until('b follows', async () => ((await b.ready()).body.degraded as string[]).length === 0);
      for (const node of nodes) expect([has(node, 'joe'), has(node, 'kim')]).toEqual([false, false]);
    });

    it('lose nothing when a node is killed during a proposal', async () => {
      const [a, b, c] = nodes;
      const change = c.createSelector('Killed').catch(() => 0);
      await c.stop('SIGKILL');
      await change;
      // Whether it was written or not, all agree.
      await until('a change is accepted', async () => (await a.createSelector('AfterKill')) === 201);
      await c.start({ NAME: 'json' });
      for (const node of [b, c]) await until('the same', () => node.local() === a.local());
      expect(await c.hasSelector('AfterKill')).toBe(true);
    });

    it('agree after changes of two administrators, half of them invalid', async () => {
      const [a, b, c] = nodes;
      const accepted: string[] = [];
      const administrator = async (node: TestNode, user: string): Promise<void> => {
        for (let at = 0; at < 8; at++) {
          const name = `${at % 2 === 0 ? 'Good' : BAD}${user}${at}`;
          let status = 412;
          while (status === 412) status = await node.createSelector(name, user);
          expect(status).toBe(at % 2 === 0 ? 201 : 422);
          if (status === 201) accepted.push(name);
        }
      };
      await Promise.all([administrator(a, 'ada'), administrator(c, 'eve')]);
      expect(accepted).toHaveLength(8);
      for (const node of nodes) await until('the same', () => node.local() === a.local());
      for (const name of accepted) expect(b.local()).toContain(`"${name}"`);
      expect(a.local()).not.toContain(BAD);
    });
  });
});
