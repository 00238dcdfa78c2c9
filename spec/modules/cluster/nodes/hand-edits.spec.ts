import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApplicationHost } from '../../../../src/framework';
import type { DeploymentConfiguration } from '../../../../src/modules/cluster/nodes/deployment-configuration';
import { Candidates } from '../../../../src/modules/cluster/nodes/candidates';
import { HandEdits } from '../../../../src/modules/cluster/nodes/hand-edits';
import { SharedDocuments } from '../../../../src/modules/cluster/nodes/shared-documents';
import { StoredRepository } from '../../../../src/modules/cluster/nodes/stored-repository';
import type { ConfigurationStore } from '../../../../src/modules/cluster/store/configuration-store';
import type { Answer } from '../../../../src/modules/cluster/store/node-report';
import { hashOf } from '../../../../src/modules/cluster/store/stored-revision';
import { makeProject, MemoryLog } from '../../../factories/platform';

const FILE = 'data/people.htpasswd';
const BEFORE = 'ada:1\n';
const AFTER = 'ada:1\nbob:2\n';

describe('edits on the machine of a node', () => {
  const published: string[] = [];
  let edits: HandEdits;
  let file: string;

  beforeEach(() => {
    published.length = 0;
    const root = makeProject({ modules: [] });
    file = path.join(root, FILE);
    mkdirSync(path.dirname(file));
    writeFileSync(file, BEFORE);
    // What the class uses of them.
    const host = { current: { configuration: { root, valueAt: () => undefined } } };
    const deployment = {
      documents: new SharedDocuments(root),
      change: (_base: unknown, changes: ReadonlyMap<string, Buffer>) => {
        for (const content of changes.values()) published.push(content.toString());
        return Promise.resolve();
      },
    };
    edits = new HandEdits(
      host as unknown as ApplicationHost,
      deployment as unknown as DeploymentConfiguration,
      () => new MemoryLog(),
    );
  });

  const documents = { [FILE]: hashOf(Buffer.from(BEFORE)) };
  const publish = (): Promise<void> =>
    edits.publishOthers({ number: 3, at: '', by: 'a', summary: '', node: 'n', documents });

  it('are given to the others', async () => {
    await publish();
    expect(published).toEqual([]);
    writeFileSync(file, AFTER);
    await publish();
    expect(published).toEqual([AFTER]);
  });

  it('are not given to them while a program has emptied the file that it writes', async () => {
    writeFileSync(file, '');
    const looking = publish();
    await delay(100);
    writeFileSync(file, AFTER);
    await looking;
    expect(published).toEqual([]);
    await publish();
    expect(published).toEqual([AFTER]);
  });
});

describe('the configuration of a deployment', () => {
  it('is changed on no node if it cannot be written on the one that changes it', async () => {
    const root = makeProject({ modules: [] });
    const revision = { number: 1, at: '', by: 'a', summary: '', node: 'n', documents: {} };
    let changes = 0;
    const repository = new StoredRepository(root, {
      store: { head: never, history: never, documents: never },
      documents: new SharedDocuments(root),
      current: () => Promise.resolve(revision),
      change: () => {
        changes++;
        return Promise.resolve({ ...revision, number: 2 });
      },
      assertNotStale: () => Promise.resolve(false),
      onWritten: () => Promise.resolve(),
    });
    const lock = path.join(root, 'config/autoload/local.json.lock');
    const write = (isFull: boolean): Promise<unknown> =>
      repository.locked(async (local) => {
        const draft = path.join(lock, readdirSync(lock)[0] ?? '', 'draft');
        if (isFull) {
          rmSync(draft);
          mkdirSync(draft);
        }
        await local.write('{ "server": {} }\n', { by: 'ada', summary: 'A change.' });
      });
    await expect(write(true)).rejects.toThrow('cannot be written');
    expect(changes).toBe(0);
    await write(false);
    expect(changes).toBe(1);
    expect((await repository.read()).text).toBe('{ "server": {} }\n');
  });
});

const never = (): Promise<never> => Promise.reject(new Error('It is not called.'));

describe('a proposal', () => {
  it('is refused by a node that cannot write it', async () => {
    const text = Buffer.from('{ "server": {} }\n');
    const documents = { 'config/autoload/local.json': hashOf(text) };
    const revision = { number: 2, at: '', by: 'a', via: 'page', summary: '', node: 'n', documents };
    const proposal = { id: 'p', base: 1, revision };
    // What the class uses of them.
    const host = { build: () => Promise.resolve({ dispose: () => Promise.resolve() }) };
    const store = {
      documents: () => Promise.resolve(new Map([[hashOf(text), text]])),
      revision: () => Promise.resolve(undefined),
    };
    const answerIn = async (root: string): Promise<Answer> => {
      const candidates = new Candidates(
        host as unknown as ApplicationHost,
        store as unknown as ConfigurationStore,
        new SharedDocuments(root),
      );
      const answer = await candidates.judge(proposal, undefined, undefined);
      await candidates.discard(undefined);
      return answer;
    };
    const root = makeProject({ modules: [] });
    expect(await answerIn(root)).toEqual({ ok: true });
    expect(readdirSync(path.join(root, 'config/autoload'))).not.toContainEqual(expect.stringMatching(/tmp$/));
    // Nobody can create a file there, also not who has every permission.
    expect(await answerIn('/proc')).toEqual({
      ok: false,
      message: expect.stringContaining('config/autoload/local.json cannot be written') as string,
    });
  });

  it('is refused by a node for what it changes, not for other files that the node cannot write', async () => {
    const root = makeProject({ modules: [] });
    // The name of a draft of it is too long, as there is no space for a draft on a full disk.
    const name = `data/${'x'.repeat(240)}`;
    mkdirSync(path.join(root, 'data'), { recursive: true });
    writeFileSync(path.join(root, name), 'another');
    const text = Buffer.from(AFTER);
    const documents = { [name]: hashOf(text) };
    const revision = { number: 2, at: '', by: 'a', summary: '', node: 'n', documents };
    const judge = async (before: string): Promise<boolean> => {
      const base = { ...revision, number: 1, documents: { [name]: before } };
      const store = {
        documents: () => Promise.resolve(new Map([[hashOf(text), text]])),
        revision: () => Promise.resolve(base),
      };
      const candidates = new Candidates(
        {} as unknown as ApplicationHost,
        store as unknown as ConfigurationStore,
        new SharedDocuments(root),
      );
      return (await candidates.judge({ id: 'p', base: 1, revision }, base, undefined)).ok;
    };
    expect([await judge(hashOf(Buffer.from(BEFORE))), await judge(hashOf(text))]).toEqual([false, true]);
  });
});
