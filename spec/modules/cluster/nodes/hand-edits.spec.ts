import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApplicationHost } from '../../../../src/framework';
import type { DeploymentConfiguration } from '../../../../src/modules/cluster/nodes/deployment-configuration';
import { HandEdits } from '../../../../src/modules/cluster/nodes/hand-edits';
import { SharedDocuments } from '../../../../src/modules/cluster/nodes/shared-documents';
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
