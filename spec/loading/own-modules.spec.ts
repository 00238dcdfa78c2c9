import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../factories/platform';

const START = `const { loadOwnModules } = require('./loading/own-modules');\nloadOwnModules(module, 'server');\n`;

/** In whole seconds, which every file system can keep. */
const MODIFIED = new Date(1_700_000_000_000);

let project = '';
const file = (name: string): string => path.join(project, 'dist', name);
const temporary = (): string => path.join(project, 'tmp');
const cacheFolder = (): string =>
  path.join(temporary(), `apidesc-platform-${String(process.getuid?.() ?? 'user')}`);

/** Writes a module of the platform; `start.js` is its entry point. */
function write(name: string, code: string): void {
  mkdirSync(path.dirname(file(name)), { recursive: true });
  writeFileSync(file(name), name === 'start.js' ? START + code : code);
  utimesSync(file(name), MODIFIED, MODIFIED);
}

/** Replaces a module, so that its file looks as before. */
function replaceUnnoticed(name: string, code: string): void {
  expect(code).toHaveLength(statSync(file(name)).size);
  write(name, code);
}

/** Runs a script in the project, and returns what it prints. */
function node(script: string, environment: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(project, script)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TMPDIR: temporary(), ...environment },
  });
  return stdout + stderr;
}

const start = (environment?: Readonly<Record<string, string>>): string => node('dist/start.js', environment);

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'own-modules-'));
  mkdirSync(temporary());
  cpSync(path.join(ROOT, 'dist/loading'), file('loading'), { recursive: true });
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

describe('the modules of the platform', () => {
  it('are files, or the index of a folder, relative to the module that requires them', () => {
    write('start.js', `console.log(require('./a'), require('./b'));`);
    write('a.js', `module.exports = 'a with ' + require('./b/c');`);
    write('a/index.js', `module.exports = 'not this one';`);
    write(
      'b/index.js',
      `module.exports = 'b with ' + require('..' + '/a') + ' and ' + require('./d.json').name;`,
    );
    write('b/c.js', `module.exports = 'c';`);
    write('b/d.json', `{ "name": "d" }`);
    for (const round of ['compiled', 'kept'])
      expect({ round, output: start() }).toEqual({ round, output: 'a with c b with a with c and d\n' });
  });

  it('are kept as they are by the next start, also those that are loaded while V8 optimizes later', () => {
    write(
      'start.js',
      `const { withFlagsOfStart } = require('./loading/optimization-flags');
       withFlagsOfStart(async () => require('./a').f()).then((result) => console.log(result));`,
    );
    write('a.js', `exports.f = () => 'a';`);
    const kept = (): readonly (readonly [string, number])[] =>
      readdirSync(cacheFolder()).map((name) => [name, statSync(path.join(cacheFolder(), name)).ino]);
    expect(start()).toBe('a\n');
    const first = kept();
    expect(first).toHaveLength(1);
    // A module whose code is rejected would be kept again, in a new file.
    expect(start()).toBe('a\n');
    expect(kept()).toEqual(first);
  });

  it('are the same for programs that require or import them', () => {
    write('start.js', `exports.a = require('./a');`);
    write('a.js', `exports.name = 'a';`);
    writeFileSync(
      path.join(project, 'program.mjs'),
      `import start from './dist/start.js';
      import * as imported from './dist/a.js';
      import { createRequire } from 'node:module';
      console.log(imported.name, imported.default === start.a, createRequire(import.meta.url)('./dist/a') === start.a);`,
    );
    for (const round of ['compiled', 'kept'])
      expect({ round, output: node('program.mjs') }).toEqual({ round, output: 'a true true\n' });
  });

  it('see what a module has exported so far, where they require each other', () => {
    write('start.js', `console.log(require('./a').of);`);
    write('a.js', `exports.name = 'a'; exports.of = require('./b').of;`);
    write('b.js', `const a = require('./a'); exports.of = a.name + ', ' + String(a.of);`);
    expect(start()).toBe('a, undefined\n');
  });

  it('import ES modules relative to their files', () => {
    write('start.js', `require('./b').load().then(({ name }) => console.log(name));`);
    write('b/index.js', `exports.load = () => import('./c.mjs');`);
    write('b/c.mjs', `export const name = 'c';`);
    for (const round of ['compiled', 'kept'])
      expect({ round, output: start() }).toEqual({ round, output: 'c\n' });
  });

  it('have their files, lines and columns in stack traces', () => {
    write('start.js', `console.log(require('./a').stack());`);
    write('a.js', `exports.first = 1; exports.stack = () => new Error('a').stack;\n`);
    for (const round of ['compiled', 'kept'])
      expect({ round, output: start() }).toEqual({
        round,
        output: expect.stringContaining(`at exports.stack (${file('a.js')}:1:42)`) as string,
      });
  });

  it('are loaded again after they have failed', () => {
    write(
      'start.js',
      `const load = () => { try { return require('./a'); } catch (error) { return error.message; } };
      console.log(load(), load());`,
    );
    write(
      'a.js',
      `globalThis.attempts = (globalThis.attempts ?? 0) + 1; throw new Error('attempt ' + attempts);`,
    );
    expect(start()).toBe('attempt 1 attempt 2\n');
  });
});

/** An import as the build writes it. */
const deferred = (name: string): string =>
  `let ${name}_1 = () => { const loaded = require("./${name}"); ${name}_1 = () => loaded; return loaded; };`;

describe('modules that are imported on first use', () => {
  const isLoaded = `const isLoaded = (name) => __dirname + '/' + name + '.js' in require.cache;`;

  beforeEach(() => {
    write('a.js', `exports.b = () => b_1(); ${deferred('b')}`);
    write('b.js', `exports.name = 'b'; ${deferred('c')}`);
    write('c.js', `exports.name = 'c';`);
  });

  it('are loaded after the start, with those that they import on first use', () => {
    write(
      'start.js',
      `require('./a'); ${isLoaded}
      const loaded = () => ['a', 'b', 'c'].filter(isLoaded).join();
      console.log('at first: ' + loaded());
      setTimeout(() => console.log('later: ' + loaded()), 3_500);`,
    );
    expect(start()).toBe('at first: a\nlater: a,b,c\n');
  });

  it('keep their compiled code for the next start', () => {
    write(
      'start.js',
      `const { b } = require('./a'); setTimeout(() => console.log(b().name), process.env.LATER);`,
    );
    expect(start({ LATER: '3500' })).toBe('b\n');
    replaceUnnoticed('b.js', `exports.name = 'B'; ${deferred('c')}`);
    expect(start({ LATER: '0' })).toBe('b\n');
  });

  it('fail where they are used, if they cannot be loaded', () => {
    write('b.js', `throw new Error('b is broken');`);
    write(
      'start.js',
      `const { b } = require('./a');
      setTimeout(() => { try { b(); } catch (error) { console.log(error.message); } }, 3_500);`,
    );
    expect(start()).toBe('b is broken\n');
  });

  it('are not loaded in processes that have ended before', () => {
    write('start.js', `require('./a'); ${isLoaded} process.on('exit', () => console.log(isLoaded('b')));`);
    expect(start()).toBe('false\n');
  });
});

describe('compiled code', () => {
  beforeEach(() => {
    write('start.js', `console.log(require('./a'));`);
    write('a.js', `module.exports = 'old';`);
  });

  it('is kept while the file of its module has the same size and time of modification', () => {
    expect(start()).toBe('old\n');
    replaceUnnoticed('a.js', `module.exports = 'new';`);
    expect(start()).toBe('old\n');
    utimesSync(file('a.js'), MODIFIED, new Date(MODIFIED.getTime() + 1_000));
    expect(start()).toBe('new\n');
    write('a.js', `module.exports = 'newer';`);
    expect(start()).toBe('newer\n');
  });

  it('is compiled again for another version of the package, whose files may have the same times', () => {
    const manifest = path.join(project, 'package.json');
    writeFileSync(manifest, '{ "version": "1.0.0" }');
    write('start.js', `console.log(require('./a'));`);
    write('a.js', `module.exports = 'old';`);
    expect(start()).toBe('old\n');
    replaceUnnoticed('a.js', `module.exports = 'new';`);
    expect(start()).toBe('old\n');
    writeFileSync(manifest, '{ "version": "1.0.1" }');
    expect(start()).toBe('new\n');
  });

  it('is kept for modules that another start has not loaded', () => {
    write('start.js', `console.log(require(process.env.LOADED));`);
    write('b.js', `module.exports = 'b';`);
    expect(start({ LOADED: './a' })).toBe('old\n');
    expect(start({ LOADED: './b' })).toBe('b\n');
    replaceUnnoticed('a.js', `module.exports = 'new';`);
    expect(start({ LOADED: './a' })).toBe('old\n');
  });

  it('has the functions of all starts that loaded further modules', () => {
    write(
      'start.js',
      `const { first, second } = require('./a');
      console.log(process.env.LOADED ? require(process.env.LOADED) + second() : first());`,
    );
    write('a.js', `exports.first = () => 'FIRST'; exports.second = () => 'SECOND';`);
    write('b.js', `module.exports = 'b';`);
    write('c.js', `module.exports = 'c';`);
    // The constants of a function are part of its code; each is also in the source, which is kept, too.
    const compiled = (): readonly string[] => {
      const kept = readdirSync(cacheFolder()).map((name) => readFileSync(path.join(cacheFolder(), name)));
      return ['FIRST', 'SECOND'].filter(
        (text) => Buffer.concat(kept).toString('latin1').split(text).length > 2,
      );
    };
    expect(start()).toBe('FIRST\n');
    expect(compiled()).toEqual(['FIRST']);
    expect(start({ LOADED: './b' })).toBe('bSECOND\n');
    expect(compiled()).toEqual(['FIRST', 'SECOND']);
    expect(start({ LOADED: './c' })).toBe('cSECOND\n');
    expect(compiled()).toEqual(['FIRST', 'SECOND']);
  });

  it('is kept in the order in which the latest of these starts loaded the modules', () => {
    write(
      'start.js',
      `const { first, second } = require('./a');
      console.log(process.env.LOADED ? require(process.env.LOADED) + second() : first(), require('./c'));`,
    );
    write('a.js', `exports.first = () => 'FIRST'; exports.second = () => 'SECOND';`);
    write('b.js', `module.exports = 'b';`);
    write('c.js', `module.exports = 'c';`);
    const order = (): readonly string[] => {
      const [name = ''] = readdirSync(cacheFolder());
      const bytes = readFileSync(path.join(cacheFolder(), name));
      const index = JSON.parse(bytes.toString('utf8', 8, 8 + bytes.readUInt32LE(4))) as object;
      return Object.keys(index).map((one) => path.basename(one));
    };
    start();
    expect(order()).toEqual(['a.js', 'c.js']);
    start({ LOADED: './b' });
    expect(order()).toEqual(['a.js', 'b.js', 'c.js']);
    start();
    expect(order()).toEqual(['a.js', 'b.js', 'c.js']);
  });

  it('is compiled again when the file that keeps it is damaged', () => {
    start();
    const [name = ''] = readdirSync(cacheFolder());
    const kept = path.join(cacheFolder(), name);
    const bytes = readFileSync(kept);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(kept, bytes);
    replaceUnnoticed('a.js', `module.exports = 'new';`);
    expect(start()).toBe('new\n');
    for (const length of [0, 6]) {
      writeFileSync(kept, bytes.subarray(0, length));
      expect({ length, output: start() }).toEqual({ length, output: 'new\n' });
    }
  });

  it('is neither read from nor written to a folder in which other users can write', () => {
    start();
    const [name = ''] = readdirSync(cacheFolder());
    const before = readFileSync(path.join(cacheFolder(), name));
    chmodSync(cacheFolder(), 0o777);
    replaceUnnoticed('a.js', `module.exports = 'new';`);
    expect(start()).toBe('new\n');
    expect(readFileSync(path.join(cacheFolder(), name))).toEqual(before);
  });

  it('is readable by its user only', () => {
    start();
    const [name = ''] = readdirSync(cacheFolder());
    expect(statSync(cacheFolder()).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(cacheFolder(), name)).mode & 0o777).toBe(0o600);
  });

  it('is in the folder of NODE_COMPILE_CACHE, and not kept with NODE_DISABLE_COMPILE_CACHE', () => {
    expect(start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('old\n');
    expect(readdirSync(temporary())).toEqual([]);
    const folder = path.join(project, 'own');
    expect(start({ NODE_COMPILE_CACHE: folder })).toBe('old\n');
    expect(existsSync(cacheFolder())).toBe(false);
    expect(readdirSync(folder)).toContain(path.basename(cacheFolder()));
  });

  // There, Node 20 never returns from creating a folder with those above it.
  (existsSync('/proc/self') ? it : it.skip)('is not kept in a folder of the kernel', () => {
    expect(start({ TMPDIR: '/proc/none' })).toBe('old\n');
  });

  it('is not needed: a start succeeds where nothing can be written', () => {
    rmSync(temporary(), { recursive: true });
    writeFileSync(temporary(), '');
    expect(start()).toBe('old\n');
  });
});
