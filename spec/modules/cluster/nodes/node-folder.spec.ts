import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  ActiveRevision,
  type ActiveRevisionParts,
} from '../../../../src/modules/cluster/nodes/active-revision';
import { nameNode, NodeFolder } from '../../../../src/modules/cluster/nodes/node-folder';
import {
  namedPaths,
  sharedPath,
  SharedDocuments,
} from '../../../../src/modules/cluster/nodes/shared-documents';
import { NodeStatus } from '../../../../src/modules/cluster/nodes/node-status';
import { knownSince, RevisionFiles } from '../../../../src/modules/cluster/nodes/revision-files';
import { hashOf } from '../../../../src/modules/cluster/store/stored-revision';
import { valueAt, type ConfigObject } from '../../../../src/framework';
import { MemoryLog } from '../../../../src/testing';
import { makeProject } from '../../../factories/platform';

const revision = { number: 3, at: '', by: 'a', summary: 's', node: 'n', documents: { 'data/x': 'hash' } };

describe('the folder of a node', () => {
  it('has the name of the machine and the port, which stays', async () => {
    const root = makeProject({ modules: [] });
    const first = await nameNode(root, undefined, 8080);
    expect(first.id).toBe(`${first.folder}-8080`);
    expect(first.folder).toMatch(/^[A-Za-z0-9-]+-[0-9a-f]{6}$/);
    expect(await nameNode(root, '', 8080)).toEqual(first);
    expect((await nameNode(root, undefined, 8081)).id).toBe(`${first.folder}-8081`);
    const other = makeProject({ modules: [] });
    expect((await nameNode(other, undefined, 8080)).id).not.toBe(first.id);
  });

  it('has the name that the environment gives it', async () => {
    const root = makeProject({ modules: [] });
    expect((await nameNode(root, 'web-1', 8080)).id).toBe('web-1');
    for (const name of ['../x', 'a b', '.', 'x'.repeat(64)])
      await expect(nameNode(root, name, 8080)).rejects.toThrow(
        'The environment variable PLATFORM_NODE is ' + JSON.stringify(name),
      );
  });

  it('is held by one process, or one node of it', async () => {
    const root = makeProject({ modules: [] });
    const folder = new NodeFolder(root, 'a');
    await folder.hold();
    await new NodeFolder(root, 'b').hold();
    await folder.release();
    await new NodeFolder(root, 'a').hold();
  });

  it('keeps the last revision, and reads no damaged one', async () => {
    const root = makeProject({ modules: [] });
    const folder = new NodeFolder(root, 'a');
    expect(await folder.lastGood()).toBeUndefined();
    const content = { revision, content: new Map([['data/x', Buffer.from([0, 255])]]) };
    await folder.keep(content);
    expect(await folder.lastGood()).toEqual(content);
    const file = path.join(root, 'data/nodes/a/revision.json');
    for (const text of ['', '{', '{}', '{"content":{}}', '{"content":{},"revision":{"number":"1"}}']) {
      writeFileSync(file, text);
      expect(await folder.lastGood()).toBeUndefined();
    }
  });

  it('keeps replaced files', async () => {
    const root = makeProject({ modules: [] });
    const kept = await new NodeFolder(root, 'a').keepReplaced('data/x/y', Buffer.from('text'));
    expect(kept).toContain(path.join(root, 'data/nodes/a/replaced/data_x_y.'));
    expect(readFileSync(kept, 'utf8')).toBe('text');
  });

  it('keeps what only this node still has of a revision that the store has lost', async () => {
    const root = makeProject({ modules: [] });
    const documents = new SharedDocuments(root);
    const log = new MemoryLog();
    const files = new RevisionFiles(documents, new NodeFolder(root, 'a'), log);
    const withUsers = (number: number, users: string) => ({
      revision: { ...revision, number, documents: { 'data/users': hashOf(users) } },
      content: new Map([['data/users', Buffer.from(users)]]),
    });
    const [first, second, third] = [withUsers(1, 'ada'), withUsers(2, 'ada bob'), withUsers(3, 'ada eve')];
    const keptAfter = async (
      written: typeof first,
      history: readonly (typeof first)[],
    ): Promise<string[]> => {
      await documents.write('data/users', written.content.get('data/users') ?? Buffer.alloc(0));
      const revisions = history.map((one) => one.revision);
      const next = history[0] ?? first;
      const known = knownSince(written.revision, next.revision, revisions, log);
      await files.writeOthers(next, known, written.revision);
      const folder = path.join(root, 'data/nodes/a/replaced');
      const kept = existsSync(folder) ? readdirSync(folder) : [];
      return kept.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    };
    expect(await keptAfter(second, [third, second, first])).toEqual([]);
    // The node was away for so long that its revision was removed.
    expect(await keptAfter(first, [third, second])).toEqual([]);
    const lost = () => log.lines.filter(({ message }) => message.includes('has lost'));
    expect(lost()).toEqual([]);
    expect(await keptAfter(second, [first])).toEqual(['ada bob']);
    expect(lost()).toMatchObject([{ level: 'warn', details: { lost: 2, revision: 1 } }]);
  });
});

describe('a revision that cannot be activated', () => {
  it('causes one warning that the store has lost the one before, however often it is tried', async () => {
    const root = makeProject({ modules: [], files: { blocked: 'a file in place of a folder' } });
    const [documents, folder, log] = [new SharedDocuments(root), new NodeFolder(root, 'a'), new MemoryLog()];
    const active = new ActiveRevision({
      documents,
      folder,
      files: new RevisionFiles(documents, folder, log),
      status: new NodeStatus({ id: 'a', folder: 'f' }, '1', () => ({ requests: 0, errors: 0 })),
      log: () => log,
      // No application is built before the files are written.
      ...({} as Pick<ActiveRevisionParts, 'host' | 'candidates'>),
    });
    const contentOf = (number: number, file: string) => ({
      revision: { ...revision, number, documents: { [file]: hashOf('ada') } },
      content: new Map([[file, Buffer.from('ada')]]),
    });
    await active.begin(contentOf(2, 'data/users'), undefined);
    const [first, other] = [contentOf(1, 'blocked/users'), contentOf(1, 'blocked/others')];
    for (const next of [first, first, first, other]) await active.activate(next, [next.revision]);
    const lines = (text: string) => log.lines.filter(({ message }) => message.includes(text));
    expect(lines('cannot be activated')).not.toEqual([]);
    // The store has another one now.
    expect(lines('has lost')).toHaveLength(2);
  });
});

describe('shared files', () => {
  it('are those that adapters and the admin name inside of the project', () => {
    const tree: ConfigObject = {
      'platform-admin': { administrators: 'data/admins' },
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            a: { options: { htpasswd: 'data/users', htdigest: '/elsewhere', htgroup: './data/groups' } },
            b: { options: { htpasswd: 'data/users', htdigest: '${FILE}' } },
            c: 'malformed',
          },
        },
      },
    };
    expect(namedPaths('/project', (at) => valueAt(tree, at))).toEqual([
      'data/users',
      'data/groups',
      'data/admins',
      'data/admins.json',
    ]);
    expect(namedPaths('/project', () => undefined)).toEqual([]);
  });

  it('never leave the project', () => {
    expect(sharedPath('/project', 'a/../b')).toBe('b');
    for (const file of ['..', '../x', '/x', '.', 'a/../..', '/project-2/x'])
      expect(sharedPath('/project', file)).toBeUndefined();
    expect(sharedPath('/project', '..x')).toBe('..x');
    const documents = new SharedDocuments('/project');
    for (const name of ['../x', '/etc/passwd', 'a/../../x', 'a/../b'])
      expect(() => documents.fileOf(name)).toThrow('names a file outside of the project');
  });

  it('are replaced whole, with their folders', async () => {
    const root = makeProject({ modules: [] });
    const documents = new SharedDocuments(root);
    expect(await documents.hashOf('data/a/b')).toBeUndefined();
    expect(await documents.write('data/a/b', Buffer.from('1'))).toBe(true);
    expect(await documents.write('data/a/b', Buffer.from('1'))).toBe(false);
    expect(await documents.write('data/a/b', Buffer.from('2'))).toBe(true);
    mkdirSync(path.join(root, 'data/folder'));
    await expect(documents.write('data/folder', Buffer.from('2'))).rejects.toThrow('EISDIR');
    expect(await documents.readAll(['data/a/b', 'data/none'])).toEqual(
      new Map([['data/a/b', Buffer.from('2')]]),
    );
  });
});
