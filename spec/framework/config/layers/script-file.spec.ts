import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../factories/platform';
import { run } from '../../../factories/processes/processes';

// In a separate process, as the test runner replaces Node's own loaders.
const READ = `
const { readScript } = require(${JSON.stringify(path.join(ROOT, 'dist/framework/config/layers/script-file.js'))});
const { writeFileSync } = require('node:fs');
(async () => {
  const [script, changed, ...texts] = process.argv.slice(2);
  for (const text of ['', ...texts]) {
    if (text !== '') writeFileSync(changed, text);
    const shown = await readScript(script, 'x.local.js').then(JSON.stringify, ({ message }) => message.split('\\n').join(' '));
    console.log(shown);
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
  // A file, as code of "node -e" would give ES modules the variables of CommonJS.
  const reader = path.join(folder, 'read.cjs');
  writeFileSync(reader, READ);
  const { output } = await run(process.execPath, [reader, script, changed, ...texts]);
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

  it.each([
    ['throws', "throw new Error('no'); export default {};", 'Error: no'],
    ['has the syntax of CommonJS', 'module.exports = { a: 1 };', 'write "export default { … };"'],
    ['is malformed', 'export default { a: ; };', 'SyntaxError'],
    ['exports a text', "export default 'a';", 'Export an object.'],
  ])('is loaded after its correction if, as an ES module, it %s', async (_, text, reason) => {
    write('package.json', '{ "type": "module" }');
    const script = write('x.local.js', text);
    const [failed, ...corrected] = await reads(
      script,
      script,
      'export default { a: 1 };',
      text,
      'export default { a: 2 };',
    );
    expect(failed).toContain(reason);
    expect(corrected).toEqual(['{"a":1}', failed, '{"a":2}']);
  });

  it('is loaded after its correction as CommonJS, and evaluated again with the files that it requires', async () => {
    const shared = write('shared.js', "throw new Error('no');");
    const script = write('x.local.js', "module.exports = { a: require('./shared').a };");
    const [failed, ...corrected] = await reads(script, shared, 'exports.a = 2;', 'exports.a = 3;');
    expect(failed).toContain('shared.js:1:7: Error: no');
    expect(corrected).toEqual(['{"a":2}', '{"a":3}']);
  });

  it('is loaded after the correction of a file that it requires, of which it could not use the export', async () => {
    const shared = write('shared.js', 'module.exports = {};');
    const script = write('x.local.js', "module.exports = { a: require('./shared').a.trim() };");
    const [failed, corrected] = await reads(script, shared, "exports.a = ' 2 ';");
    expect(failed).toContain('TypeError');
    expect(corrected).toBe('{"a":"2"}');
  });

  it('is evaluated again as an ES module that has not changed itself, but reads another file', async () => {
    const data = path.join(folder, 'data.json');
    const script = write(
      'x.local.js',
      `import { readFileSync } from 'node:fs';
       export default JSON.parse(readFileSync(${JSON.stringify(data)}, 'utf8'));`,
    );
    const [missing, ...found] = await reads(script, data, '{"a":1}', '{"a":2}');
    expect(missing).toContain('ENOENT');
    expect(found).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('advises a restart if a file that it imports has failed and cannot be loaded again', async () => {
    const imported = write('imported.mjs', "throw new Error('no'); export default 0;");
    const script = write('x.local.js', "import a from './imported.mjs'; export default { a };");
    const [first, again] = await reads(script, imported, 'export default 1;');
    expect(first).not.toContain('restart');
    expect(again).toContain('If it is corrected, restart the service');
  });
});
