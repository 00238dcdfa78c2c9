import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationUnavailable, LOCAL_FILE, type ApplicationHost } from '../../../../src/framework';
import { Candidates } from '../../../../src/modules/cluster/nodes/candidates';
import { DeploymentConfiguration } from '../../../../src/modules/cluster/nodes/deployment-configuration';
import { NodeStatus } from '../../../../src/modules/cluster/nodes/node-status';
import { Rollout } from '../../../../src/modules/cluster/nodes/rollout';
import { SharedDocuments } from '../../../../src/modules/cluster/nodes/shared-documents';
import {
  PROPOSAL_TTL,
  type ConfigurationStore,
  type Proposal,
} from '../../../../src/modules/cluster/store/configuration-store';
import type { Answer, NodeReport, SeenNode } from '../../../../src/modules/cluster/store/node-report';
import { PostgresStore } from '../../../../src/modules/cluster/store/postgres/postgres-store';
import { schemaOf } from '../../../../src/modules/cluster/store/postgres/tables';
import { RedisStore } from '../../../../src/modules/cluster/store/redis/redis-store';
import {
  hashOf,
  hashOfRevision,
  type Documents,
  type StoredRevision,
} from '../../../../src/modules/cluster/store/stored-revision';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { RedisServer } from '../../../factories/processes/redis';

/** A server that can be stopped, with its data. */
interface Server {
  open(prefix: string): ConfigurationStore;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const servers: readonly [string, 'redis-server' | 'postgres', () => Promise<Server>][] = [
  [
    'Redis',
    'redis-server',
    async () => {
      const server = await RedisServer.start();
      return {
        open: (prefix) => new RedisStore({ url: server.url, prefix }),
        stop: () => server.stop(),
        start: () => server.start(),
        close: () => server.close(),
      };
    },
  ],
  [
    'PostgreSQL',
    'postgres',
    async () => {
      const server = await PostgresServer.start();
      return {
        open: (prefix) => new PostgresStore({ url: server.url(), prefix }),
        stop: () => server.stop(),
        start: () => server.start(),
        close: () => server.close(),
      };
    },
  ],
];

function revisionOf(number: number, files: Readonly<Record<string, string>>): [StoredRevision, Documents] {
  const documents = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hashOf(text)]));
  const revision = {
    number,
    at: '2026-01-02T03:04:05.000Z',
    by: 'admin',
    via: 'page',
    summary: `Change ${number}.`,
    node: 'a',
    documents,
  };
  return [revision, new Map(Object.values(files).map((text) => [hashOf(text), Buffer.from(text)]))];
}

function proposalOf(number: number, files: Readonly<Record<string, string>>): [Proposal, Documents] {
  const [revision, documents] = revisionOf(number, files);
  return [{ id: randomUUID(), base: number - 1, revision }, documents];
}

const report: NodeReport = {
  id: 'a',
  instance: 'i',
  folder: 'f',
  host: 'h',
  pid: 1,
  version: '1.2.3',
  format: 1,
  revision: 7,
  state: 'behind',
  problem: 'It is "broken".',
  started: '2026-01-02T03:04:05.000Z',
  load: 0.25,
  requests: 1.5,
  errors: 3,
  memory: 123_000_000,
};

describe.each(servers)('a configuration store in %s', (_, program, start) => {
  withPrograms(program).describe('on a real server', () => {
    let server: Server;
    const open: ConfigurationStore[] = [];
    let prefixes = 0;
    const openStore = (prefix = `Test-${++prefixes}`): ConfigurationStore => {
      const store = server.open(prefix);
      open.push(store);
      return store;
    };
    beforeAll(async () => (server = await start()));
    afterEach(async () => {
      for (const store of open.splice(0)) await store.close();
    });
    afterAll(() => server.close());

    async function seeded(prefix?: string): Promise<ConfigurationStore> {
      const store = openStore(prefix);
      expect(await store.seed(...revisionOf(1, { 'local.json': '{}' }))).toBe(true);
      return store;
    }

    it('is empty, and seeded once', async () => {
      const prefix = `Test-${++prefixes}`;
      const stores = Array.from({ length: 5 }, () => openStore(prefix));
      expect(await stores[0]?.head()).toBeUndefined();
      const first = await Promise.all(stores.map((one, at) => one.seed(...revisionOf(1, { a: `${at}` }))));
      expect(first.filter(Boolean)).toHaveLength(1);
      const [revision] = revisionOf(1, { a: `${first.indexOf(true)}` });
      for (const store of stores) {
        expect(await store.head()).toEqual({
          format: 1,
          number: 1,
          hash: hashOfRevision(revision),
          proposal: undefined,
        });
        expect(await store.revision(1)).toEqual(revision);
        expect(await store.history()).toEqual([revision]);
      }
    });

    it('keeps documents of any content', async () => {
      const content = Buffer.from(Array.from({ length: 256 }, (__, octet) => octet));
      const hash = hashOf(content);
      const [revision] = revisionOf(1, {});
      const store = openStore();
      await store.seed({ ...revision, documents: { file: hash } }, new Map([[hash, content]]));
      expect(await store.documents([hash, 'unknown'])).toEqual(new Map([[hash, content]]));
      expect(await store.documents([])).toEqual(new Map());
    });

    it('commits a proposal with its answers', async () => {
      const store = await seeded();
      const [proposal, documents] = proposalOf(2, { 'local.json': '{"a":1}', 'data/users': 'x:y' });
      expect(await store.proposal()).toBeUndefined();
      expect(await store.propose(proposal, documents)).toBe('proposed');
      expect((await store.head())?.proposal).toBe(proposal.id);
      expect((await store.head())?.number).toBe(1);
      expect(await store.proposal()).toEqual(proposal);
      await store.answer(proposal.id, 'b', { ok: true });
      await store.answer(proposal.id, 'c d', { ok: false, message: 'no "X"' });
      expect(await store.answers(proposal.id)).toEqual(
        new Map([
          ['b', { ok: true }],
          ['c d', { ok: false, message: 'no "X"' }],
        ]),
      );
      expect(await store.commit(proposal.id)).toBe(true);
      expect(await store.head()).toMatchObject({ number: 2, proposal: undefined });
      expect(await store.revision(2)).toEqual(proposal.revision);
      expect(await store.documents([...documents.keys()])).toEqual(documents);
      expect((await store.history()).map(({ number }) => number)).toEqual([2, 1]);
      expect(await store.commit(proposal.id)).toBe(false);
      expect(await store.answers(proposal.id)).toEqual(new Map());
    });

    it('returns the current revision together with its head', async () => {
      const store = openStore();
      expect(await store.current()).toBeUndefined();
      await store.seed(...revisionOf(1, { 'local.json': '{}' }));
      const [proposal, documents] = proposalOf(2, { 'local.json': '{"a":1}' });
      await store.propose(proposal, documents);
      const [first] = revisionOf(1, { 'local.json': '{}' });
      expect(await store.current()).toEqual({ head: await store.head(), revision: first });
      await store.commit(proposal.id);
      expect(await store.current()).toEqual({ head: await store.head(), revision: proposal.revision });
    });

    it('commits a change whose author has a name that is not valid Unicode', async () => {
      const store = await seeded();
      const deployment = new DeploymentConfiguration({ root: '/none', store, node: undefined });
      const author = { by: 'Zo\ud83d', via: 'page', summary: 'Mapped "\0" to "\ude00".' };
      const changes = new Map([['local.json', Buffer.from('{"a":1}')]]);
      const revision = await deployment.change(await deployment.current(), changes, author);
      expect(revision).toMatchObject({ number: 2, by: 'Zo\ufffd', summary: 'Mapped "\ufffd" to "\ufffd".' });
      expect(await store.history()).toEqual([revision, await store.revision(1)]);
    });

    it('keeps what a node says that is not valid Unicode', async () => {
      const store = await seeded();
      const host = { build: () => Promise.reject(new Error('The name "\0\ud83d" is not allowed.')) };
      const documents = new SharedDocuments(mkdtempSync(path.join(tmpdir(), 'said-')));
      const [proposal, contents] = proposalOf(2, { [LOCAL_FILE]: '{"a":1}' });
      await store.propose(proposal, contents);
      const candidates = new Candidates(host as unknown as ApplicationHost, store, documents);
      await store.answer(proposal.id, 'a', await candidates.judge(proposal, undefined, undefined));
      const message = 'The name "\ufffd\ufffd" is not allowed.';
      expect(await store.answers(proposal.id)).toEqual(new Map([['a', { ok: false, message }]]));
      const status = new NodeStatus({ id: 'a', folder: 'f' }, '1.2.3', () => ({ requests: 0, errors: 0 }));
      status.fallBehind('The name "\0\ude00" is not allowed.');
      await store.announce(status.report());
      expect(await store.nodes()).toMatchObject([{ id: 'a', problem: message }]);
    });

    it('does not report a revision that it cannot read as a server that cannot be used', async () => {
      const store = openStore();
      const [revision, documents] = revisionOf(1, { a: '1' });
      await store.seed({ ...revision, summary: undefined as unknown as string }, documents);
      for (const read of [() => store.current(), () => store.revision(1)])
        await expect(read()).rejects.toThrow(/^The configuration store has an unreadable revision\.$/);
    });

    it('has one proposal at a time, and forgets one that is withdrawn', async () => {
      const store = await seeded();
      const [first, documents] = proposalOf(2, { a: '1' });
      const [second] = proposalOf(2, { a: '2' });
      expect(await store.propose(first, documents)).toBe('proposed');
      expect(await store.propose(second, documents)).toBe('busy');
      await store.withdraw(second.id);
      expect(await store.propose(second, documents)).toBe('busy');
      await store.withdraw(first.id);
      expect(await store.proposal()).toBeUndefined();
      expect(await store.commit(first.id)).toBe(false);
      expect(await store.propose(second, documents)).toBe('proposed');
      expect(await store.commit(first.id)).toBe(false);
      expect(await store.commit(second.id)).toBe(true);
      expect(await store.propose(first, documents)).toBe('moved');
    });

    it('loses no revision of clients that race', async () => {
      const prefix = `Test-${++prefixes}`;
      await seeded(prefix);
      const committed: string[] = [];
      const client = async (name: string): Promise<void> => {
        const store = openStore(prefix);
        for (let done = 0; done < 10;) {
          const { number = 0 } = (await store.head()) ?? {};
          const [proposal, documents] = proposalOf(number + 1, { a: `${name}${done}` });
          if ((await store.propose(proposal, documents)) !== 'proposed') continue;
          if (!(await store.commit(proposal.id))) continue;
          committed.push(`${number + 1} ${hashOf(`${name}${done}`)}`);
          done++;
        }
      };
      await Promise.all(['x', 'y', 'z'].map(client));
      const history = await openStore(prefix).history();
      const found = history.map(({ number, documents }) => `${number} ${documents.a}`);
      expect(found.slice(0, -1).reverse()).toEqual(
        [...committed].sort((one, other) => parseInt(one, 10) - parseInt(other, 10)),
      );
      expect(found).toHaveLength(31);
    });

    it('keeps the last 50 revisions with their documents', async () => {
      const store = await seeded();
      for (let number = 2; number <= 53; number++) {
        const [proposal, documents] = proposalOf(number, { a: `${number}`, same: 'same' });
        expect(await store.propose(proposal, documents)).toBe('proposed');
        expect(await store.commit(proposal.id)).toBe(true);
      }
      const history = await store.history();
      expect(history.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (__, at) => 53 - at));
      expect(await store.revision(3)).toBeUndefined();
      const documents = await store.documents(['3', '4', 'same'].map(hashOf));
      expect(new Set([...documents.values()].map(String))).toEqual(new Set(['4', 'same']));
    });

    it('knows nodes until they leave', async () => {
      const store = openStore();
      expect(await store.nodes()).toEqual([]);
      await store.announce(report);
      await store.announce({ ...report, id: 'b' });
      const { problem: ignored, ...better } = report;
      expect(ignored).toBeDefined();
      await store.announce({ ...better, revision: 8, state: 'serving' });
      const nodes = await store.nodes();
      expect(nodes).toEqual([
        { ...better, revision: 8, state: 'serving', age: expect.any(Number) as number },
        { ...report, id: 'b', age: expect.any(Number) as number },
      ]);
      await delay(20);
      expect((await store.nodes())[0]?.age).toBeGreaterThanOrEqual(20);
      await store.leave('a');
      expect((await store.nodes()).map(({ id }) => id)).toEqual(['b']);
    });

    it('is changed without a node that leaves before it answers', async () => {
      const store = await seeded();
      await store.announce({ ...report, id: 'b', state: 'serving' });
      const [revision, documents] = revisionOf(2, { 'local.json': '{ "b": 1 }' });
      const changed = new Rollout(store, 'a').run(revision, documents);
      while ((await store.head())?.proposal === undefined) await delay(10);
      await store.leave('b');
      await changed;
      expect(await store.head()).toMatchObject({ number: 2, proposal: undefined });
    });

    it('separates prefixes', async () => {
      await seeded('one.two');
      expect(await openStore('one-two').head()).toBeUndefined();
      expect(await openStore('one.two').head()).toBeDefined();
    });

    it('fails while the server is away, and continues with the same data', async () => {
      const store = await seeded();
      const [proposal, documents] = proposalOf(2, { a: '1' });
      expect(await store.propose(proposal, documents)).toBe('proposed');
      await server.stop();
      await expect(store.head()).rejects.toThrow(ConfigurationUnavailable);
      await expect(store.commit(proposal.id)).rejects.toThrow(/cannot be used: .*ECONNREFUSED|ended|closed/);
      await expect(openStore('Test-other').head()).rejects.toThrow(/ECONNREFUSED/);
      await server.start();
      const headOf = async (): Promise<unknown> => store.head().catch(() => undefined);
      while ((await headOf()) === undefined) await delay(50);
      expect(await store.head()).toMatchObject({ number: 1 });
    });
  });
});

withPrograms('postgres').describe('PostgreSQL', () => {
  withPrograms('postgres').it('notifies the nodes of changes', async () => {
    const server = await PostgresServer.start();
    const [one, other] = [0, 1].map(() => new PostgresStore({ url: server.url(), prefix: 'hints' }));
    try {
      await other?.head();
      const hint = new Promise<void>((resolve) => other?.onHint(resolve));
      await one?.seed(...revisionOf(1, {}));
      await hint;
    } finally {
      await one?.close();
      await other?.close();
      await server.close();
    }
  });

  it('has one schema for each prefix', () => {
    expect(schemaOf('shop')).toBe('apidesc_platform_shop');
    expect(schemaOf('apidesc-platform')).toMatch(/^apidesc_platform_apidesc_platform_[0-9a-f]{8}$/);
    const names = ['a.b', 'a-b', 'a_b', 'A_b', 'x'.repeat(100), 'x'.repeat(99)].map(schemaOf);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,63}$/);
  });
});

withPrograms('redis-server').describe('Redis', () => {
  withPrograms('redis-server').it('is connected again after its connection went silent', async () => {
    const server = await RedisServer.start();
    const connections: (readonly [client: Socket, server: Socket])[] = [];
    const network = createServer((client) => {
      const other = connect(server.port, '127.0.0.1');
      connections.push([client, other]);
      client.pipe(other).pipe(client);
      for (const socket of [client, other]) socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    const { port } = network.address() as AddressInfo;
    const store = new RedisStore({ url: `redis://127.0.0.1:${port}`, prefix: 'silent' });
    try {
      expect(await store.head()).toBeUndefined();
      // As if a firewall had forgotten it: neither end learns of that.
      for (const [client, other] of connections) client.unpipe(other).resume();
      await expect(store.head()).rejects.toThrow('Command timed out');
      const isBack = (): Promise<boolean> =>
        store.head().then(
          () => true,
          () => false,
        );
      while (!(await isBack())) await delay(50);
    } finally {
      await store.close();
      for (const socket of connections.flat()) socket.destroy();
      network.close();
      await server.close();
    }
  });

  withPrograms('redis-server').it('accepts no proposal that nobody could answer without memory', async () => {
    const server = await RedisServer.start();
    const store = new RedisStore({ url: server.url, prefix: 'full' });
    try {
      await store.seed(...revisionOf(1, { a: '1' }));
      await server.command('CONFIG', 'SET', 'maxmemory', '1');
      await expect(store.propose(...proposalOf(2, { a: '2' }))).rejects.toThrow('cannot be used: OOM');
      expect(await store.head()).toMatchObject({ number: 1, proposal: undefined });
      await server.command('CONFIG', 'SET', 'maxmemory', '0');
      expect(await store.propose(...proposalOf(2, { a: '2' }))).toBe('proposed');
    } finally {
      await store.close();
      await server.close();
    }
  });
});

describe('a change that other nodes are asked about', () => {
  /** After what waits for promises alone, and before any timer. */
  async function soon(task: () => void): Promise<void> {
    for (let at = 0; at < 50; at++) await Promise.resolve();
    task();
  }

  it('is committed as soon as they have answered, and done as soon as they have activated it', async () => {
    const calls: string[] = [];
    let node: SeenNode = { ...report, state: 'serving', revision: 1, age: 0 };
    let answers = new Map<string, Answer>();
    let hint = (): void => undefined;
    const store: Partial<ConfigurationStore> = {
      propose: () => {
        void soon(() => {
          answers = new Map([[node.id, { ok: true }]]);
          hint();
        });
        return Promise.resolve('proposed');
      },
      nodes: () => Promise.resolve([node]),
      answers: () => Promise.resolve(answers),
      commit: () => {
        calls.push('commit');
        void soon(() => {
          node = { ...node, revision: 2 };
          calls.push('activated');
          hint();
        });
        return Promise.resolve(true);
      },
      onHint: (listener) => {
        hint = listener;
        return () => (hint = () => undefined);
      },
    };
    setImmediate(() => calls.push('a turn of the event loop later'));
    // What it does not have is not called.
    await new Rollout(store as ConfigurationStore, 'other').run(...revisionOf(2, {}));
    expect(calls).toEqual(['commit', 'activated']);
  });
});

describe('a change while another one is proposed', () => {
  afterEach(() => jest.restoreAllMocks());

  it('waits until the proposal is void, as its node may have been killed', async () => {
    let elapsed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
    const busy: Partial<ConfigurationStore> = {
      propose: () => {
        elapsed += 4_000;
        return Promise.resolve(elapsed <= PROPOSAL_TTL ? 'busy' : 'proposed');
      },
      nodes: () => Promise.resolve([]),
      answers: () => Promise.resolve(new Map()),
      onHint: () => () => undefined,
      commit: () => Promise.resolve(true),
    };
    const [revision, documents] = revisionOf(2, {});
    // What it does not have is not called.
    await new Rollout(busy as ConfigurationStore, 'a').run(revision, documents);
    expect(elapsed).toBeGreaterThan(PROPOSAL_TTL);
  });
});
