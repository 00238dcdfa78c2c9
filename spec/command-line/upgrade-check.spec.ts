import path from 'node:path';
import { assessUpgrade } from '../../src/command-line/nodes/upgrade-check';
import { makeProject, ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

const own = { version: '2.0.0', format: 2 };
const head = { format: 2, number: 1, hash: '', proposal: undefined };
const node = {
  id: 'a',
  instance: '',
  folder: '',
  host: '',
  pid: 1,
  version: '1.0.0',
  format: 2,
  revision: 1,
  state: 'serving',
  started: '',
  load: 0,
  requests: 0,
  errors: 0,
  memory: 0,
  age: 0,
} as const;

describe('upgrade check', () => {
  it('permits a rolling upgrade with the same format', () => {
    for (const store of [undefined, head])
      expect(assessUpgrade(own, store, [node])).toEqual({
        isRolling: true,
        lines: [
          'This is version 2.0.0, which uses format 2 of the configuration store.',
          'Node a: version 1.0.0, format 2.',
          'A rolling upgrade is possible: replace one node after the other.',
        ],
      });
  });

  it('permits none with another format of the store or of a node', () => {
    const older = assessUpgrade(own, { ...head, format: 1 }, [{ ...node, format: 1 }]);
    expect(older.isRolling).toBe(false);
    expect(older.lines.at(-1)).toMatch(
      /^No rolling upgrade: The store has format 1\. Node a uses format 1\. Stop all nodes/,
    );
    expect(assessUpgrade(own, head, [node, { ...node, id: 'b', format: 3 }]).isRolling).toBe(false);
  });

  it('has exit code 0 without a store', async () => {
    const root = makeProject({ modules: ['hosting'] });
    const cli = path.join(ROOT, 'dist/cli.js');
    const check = await run(process.execPath, [cli, 'upgrade', 'check', '--root', root]);
    expect(check.output).toContain('A rolling upgrade is possible');
    const nodes = await run(process.execPath, [cli, 'nodes', '--root', root]);
    expect(nodes.output).toContain('Each node keeps its configuration in files');
  });
});
