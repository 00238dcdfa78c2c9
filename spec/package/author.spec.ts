import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { blocksOf } from '../factories/documents/documents';
import { installPackage } from '../factories/processes/installed-package';
import { run } from '../factories/processes/processes';
import { START_TIMEOUT_MS } from '../factories/test-timeout';

/** A file from the guide. */
function shown(name: 'notes' | 'notes.test' = 'notes'): string {
  return blocksOf('docs/guides/services.md').find(({ file }) => file === `${name}.ts`)?.code ?? '';
}

function compile(folder: string): readonly string[] {
  const program = ts.createProgram(
    ['notes.ts', 'notes.test.ts'].map((name) => path.join(folder, name)),
    {
      module: ts.ModuleKind.Node20,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [path.join(folder, 'node_modules/@types')],
      rootDir: folder,
      outDir: folder,
    },
  );
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

describe('an API outside this repository', () => {
  let folder: string;
  let errors: readonly string[];
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'author-'));
    installPackage(folder);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    mkdirSync(path.join(folder, 'config'));
    const modules = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting', 'documentation'];
    writeFileSync(path.join(folder, 'config/application.json'), JSON.stringify({ modules }));
    writeFileSync(path.join(folder, 'notes.ts'), shown());
    writeFileSync(path.join(folder, 'notes.test.ts'), shown('notes.test'));
    errors = compile(folder);
  }, START_TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is one file of at most 60 lines without a cast', () => {
    const lines = shown().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(shown()).not.toMatch(/\b(as|any)\b(?! const)|@ts-/);
  });

  it('compiles in strict mode, starts and responds', async () => {
    expect(errors).toEqual([]);
    const test = `
      const { startPlatform } = require('apidesc-platform');
      const { notes } = require('./notes.js');
      (async () => {
        const platform = await startPlatform({ root: __dirname, modules: [notes], environment: { PORT: '0', OPERATIONS_LISTEN: 'off' } });
        const send = { method: 'POST', body: '{"text":"short"}', headers: { 'Content-Type': 'application/json' } };
        const created = await fetch(platform.origin + '/notes', send);
        console.log(created.status, created.headers.get('location'));
        console.log(await (await fetch(platform.origin + '/v1/notes?containing=hor')).text());
        console.log((await platform.inject({ path: '/notes?containing=' })).status);
        await platform.stop();
      })();
    `;
    writeFileSync(path.join(folder, 'test.js'), test);
    const { code, output } = await run(process.execPath, [path.join(folder, 'test.js')]);
    expect({ code, output }).toEqual({
      code: 0,
      output: '201 /notes/1\n[{"note_id":"1","text":"short"}]\n400\n',
    });
  }, 60_000);

  it('needs a project: the server explains how to create one', async () => {
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    const server = path.join(folder, 'node_modules/apidesc-platform/dist/index.js');
    expect(await run(process.execPath, [server, '--root', empty])).toEqual({
      code: 1,
      output: `config/application.json does not exist in ${empty}: create it with the modules to load, such as {"modules": ["documentation"]}, or pass the folder of a project with --root.\n`,
    });
    mkdirSync(path.join(empty, 'config'));
    writeFileSync(path.join(empty, 'config/application.json'), '{"modules": ["atlas"]}');
    const { code, output } = await run(process.execPath, [server, '--root', empty]);
    expect(code).toBe(1);
    expect(output).toMatch(/"atlas".*Built in: (?!.*atlas)/);
  });

  it("is tested with the package's own test helpers", async () => {
    expect(errors).toEqual([]);
    const test = path.join(folder, 'notes.test.js');
    const { code, output } = await run(process.execPath, ['--test', '--test-reporter=tap', test]);
    expect(output).toMatch(/^[#ℹ] pass 1$/m);
    expect({ code, failed: /^[#ℹ] fail (\d+)$/m.exec(output)?.[1] }).toEqual({ code: 0, failed: '0' });
  }, 60_000);
});
