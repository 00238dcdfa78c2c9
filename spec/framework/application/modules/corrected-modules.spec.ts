import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../factories/platform';
import { run } from '../../../factories/processes/processes';

// In a separate process, as the test runner replaces Node's own loaders.
const LOAD = `
const { loadModules } = require(${JSON.stringify(path.join(ROOT, 'dist/framework/application/modules/load-modules.js'))});
const { writeFileSync } = require('node:fs');
(async () => {
  const [root, listed, changed, ...texts] = process.argv.slice(2);
  const modules = { root, builtIn: {}, listed: [{ name: './' + listed, location: 'modules[0]' }] };
  for (const text of texts) {
    writeFileSync(root + '/' + changed, text);
    const shown = await loadModules(modules).then(
      ([{ module }]) => module.name + ' ' + globalThis.evaluations,
      ({ message }) => message.split('\\n').join(' '),
    );
    console.log(shown);
  }
})();
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'modules-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the name of a listed module and how often it was evaluated, after each change of a file. */
async function loads(
  listed: string,
  changed: string,
  ...texts: readonly string[]
): Promise<readonly string[]> {
  // A file, as code of "node -e" would give ES modules the variables of CommonJS.
  const reader = path.join(folder, 'read.cjs');
  writeFileSync(reader, LOAD);
  const { output } = await run(process.execPath, [reader, folder, listed, changed, ...texts]);
  return output.trim().split('\n');
}

const COUNT = 'globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;';

describe('A listed module that could not be loaded', () => {
  it.each([
    ['throws', 'a.mjs', "throw new Error('no');", 'Error: no'],
    ['is malformed', 'a.mjs', 'export default { name: ; };', 'SyntaxError'],
    ['imports what is missing', 'a.mjs', "import './missing.mjs';", 'ERR_MODULE_NOT_FOUND|Cannot find'],
    ['exports no module', 'a.mjs', "export default { nam: 'a' };", 'Did you mean "name"'],
    ['throws as CommonJS', 'a.cjs', "throw new Error('no');", 'Error: no'],
    ['exports no module as CommonJS', 'a.cjs', "exports.nam = 'a';", 'Did you mean "name"'],
  ])('is loaded once after its correction if it %s', async (_, file, broken, reason) => {
    const correct = (name: string): string =>
      file.endsWith('.cjs')
        ? `${COUNT} exports.name = '${name}';`
        : `${COUNT} export default { name: '${name}' };`;
    const [failed, ...corrected] = await loads(file, file, broken, broken, correct('a'), correct('b'));
    expect(failed).toMatch(new RegExp(reason));
    const [again, ...names] = corrected;
    expect(again).toMatch(new RegExp(reason));
    expect(names).toEqual(['a 1', 'a 1']);
  });

  it('is loaded with the corrected files that it requires', async () => {
    writeFileSync(path.join(folder, 'shared.cjs'), COUNT);
    writeFileSync(
      path.join(folder, 'a.cjs'),
      "require('./shared.cjs'); exports.name = require('./b.cjs').name;",
    );
    const [failed, loaded] = await loads(
      'a.cjs',
      'b.cjs',
      "exports.nam = 'b';",
      "require('./shared.cjs'); exports.name = 'b';",
    );
    expect(failed).toContain('Its name is undefined.');
    // The files of a load that failed are loaded again, once.
    expect(loaded).toBe('b 2');
  });

  it('advises a restart if a file that it imports has failed and cannot be loaded again', async () => {
    writeFileSync(path.join(folder, 'a.mjs'), "import name from './name.mjs'; export default { name };");
    const [first, again] = await loads(
      'a.mjs',
      'name.mjs',
      "throw new Error('no'); export default '';",
      "export default 'a';",
    );
    expect(first).not.toContain('restart');
    expect(again).toContain('If it is corrected, restart the service');
  });
});
