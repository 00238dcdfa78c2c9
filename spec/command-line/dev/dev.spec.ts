import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeProject, ROOT } from '../../factories/platform';
import { CLI, run, runOnTerminal } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { until } from '../../factories/until';

jest.setTimeout(120_000);

const moduleText = (greeting: string): string => `
import { defineApi, defineProcedure, defineRpcService, Type } from 'apidesc-platform';
const Hello = defineRpcService({
  route: '/hello',
  methods: { GET: defineProcedure({ response: Type.Object({ text: Type.String() }), handler: () => ({ text: '${greeting}' }) }) },
});
export default { name: 'hello', requires: ['hosting'], apis: [defineApi({ name: 'Hello', versions: { 1: { services: { Hello } } } })] };
`;

let root: string;
let dev: ChildProcess | undefined;
let output: string;

/** Starts the command, and waits for the addresses, or another text. */
async function startDev(ready = /^Stop /m): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'dev', '--root', root], {
    env: { PATH: process.env.PATH, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  dev = child;
  output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(() => ready.test(output));
}

/** Waits for a text that a change causes, and returns what was printed since. */
async function after(change: () => void, text: RegExp): Promise<string> {
  const before = output.length;
  change();
  await waitFor(() => text.test(output.slice(before)));
  return output.slice(before);
}

async function waitFor(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (dev?.exitCode !== null || waited > 60_000) throw new Error(`Not printed: ${output}`);
    await delay(20);
  }
}

const origin = (): string => /^Documentation +(\S+)\/platform\/documentation$/m.exec(output)?.[1] ?? '';
const greeting = async (): Promise<string> =>
  ((await (await fetch(`${origin()}/hello`)).json()) as { readonly text: string }).text;
const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);

/** Replaces a file as editors do that never leave half of it. */
function replace(name: string, text: string): void {
  write(`${name}.new~`, text);
  renameSync(path.join(root, `${name}.new~`), path.join(root, name));
}

/** The command lines of the processes that work for this project. */
function processes(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    })
    .filter((line) => line.includes(root));
}

async function allEnd(): Promise<void> {
  for (let waited = 0; processes().length > 0; waited += 100) {
    if (waited > 20_000) throw new Error(`Still running: ${processes().join(', ')}`);
    await delay(100);
  }
}

function project(files: Readonly<Record<string, string>>, modules: readonly string[]): void {
  root = makeProject({ modules, files: { 'package.json': '{"type":"module"}', ...files } });
  mkdirSync(path.join(root, 'node_modules'));
  for (const name of ['apidesc-platform', 'typescript'])
    symlinkSync(
      name === 'typescript' ? path.join(ROOT, 'node_modules/typescript') : ROOT,
      path.join(root, 'node_modules', name),
    );
}

async function stopDev(): Promise<number | null> {
  const child = dev;
  if (child?.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
  const ended = once(child, 'close');
  child.kill('SIGINT');
  const [code] = (await ended) as [number | null];
  return code;
}

afterEach(async () => {
  await stopDev();
  dev = undefined;
  rmSync(root, { recursive: true, force: true });
});

describe('apidesc-platform dev with JavaScript', () => {
  beforeEach(async () => {
    project({ 'src/hello.js': moduleText('hello') }, ['documentation', './src/hello.js']);
    await startDev();
  });

  it('serves with details of errors and times, on a port that stays the same', async () => {
    // The command would name a process that the first restart ends.
    expect(output).not.toContain('kill -HUP');
    expect(await greeting()).toBe('hello');
    const response = await fetch(`${origin()}/hello`);
    expect(response.headers.get('server-timing')).toMatch(/handler;dur=/);
    const first = origin();
    const printed = await after(() => write('src/hello.js', moduleText('changed')), /^Restarted/m);
    expect(printed).toMatch(/^Restarted in \d+ ms: src\/hello\.js has changed\.$/m);
    expect(printed).not.toContain('Documentation');
    expect(origin()).toBe(first);
    expect(await greeting()).toBe('changed');
  });

  it('restarts each time that an editor replaces the file', async () => {
    for (const text of ['one', 'two', 'three']) {
      await after(() => replace('src/hello.js', moduleText(text)), /^Restarted/m);
      expect(await greeting()).toBe(text);
    }
  });

  it('restarts for files in folders that are new, or take the place of others', async () => {
    const listed = after(() => {
      mkdirSync(path.join(root, 'templates/hello'), { recursive: true });
      write('templates/hello/page.njk', 'x');
    }, /^Restarted .*templates\/hello\/page\.njk/m);
    await listed;
    await after(() => {
      mkdirSync(path.join(root, 'next'));
      write('next/hello.js', moduleText('next'));
      rmSync(path.join(root, 'src'), { recursive: true });
      renameSync(path.join(root, 'next'), path.join(root, 'src'));
    }, /^Restarted/m);
    expect(await greeting()).toBe('next');
    await after(() => write('src/hello.js', moduleText('later')), /^Restarted/m);
    expect(await greeting()).toBe('later');
  });

  it('does not restart for a file that is written again without a change', async () => {
    write('src/hello.js', moduleText('hello'));
    const printed = await after(() => {
      setTimeout(() => write('src/other.js', ''), 300);
    }, /^Restarted/m);
    expect(printed).toMatch(/ms: src\/other\.js has changed/);
  });

  it('shows the error of a broken module, and waits for the next change', async () => {
    const printed = await after(() => write('src/hello.js', 'const x = ;\n'), /Waiting for a change/);
    expect(printed).toMatch(/src\/hello\.js:1:11: SyntaxError: Unexpected token ';'/);
    await after(() => write('src/hello.js', moduleText('again')), /^Restarted/m);
    expect(await greeting()).toBe('again');
  });

  it('replaces a server whose module never finishes loading', async () => {
    const endless =
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('data/loading', '');\nfor (;;);\n";
    mkdirSync(path.join(root, 'data'), { recursive: true });
    write('src/hello.js', endless);
    await until(() => existsSync(path.join(root, 'data/loading')));
    await after(() => write('src/hello.js', moduleText('free')), /^Restarted/m);
    expect(await greeting()).toBe('free');
  });

  it('says that the server has ended, and starts it with the next change', async () => {
    const crash = moduleText('').replace("({ text: '' })", 'process.exit(7)');
    await after(() => write('src/hello.js', crash), /^Restarted/m);
    const printed = await after(() => void greeting().catch(() => undefined), /Waiting for a change/);
    expect(printed).toContain('The server has ended (7). Waiting for a change.');
    await after(() => write('src/hello.js', moduleText('back')), /^Restarted/m);
    expect(await greeting()).toBe('back');
  });

  it('reloads the configuration that administrators write, without a restart', async () => {
    const printed = await after(
      () => replace('config/autoload/local.json', '{"server":{"base_url":"/v0"}}'),
      /^Configuration reloaded\.$/m,
    );
    expect(printed).not.toContain('Restarted');
    expect((await fetch(`${origin()}/v0/hello`)).status).toBe(200);
  });

  it('restarts a server that is still loading when the configuration changes', async () => {
    await stopDev();
    const started = startDev(/^Stop |Waiting for a change/m);
    for (let change = 1; change <= 15; change++) {
      replace('config/autoload/local.json', `{"server":{"base_url":"/v${change}"}}`);
      await delay(100);
    }
    await started;
    await waitFor(() => origin() !== '');
    // The server that printed the addresses may be replaced because of the last changes.
    const last = `${origin().replace(/\/v\d+$/, '')}/v15/hello`;
    const isServed = (): Promise<boolean> =>
      fetch(last).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isServed);
    expect(output).not.toContain('Waiting for a change');
  });

  it('ends with its servers, also while a request is in flight', async () => {
    const pending = moduleText('').replace("({ text: '' })", "new Promise(() => console.log('In flight'))");
    await after(() => write('src/hello.js', pending), /^Restarted/m);
    const request = fetch(`${origin()}/hello`).then(
      () => 'responded',
      () => 'closed',
    );
    await waitFor(() => output.includes('In flight'));

    expect(processes().length).toBeGreaterThan(1);
    expect(await stopDev()).toBe(0);
    expect(await request).toBe('closed');
    await allEnd();
  });

  it('leaves no server behind when it is killed', async () => {
    dev?.kill('SIGKILL');
    await allEnd();
  });
});

describe('apidesc-platform dev with TypeScript', () => {
  const tsconfig = JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'node20',
      skipLibCheck: true,
      types: [],
      sourceMap: true,
      rootDir: 'src',
      outDir: 'dist',
      noEmitOnError: true,
    },
    include: ['src'],
  });
  beforeEach(() =>
    project({ 'src/hello.ts': moduleText('hello'), 'tsconfig.json': tsconfig }, [
      'documentation',
      './dist/hello.js',
    ]),
  );

  it('compiles the project, and restarts for its sources', async () => {
    await startDev();
    expect(await greeting()).toBe('hello');
    expect(await after(() => replace('src/hello.ts', moduleText('typed')), /^Restarted/m)).toMatch(
      /^Restarted in \d+ ms: src\/hello\.ts has changed\.$/m,
    );
    expect(await greeting()).toBe('typed');
    const wrong = `${moduleText('wrong')}\nconst count: number = 'one';\n`;
    const printed = await after(() => write('src/hello.ts', wrong), /Waiting for a change/);
    expect(printed).toMatch(/^src\/hello\.ts\(\d+,7\): error TS2322: /m);
    expect(await greeting()).toBe('typed');
    await after(() => write('src/hello.ts', moduleText('right')), /^Restarted/m);
    expect(await greeting()).toBe('right');
    const thrown = `${moduleText('thrown')}\nconst count: number = 1;\nthrow new Error(String(count));\n`;
    expect(await after(() => write('src/hello.ts', thrown), /Waiting for a change/)).toMatch(
      /src\/hello\.ts:10:7: Error: 1/,
    );
    expect(await stopDev()).toBe(0);
    await allEnd();
  });

  it('restarts for TypeScript that Node.js runs itself', async () => {
    rmSync(path.join(root, 'tsconfig.json'));
    write('config/application.json', '{"modules": ["documentation", "./src/hello.ts"]}');
    // Older versions of Node.js cannot load it, and say so each time.
    const either = /^Stop |Waiting for a change/m;
    await startDev(either);
    expect(await after(() => write('src/hello.ts', moduleText('next')), /^Restarted|Waiting/m)).toMatch(
      /src\/hello\.ts/,
    );
  });

  it('says how to install the compiler', async () => {
    rmSync(path.join(root, 'node_modules/typescript'));
    const { code, output: printed } = await run(process.execPath, [CLI, 'dev', '--root', root]);
    expect(code).toBe(1);
    expect(printed).toBe(
      `${path.join(root, 'tsconfig.json')} needs the package "typescript", which is not installed. Run: npm install --save-dev typescript\n`,
    );
  });
});

describe('apidesc-platform dev on a terminal', () => {
  const { it } = withPrograms('script');

  it('ends everything with Ctrl+C', async () => {
    project({ 'src/hello.js': moduleText('hello') }, ['documentation', './src/hello.js']);
    const { code } = await runOnTerminal(`env PORT=0 ${process.execPath} ${CLI} dev --root ${root}`, [
      ['Stop ', '\u0003'],
    ]);
    expect(code).toBe(0);
    await allEnd();
  });
});

describe('apidesc-platform dev without a project', () => {
  it('says how to create one', async () => {
    root = makeProject();
    const empty = path.join(root, 'data');
    mkdirSync(empty, { recursive: true });
    const { code, output: printed } = await run(process.execPath, [CLI, 'dev', '--root', empty]);
    expect([code, printed]).toEqual([
      1,
      `${empty} contains no project: config/application.json does not exist. Create a project with "apidesc-platform init", or pass the folder of one with --root.\n`,
    ]);
  });
});
