import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { deferredImports } from '../../src/loading/deferred-imports';
import { ROOT } from '../factories/platform';

/** Runs an ES module of the build, and returns what it prints. */
function run(script: string, options: readonly string[] = []): string {
  return execFileSync(process.execPath, [...options, '--input-type=module', '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Compiles a module for each line: loading TypeScript takes most of the time. */
const COMPILER = `
  import { createInterface } from 'node:readline';
  import ts from 'typescript';
  import { withDeferredImports } from './scripts/deferred-imports.mjs';
  for await (const line of createInterface({ input: process.stdin })) {
    const [file, text] = JSON.parse(line);
    let result;
    try {
      result = withDeferredImports(ts, file, text);
    } catch ({ message }) {
      result = message;
    }
    console.log(JSON.stringify(result));
  }`;

let compiler: ChildProcess;
let results: Interface;
let ended: Promise<never>;
beforeAll(() => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', COMPILER], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  results = createInterface({ input: child.stdout });
  compiler = child;
  ended = once(child, 'exit').then(() => {
    throw new Error('The process that compiles has ended.');
  });
  ended.catch(() => undefined);
  child.stdin.on('error', () => undefined);
});
afterAll(() => compiler.kill());

/** The code of a module of dist as the build writes it, or the message of the error. */
async function compiled(file: string, ...lines: readonly string[]): Promise<readonly string[]> {
  const line = once(results, 'line');
  compiler.stdin?.write(`${JSON.stringify([file, lines.join('\n')])}\n`);
  const [text] = (await Promise.race([line, ended])) as [string];
  return (JSON.parse(text) as string).split('\n');
}

describe('imports of modules that are rarely needed', () => {
  const deferred =
    'let page_1 = () => { const loaded = require("../admin/page"); page_1 = () => loaded; return loaded; };';

  it('are loaded on first use, on the same lines', async () => {
    expect(
      await compiled(
        'modules/hosting/a.js',
        'const page_1 = require("../admin/page");',
        'exports.show = () => (0, page_1.show)(page_1.title);',
        'Object.defineProperty(exports, "title", { enumerable: true, get: function () { return page_1.title; } });',
      ),
    ).toEqual([
      deferred,
      'exports.show = () => (0, (page_1()).show)((page_1()).title);',
      'Object.defineProperty(exports, "title", { enumerable: true, get: function () { return (page_1()).title; } });',
    ]);
  });

  it('remain constructors and base classes', async () => {
    expect(
      await compiled(
        'modules/hosting/a.js',
        'const page_1 = require("../admin/page");',
        'class A extends page_1.Page { b = new page_1.Page(new page_1.default.Title()); c = page_1.of(1); }',
      ),
    ).toEqual([
      deferred,
      'class A extends (page_1()).Page { b = new (page_1()).Page(new (page_1()).default.Title()); c = (page_1()).of(1); }',
    ]);
  });

  it('include those with a default export', async () => {
    expect(
      await compiled(
        'modules/hosting/a.js',
        'const mitt_1 = __importDefault(require("../../vendor/mitt"));',
        'exports.a = () => (0, mitt_1.default)();',
      ),
    ).toEqual([
      'let mitt_1 = () => { const loaded = __importDefault(require("../../vendor/mitt")); mitt_1 = () => loaded; return loaded; };',
      'exports.a = () => (0, (mitt_1()).default)();',
    ]);
  });

  it.each([
    ['of other modules', 'modules/hosting/a.js', 'const b_1 = require("./b"); exports.c = b_1.c;'],
    ['of packages', 'modules/admin/a.js', 'const pg_1 = require("pg");'],
    ['for side effects', 'modules/hosting/a.js', 'require("../admin/page");'],
    ['of entry points', 'platform.js', 'const admin_1 = require("./modules/admin/a");'],
    ['that are deferred already', 'modules/hosting/a.js', deferred],
  ])('leave imports %s as they are', async (_, file, line) => {
    expect(await compiled(file, line)).toEqual([line]);
  });

  it.each(['f({ page_1 });', 'function f(page_1) {}', 'f(page_1);', 'a.page_1 = 1;'])(
    'are not compiled with another use: %s',
    async (use) => {
      expect(await compiled('modules/hosting/a.js', 'const page_1 = require("../admin/page");', use)).toEqual(
        [
          expect.stringContaining(
            'dist/modules/hosting/a.js uses page_1 in another way than page_1.name: ',
          ) as string,
        ],
      );
    },
  );

  it('can all be loaded', () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const require = createRequire(process.cwd() + '/dist/');
      const { deferredImports } = require('./loading/deferred-imports');
      for (const load of Object.values(require('./modules').builtInModules)) load();
      require('./serve');
      require('./platform');
      const isOwn = (file) => file.includes(${JSON.stringify(`${path.sep}dist${path.sep}`)}) && file.endsWith('.js');
      const seen = new Set();
      for (let left; (left = Object.keys(require.cache).filter((file) => isOwn(file) && !seen.has(file))).length > 0;)
        for (const file of left) {
          seen.add(file);
          for (const id of deferredImports(readFileSync(file, 'utf8'))) createRequire(file)(id);
        }
      process.stdout.write(String(seen.size > 1_000), () => process.exit());`;
    expect(run(script)).toBe('true');
  });

  it('are of files or folders that exist', () => {
    const script = `
      import { existsSync } from 'node:fs';
      import { DEFERRED } from './scripts/deferred-imports.mjs';
      const exists = (one) => ['', '.js'].some((end) => existsSync('dist/' + one.replace(/\\/$/, '') + end));
      process.stdout.write(DEFERRED.filter((one) => !exists(one)).join());`;
    expect(run(script)).toBe('');
  });

  it('are recognized by the loader', () => {
    expect(deferredImports(`${deferred}\nconst b_1 = require("./b");`)).toEqual(['../admin/page']);
  });

  it('leave fewer than 880 of about 1,200 modules to the start of the sample', () => {
    // Of the build, in a process of its own; with source maps, none is loaded in the background. A module takes a few tenths
    // of a millisecond of each start.
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(process.cwd() + '/dist/');
      Object.assign(process.env, { PORT: '0', OPERATIONS_LISTEN: 'off', LOG_LEVEL: 'silent' });
      const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = (text) => {
        const address = /http\\S+atlas\\S+/.exec(text);
        if (address === null) return;
        const loaded = Object.keys(require.cache).filter((file) => file.includes(${JSON.stringify(`${path.sep}dist${path.sep}`)}));
        fetch(address[0]).then(({ status }) => {
          write(JSON.stringify({ status, loaded: loaded.length }), () => process.exit());
        });
      };
      require('./index.js');`;
    // After the access log.
    const result = run(script, ['--enable-source-maps']).split('\n').at(-1) ?? '';
    const { status, loaded } = JSON.parse(result) as { readonly status: number; readonly loaded: number };
    expect(status).toBe(200);
    expect(loaded).toBeGreaterThan(500);
    expect(loaded).toBeLessThan(880);
  });
});

describe('the bundle of accepts', () => {
  it('knows the media types of extensions, although it reads their list on first use', () => {
    const script = `
      import { createRequire } from 'node:module';
      const accepts = createRequire(process.cwd() + '/dist/')('./vendor/accepts');
      const request = { headers: { accept: 'text/html, application/json;q=0.5' } };
      console.log(accepts(request).type(['json', 'html']), accepts(request).type(['application/json']));`;
    expect(run(script)).toBe('html application/json\n');
  });
});
