import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../factories/platform';
import { run } from '../../../factories/processes';

// In a separate process, as the test runner replaces Node's own loaders.
const READ = `
const { readScript } = require(${JSON.stringify(path.join(ROOT, 'dist/framework/config/layers/script-file.js'))});
const { writeFileSync } = require('node:fs');
(async () => {
  const [script, changed, ...texts] = process.argv.slice(1);
  for (const text of ['', ...texts]) {
    if (text !== '') writeFileSync(changed, text);
    console.log(JSON.stringify(await readScript(script, 'x.local.js')));
  }
})();
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'script-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

/** Returns the exports of a script, at first and after each change of a file. */
async function reads(
  script: string,
  changed: string,
  ...texts: readonly string[]
): Promise<readonly string[]> {
  const { output } = await run(process.execPath, ['-e', READ, script, changed, ...texts]);
  return output.trim().split('\n');
}

describe('A configuration script that changes at runtime', () => {
  it('is reloaded', async () => {
    const script = write('x.local.js', 'exports.a = 1;');
    expect(await reads(script, script, 'exports.a = 2;', 'exports.a = 1;')).toEqual([
      '{"a":1}',
      '{"a":2}',
      '{"a":1}',
    ]);
  });

  it('is reloaded with the files that it requires', async () => {
    const shared = write('shared.js', 'exports.a = 1;');
    const script = write('x.local.js', "module.exports = { a: require('./shared').a };");
    expect(await reads(script, shared, 'exports.a = 2;', 'exports.a = 3;')).toEqual([
      '{"a":1}',
      '{"a":2}',
      '{"a":3}',
    ]);
  });

  it('can be an ES module with top-level await', async () => {
    const script = write('x.local.js', 'export default { a: 1 };');
    expect(
      await reads(script, script, 'export default { a: 22 };', 'export default { a: await 333 };'),
    ).toEqual(['{"a":1}', '{"a":22}', '{"a":333}']);
  });
});
