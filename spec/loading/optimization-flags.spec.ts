import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../factories/platform';

const MODULE = path.join(ROOT, 'dist/loading/optimization-flags.js');

/** Versions of V8 whose flags a start changes. */
const isChanged = ['11', '12'].includes(process.versions.v8.split('.', 1)[0] ?? '');

const INLINING = '--max-inlined-bytecode-size-cumulative=2000';
const LATER = process.versions.v8.startsWith('11.')
  ? '--interrupt_budget=100000'
  : '--invocation-count-for-turbofan=2000';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'optimization-flags-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that has the functions below; returns what it prints. */
function node(program: string, ...flags: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...flags,
      '-e',
      `const { readFileSync, writeFileSync } = require('node:fs');
       const { Script } = require('node:vm');
       const { partWithFlagsOfStart, withFlagsOfStart, withNormalFlags } = require(${JSON.stringify(MODULE)});
       /** Each name is another script: V8 compiles a script once in a process. */
       const source = (name) => 'function ' + name + '() {}';
       const keep = (name) => writeFileSync(name, new Script(source(name)).createCachedData());
       const accepts = (name) => !new Script(source(name), { cachedData: readFileSync(name) }).cachedDataRejected;
       ${program}`,
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  return stdout + stderr;
}

describe('a start in which V8 optimizes later', () => {
  it('accepts the compiled code of other processes only with normal flags', () => {
    node(`for (const name of ['before', 'during', 'loading']) keep(name);`);
    const printed = node(`
      console.log(accepts('before'));
      withFlagsOfStart(async () => console.log(accepts('during'), withNormalFlags(() => accepts('loading'))));
    `);
    expect(printed).toBe(`true\n${String(!isChanged)} true\n`);
  });

  it('keeps compiled code that other processes accept', () => {
    node(`withFlagsOfStart(async () => withNormalFlags(() => keep('kept')));`);
    expect(node(`console.log(accepts('kept'));`)).toBe('true\n');
  });

  it('has later optimization again after it has loaded code, also code that fails', () => {
    node(`for (const name of ['first', 'second']) keep(name);`);
    const printed = node(`
      withFlagsOfStart(async () => {
        withNormalFlags(() => withNormalFlags(() => undefined));
        console.log(accepts('first'));
        try { withNormalFlags(() => { throw new Error('It fails.'); }); } catch (error) { console.log(error.message); }
        console.log(accepts('second'));
      });
    `);
    expect(printed).toBe(`${String(!isChanged)}\nIt fails.\n${String(!isChanged)}\n`);
  });

  it('returns the result; from then on, V8 optimizes for requests, and loads code as before', () => {
    node(`keep('requests'); keep('loading');`);
    const printed = node(`
      withFlagsOfStart(async () => 'It runs.').then((result) =>
        console.log(result, accepts('requests'), withNormalFlags(() => accepts('loading'))));
    `);
    expect(printed).toBe('It runs. false true\n');
  });

  it('ends with normal flags, with which Node keeps compiled code', () => {
    node(`keep('end');`);
    const printed = node(`
      withFlagsOfStart(async () => process.once('exit', () => console.log(accepts('end'))));
    `);
    expect(printed).toBe('true\n');
  });

  it('optimizes as usual when it fails', () => {
    node(`keep('failed');`);
    const printed = node(`
      withFlagsOfStart(async () => { throw new Error('It fails.'); })
        .catch((error) => console.log(error.message, accepts('failed')));
    `);
    expect(printed).toBe('It fails. true\n');
  });

  it('is the same for a part of large work', () => {
    node(`for (const name of ['part', 'loading', 'inner', 'after']) keep(name);`);
    const printed = node(`
      partWithFlagsOfStart(() => {
        console.log(accepts('part'), withNormalFlags(() => accepts('loading')));
        partWithFlagsOfStart(() => undefined);
        console.log(accepts('inner'));
      });
      console.log(accepts('after'));
    `);
    expect(printed).toBe('false true\nfalse\ntrue\n');
  });

  it('is the same while requests are served, which V8 optimizes for afterwards', () => {
    node(`for (const name of ['part', 'loading', 'after', 'usual']) keep(name);`);
    const printed = node(`
      withFlagsOfStart(async () => {}).then(() => {
        partWithFlagsOfStart(() => console.log(accepts('part'), withNormalFlags(() => accepts('loading'))));
        console.log(accepts('after'), withNormalFlags(() => accepts('usual')));
      });
    `);
    expect(printed).toBe('false true\nfalse true\n');
  });

  it('inlines as much in a part of large work as in requests, which V8 compiles meanwhile', () => {
    node(`withFlagsOfStart(async () => {}).then(() => keep('requests'));`);
    const printed = node(`
      withFlagsOfStart(async () => {}).then(() => partWithFlagsOfStart(() => console.log(accepts('requests'))));
    `);
    expect(printed).toBe(`${String(!isChanged)}\n`);
  });

  it('changes nothing where V8 ends a process that does', () => {
    const flag = '--freeze_flags_after_init';
    node(`keep('during'); keep('after');`, flag);
    const printed = node(
      `withFlagsOfStart(async () => console.log(accepts('during'))).then(() => console.log(accepts('after')));`,
      flag,
    );
    expect(printed).toBe('true\ntrue\n');
  });

  it('leaves the flags that the operator has set', () => {
    node(`keep('during'); keep('after');`, LATER, INLINING);
    const printed = node(
      `withFlagsOfStart(async () => console.log(accepts('during'))).then(() => console.log(accepts('after')));`,
      LATER,
      INLINING,
    );
    expect(printed).toBe('true\ntrue\n');
  });

  it('changes the other flags', () => {
    node(`keep('during'); keep('after');`, INLINING);
    node(`keep('later');`, LATER);
    expect(node(`withFlagsOfStart(async () => console.log(accepts('during')));`, INLINING)).toBe(
      `${String(!isChanged)}\n`,
    );
    expect(
      node(`withFlagsOfStart(async () => {}).then(() => console.log(accepts('after')));`, INLINING),
    ).toBe('true\n');
    expect(node(`withFlagsOfStart(async () => {}).then(() => console.log(accepts('later')));`, LATER)).toBe(
      'false\n',
    );
  });

  it('is not that of a program that starts the platform itself', () => {
    node(`for (const name of ['during', 'after']) keep(name);`);
    const printed = node(`
      const { startPlatform } = require(${JSON.stringify(path.join(ROOT, 'dist/platform.js'))});
      const probe = { name: 'probe', onBootstrap: () => console.log(accepts('during')) };
      startPlatform({ configuration: {}, modules: [probe], listen: false })
        .then((platform) => platform.stop())
        .then(() => console.log(accepts('after')));
    `);
    expect(printed).toBe('true\ntrue\n');
  });

  it('is that of the server', () => {
    node(`keep('during');`);
    mkdirSync(path.join(folder, 'config'));
    writeFileSync(path.join(folder, 'config/application.json'), '{ "modules": ["./probe.js"] }');
    writeFileSync(
      path.join(folder, 'probe.js'),
      `const { readFileSync } = require('node:fs');
       const { Script } = require('node:vm');
       exports.name = 'probe';
       exports.onBootstrap = () => {
         const cachedData = readFileSync('during');
         console.log('accepted:', !new Script('function during() {}', { cachedData }).cachedDataRejected);
         process.exit();
       };`,
    );
    const { stdout } = spawnSync(process.execPath, [path.join(ROOT, 'dist/index.js')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PORT: '0', OPERATIONS_LISTEN: 'off' },
    });
    expect(stdout).toContain(`accepted: ${String(!isChanged)}`);
  });
});
