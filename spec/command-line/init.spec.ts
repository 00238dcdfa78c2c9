import type { Command } from 'commander';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import ts from 'typescript';
import type { CommandContext } from '../../src/command-line/command-context';
import { createFolders } from '../../src/framework';
import { registerInit } from '../../src/command-line/init/command';
import { compilerHost } from '../factories/compiler-host';
import { runWords } from '../factories/processes/command';
import { blocksOf } from '../factories/documents/documents';
import { ROOT } from '../factories/platform';
import { PostgresServer } from '../factories/database/postgres';
import { CLI, run, runOnTerminal, type ProcessResult } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

jest.setTimeout(120_000);

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'init-')))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in the folder of the test. */
const inFolder = (...words: readonly string[]): Promise<ProcessResult> =>
  run('sh', ['-c', 'cd "$0" && exec "$@"', folder, ...words]);
const init = (...words: readonly string[]): Promise<ProcessResult> =>
  inFolder(process.execPath, CLI, 'init', ...words);
const at = (name: string): string => path.join(folder, 'my-api', name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

/** For commands that fail before they ask or write. */
const registerWithoutTerminal = (program: Command, io: CommandContext): void =>
  registerInit(program, { ...io, stdin: Readable.from([]), stdout: new PassThrough() });

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifest = (): Manifest => JSON.parse(read('package.json')) as Manifest;
const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};

const COMMON = [
  '.dockerignore',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'config',
  'config/application.json',
  'eslint.config.js',
  'package.json',
  'src',
];
const filesOf = (extension: string, ...more: readonly string[]): readonly string[] =>
  [...COMMON, `src/shop.${extension}`, `src/shop.test.${extension}`, ...more].sort();
const DATABASE = ['config/autoload', 'config/autoload/global.json'];

/** Links the packages that an installation would have. */
function install(project = 'my-api'): void {
  for (const [name, target] of [
    ['apidesc-platform', ROOT],
    ['@types', path.join(ROOT, 'node_modules/@types')],
    ['@photostructure', path.join(ROOT, 'node_modules/@photostructure')],
    ...['pg', '@eslint', 'eslint', 'typescript', 'typescript-eslint'].map(
      (one) => [one, path.join(ROOT, 'node_modules', one)] as const,
    ),
  ] as const) {
    const modules = path.join(folder, project, 'node_modules');
    mkdirSync(modules, { recursive: true });
    symlinkSync(target, path.join(modules, name));
  }
}

/** Compiles the project as `tsc` does. @returns its errors */
function compile(): readonly string[] {
  const { config } = ts.readConfigFile(at('tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: object;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, path.join(folder, 'my-api'));
  const program = ts.createProgram(fileNames, options, compilerHost(options));
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

/** Lints projects as `eslint` does, in one process. @returns the rules that files break */
async function lint(projects: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const script = `
    import eslint from ${JSON.stringify(path.join(ROOT, 'node_modules/eslint/lib/api.js'))};
    for (const cwd of ${JSON.stringify(projects.map((name) => path.join(folder, name)))})
      for (const { filePath, messages } of await new eslint.ESLint({ cwd }).lintFiles('.'))
        console.log(JSON.stringify([filePath, messages.map(({ ruleId, message }) => ruleId ?? message)]));`;
  const { code, output } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect({ code, output }).toMatchObject({ code: 0 });
  const files = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as [file: string, rules: string[]]);
  // The source, its test, and the configuration.
  expect(files.length).toBeGreaterThanOrEqual(3 * projects.length);
  return Object.fromEntries(
    files
      .filter(([, rules]) => rules.length > 0)
      .map(([file, rules]) => [path.relative(folder, file), rules]),
  );
}

/**
 * Runs the tests of the project.
 * @param shell what to do before
 */
async function test(script: string, shell = ''): Promise<string> {
  const { code, output } = await run('sh', [
    '-c',
    `cd "$0" && ${shell} exec "$1" ${script.replace(/^npm run build && /, '').replace(/^node /, '')}`,
    path.join(folder, 'my-api'),
    process.execPath,
  ]);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

const COMBINATIONS = [
  ['typescript', undefined, filesOf('ts', 'tsconfig.json')],
  ['typescript', 'sqlite', filesOf('ts', 'tsconfig.json', ...DATABASE)],
  ['javascript', undefined, filesOf('js')],
  ['javascript', 'sqlite', filesOf('js', ...DATABASE)],
] as const;

describe('A project that apidesc-platform init creates', () => {
  it.each(COMBINATIONS)(
    'in %s with the database %s is complete, and passes its tests',
    async (language, database, files) => {
      const { code, output } = await init(
        'my-api',
        `--${language}`,
        ...(database === undefined ? [] : ['--database', database]),
      );
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output).toContain('\nNext:\n  cd my-api\n  npm install\n  npm run dev\n');
      expect(readdirSync(path.join(folder, 'my-api'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(
        files,
      );
      const { name, scripts, dependencies, devDependencies } = manifest();
      expect(name).toBe('my-api');
      expect(Object.keys(scripts)).toEqual(['dev', 'build', 'start', 'test', 'lint']);
      const { '@photostructure/sqlite': sqlite } = own.devDependencies;
      expect(dependencies).toEqual({
        ...(database === undefined ? {} : { '@photostructure/sqlite': sqlite }),
        'apidesc-platform': `^${own.version}`,
      });
      const tools = ['@eslint/js', 'eslint'];
      if (language === 'typescript') tools.push('@types/node', 'typescript', 'typescript-eslint');
      expect(devDependencies).toEqual(
        Object.fromEntries(tools.map((one) => [one, own.devDependencies[one]])),
      );
      install();
      if (language === 'typescript') expect(compile()).toEqual([]);
      const tested = await test(scripts.test ?? '');
      expect(tested).toMatch(/^[#ℹ] pass 3$/m);
      expect(tested).toMatch(/^[#ℹ] skipped 0$/m);
      const checked = await run(process.execPath, [CLI, 'check', '--root', path.join(folder, 'my-api')]);
      expect(checked).toMatchObject({ code: 0 });
      // Tested above, and a warning of the development server unless it is documented.
      expect(read(`src/shop.${language === 'typescript' ? 'ts' : 'js'}`)).toContain('code: 409');
    },
  );

  it('passes its own lint, which finds mistakes', async () => {
    const projects = ['typescript', 'javascript'].flatMap((language) =>
      ['none', 'sqlite', 'postgres'].map((database) => ({
        language,
        database,
        name: `${language}-${database}`,
      })),
    );
    for (const { language, database, name } of projects) {
      const { code } = await init(name, `--${language}`, '--database', database);
      expect(code).toBe(0);
      install(name);
    }
    // A promise that nobody awaits, and a name that does not exist.
    writeFileSync(path.join(folder, 'typescript-none/src/wrong.ts'), "void 0;\nfetch('http://localhost');\n");
    writeFileSync(path.join(folder, 'javascript-none/src/wrong.js'), 'fetsch();\n');
    expect(await lint(projects.map(({ name }) => name))).toEqual({
      'typescript-none/src/wrong.ts': ['@typescript-eslint/no-floating-promises'],
      'javascript-none/src/wrong.js': ['no-undef'],
    });
  });

  it('is the one that the guide shows', async () => {
    await init('my-api', '--javascript');
    const shown = blocksOf('docs/guides/first-api.md').find(({ file }) => file === 'src/shop.js');
    expect(shown?.code).toBe(read('src/shop.js'));
  });

  it('documents its commands and files in the README', async () => {
    await init('my-api', '--javascript');
    const text = read('README.md');
    for (const script of Object.keys(manifest().scripts)) {
      expect(text).toMatch(new RegExp(`^- \`npm (run )?${script}\``, 'm'));
    }
    for (const [, guide = ''] of text.matchAll(/(docs\/[\w/-]+\.md)/g)) {
      expect(existsSync(path.join(ROOT, guide))).toBe(true);
    }
    expect(text).not.toMatch(/\{\{|\{%/);
  });
});

/** The commands of an image, without those of npm: they need a network. */
function commandsOfImage(): string {
  const runs = [...read('Dockerfile').matchAll(/^RUN (.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' && '),
  );
  return runs.filter((command) => !/^npm (ci|prune) /.test(command)).join(' && ');
}

describe('The Dockerfile of a project', () => {
  it('builds TypeScript, and nothing that reads the configuration', async () => {
    await init('my-api', '--typescript');
    expect(commandsOfImage()).toBe('npm run build && mkdir -p data');
    expect(manifest().scripts.build).toMatch(/ && tsc$/);
    rmSync(at('.'), { recursive: true });
    await init('my-api', '--javascript', '--database', 'sqlite');
    expect(commandsOfImage()).toBe('mkdir -p data');
  });

  it('lets the container use the PostgreSQL of its environment', async () => {
    await init('my-api', '--javascript', '--database', 'postgres');
    install();
    expect(await inFolder('sh', '-c', `cd my-api && ${commandsOfImage()}`)).toMatchObject({ code: 0 });
    const show = async (variable: string): Promise<string> =>
      (await inFolder('env', variable, process.execPath, CLI, 'config', 'show', '--root', 'my-api')).output;
    // It is read after global.json, which names the database of development.
    expect(await show('DATABASE_URL=postgres://db.example/shop')).toMatch(
      /shop\.options\.url = "\$\{DATABASE_URL\}" +# config\/autoload\/production\.global\.json/,
    );
    expect(await show('-uDATABASE_URL')).toContain('the environment variable DATABASE_URL, which is not set');
    expect(read('README.md')).toContain('`DATABASE_URL`');
  });
});

describe('A project over PostgreSQL', () => {
  const { it } = withPrograms('postgres');

  it.each(['typescript', 'javascript'] as const)(
    'in %s skips its tests until a database responds',
    async (language) => {
      const { code } = await init('my-api', `--${language}`, '--database', 'postgres');
      expect(code).toBe(0);
      expect(manifest().dependencies).toEqual({
        'apidesc-platform': `^${own.version}`,
        pg: own.devDependencies.pg,
      });
      install();
      if (language === 'typescript') expect(compile()).toEqual([]);
      const { test: script = '' } = manifest().scripts;
      const configuration = read('config/autoload/global.json');
      const url = 'postgres://shop:shop@127.0.0.1:5432/shop';
      expect(configuration).toContain(`"${url}"`);
      for (const value of [
        'POSTGRES_USER: shop',
        'POSTGRES_PASSWORD: shop',
        'POSTGRES_DB: shop',
        '127.0.0.1:5432:5432',
      ])
        expect(read('compose.yaml')).toContain(value);
      // Port 1 refuses connections.
      writeFileSync(
        at('config/autoload/global.json'),
        configuration.replace('127.0.0.1:5432', '127.0.0.1:1'),
      );
      // With it, they would fail.
      expect(await test(script, 'unset CI;')).toMatch(/^[#ℹ] skipped 3$/m);
      const server = await PostgresServer.start();
      try {
        writeFileSync(at('config/autoload/global.json'), configuration.replace(url, server.url()));
        expect(await test(script)).toMatch(/^[#ℹ] pass 3$/m);
        // The migration was applied, and the test has removed what it added.
        expect(await test(script)).toMatch(/^[#ℹ] skipped 0$/m);
      } finally {
        await server.close();
      }
    },
  );
});

describe('apidesc-platform init', () => {
  it('uses TypeScript without a database in scripts, and the working directory', async () => {
    const parent = folder;
    folder = path.join(parent, 'here');
    mkdirSync(folder);
    expect((await init()).code).toBe(0);
    expect(existsSync(path.join(folder, 'src/shop.ts'))).toBe(true);
    expect(existsSync(path.join(folder, 'config/autoload'))).toBe(false);
    folder = parent;
  });

  it('depends on a tarball or folder by its path from the project, and on versions as they are', async () => {
    mkdirSync(path.join(folder, 'packages'));
    writeFileSync(path.join(folder, 'packages/platform.tgz'), '');
    const dependencyOf = async (name: string, spec: string): Promise<string | undefined> => {
      const { code, output } = await init(name, '--javascript', '--platform-package', spec);
      expect({ code, output }).toMatchObject({ code: 0 });
      const text = readFileSync(path.join(folder, name, 'package.json'), 'utf8');
      return (JSON.parse(text) as Manifest).dependencies['apidesc-platform'];
    };
    expect(await dependencyOf('one', 'packages/platform.tgz')).toBe('file:../packages/platform.tgz');
    expect(await dependencyOf('nested/two', './packages')).toBe('file:../../packages');
    expect(await dependencyOf('three', path.join(folder, 'packages'))).toBe('file:../packages');
    expect(await dependencyOf('four', '~0.1.2')).toBe('~0.1.2');
    expect(await dependencyOf('five', 'next')).toBe('next');
    expect(await dependencyOf('six', 'https://registry.example/platform.tgz')).toBe(
      'https://registry.example/platform.tgz',
    );
  });

  it('creates a project in the clone of a new repository', async () => {
    mkdirSync(at('.git'), { recursive: true });
    const { code, output } = await init('my-api', '--javascript');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(manifest().name).toBe('my-api');
  });

  it.each([
    [
      ['taken'],
      /^\S+\/taken is not empty: it contains a, b, c, d, e and 1 more\. Choose a new or an empty folder\.\n$/,
    ],
    [['file'], /^\S+\/file is a file, or inside one\. Choose another folder\.\n$/],
    [['file/api'], /^\S+\/file\/api is a file, or inside one\. Choose another folder\.\n$/],
    [['My API'], /^The folder "My API" gives the package its name, and npm .* such as: my-api\n$/],
    [['_'], /^The folder "_" .* such as: my-api\n$/],
    [['node_modules'], /^The folder "node_modules" .* such as: my-api\n$/],
    [['a'.repeat(215)], /^The folder "a{215}" gives the package its name/],
    [
      ['new', '--platform-package', './no.tgz'],
      /^--platform-package: \S+\/no\.tgz does not exist\. Pass a tarball/,
    ],
    [['new', '--platform-package', 'some/where'], /^--platform-package: "some\/where" is neither a version/],
    [['new', '--platform-package', ''], /^--platform-package: "" is neither a version/],
  ])('refuses %j, and writes nothing', async (words: readonly string[], message) => {
    mkdirSync(path.join(folder, 'taken'));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) writeFileSync(path.join(folder, 'taken', name), '');
    writeFileSync(path.join(folder, 'file'), '');
    const [name = '', ...options] = words;
    const { code, err } = await runWords(
      [registerWithoutTerminal],
      ['init', path.join(folder, name), ...options],
    );
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
    expect(readdirSync(path.join(folder, 'taken'))).toHaveLength(6);
  });

  withPrograms('unshare').it.each(['.', 'new/project'])('leaves nothing on a full disk: %s', async (name) => {
    const script = `mount -t tmpfs -o size=20k tmpfs "$1"
      mkdir "$1/empty" && cd "$1/empty"
      "$2" "$3" init "$4" || find "$1"`;
    const cli = [process.execPath, CLI, name];
    const { output } = await run('unshare', ['-rm', 'sh', '-ec', script, 'sh', folder, ...cli]);
    expect(output).toContain('the disk is full');
    expect(output.split('\n').slice(1)).toEqual([folder, path.join(folder, 'empty'), '']);
  });

  it('fails where the system creates no folder', async () => {
    const { code, output } = await init('/proc/my-api', '--javascript');
    expect(code).toBe(1);
    expect(output).toBe(
      '/proc/my-api cannot be written: the file system of /proc does not permit new folders. Choose another folder.\n',
    );
  });

  it('creates a folder in one that another process creates at the same time', () => {
    const { mkdirSync: create } = fs;
    const spy = jest.spyOn(fs, 'mkdirSync').mockImplementationOnce((inner) => {
      try {
        create(inner);
        return undefined;
      } finally {
        create(path.dirname(String(inner)));
      }
    });
    expect(createFolders(path.join(folder, 'a/b'))).toBe(path.join(folder, 'a/b'));
    spy.mockRestore();
    expect(existsSync(path.join(folder, 'a/b'))).toBe(true);
  });

  it.each([
    [['new', '--database', 'mysql'], /Allowed choices are none, sqlite, postgres\./],
    [['new', '--typescript', '--javascript'], /cannot be used with option '--javascript'/],
    [['new', 'other'], /too many arguments/],
  ])('refuses the options %j', async (words, message) => {
    const { code, output } = await init(...words);
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('apidesc-platform init on a terminal', () => {
  const { it } = withPrograms('script');
  const command = (...words: readonly string[]): string =>
    `env --chdir=${folder} ${process.execPath} ${CLI} init ${words.join(' ')}`;

  it('asks for what is missing, again after an invalid answer', async () => {
    mkdirSync(path.join(folder, 'taken'));
    writeFileSync(path.join(folder, 'taken/file'), '');
    const { code, output } = await runOnTerminal(command(), [
      ['Folder of the project [my-api]: ', 'taken\r'],
      ['Folder of the project [my-api]: ', 'asked\r'],
      ['Language: typescript, javascript [typescript]: ', 'ruby\r'],
      ['Language: typescript, javascript [typescript]: ', 'java\r'],
      ['Database: none, sqlite, postgres [none]: ', 'sqlite\r'],
    ]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('taken is not empty: it contains file.');
    expect(output).toContain('"ruby" is not available. Choose one of: typescript, javascript.');
    expect(readdirSync(path.join(folder, 'asked/src')).sort()).toEqual(['shop.js', 'shop.test.js']);
    expect(readFileSync(path.join(folder, 'asked/config/autoload/global.json'), 'utf8')).toContain(
      'SqliteAdapter',
    );
  });

  it('asks nothing if everything is given, and refuses a folder before it asks', async () => {
    const given = await runOnTerminal(command('my-api', '--javascript', '--database', 'sqlite'), []);
    expect(given).toMatchObject({ code: 0 });
    expect(given.output).not.toContain('[');
    const inMemory = await runOnTerminal(command('other', '--javascript', '--database', 'none'), []);
    expect(inMemory).toMatchObject({ code: 0 });
    expect(inMemory.output).not.toContain('[');
    expect(existsSync(path.join(folder, 'other/config/autoload'))).toBe(false);
    const refused = await runOnTerminal(command('my-api'), []);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/is not empty/);
  });

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('creates nothing after %s', async (_, key) => {
    const { code, output } = await runOnTerminal(command('my-api'), [['Language: ', key]]);
    expect(code).toBe(1);
    expect(output).toContain('Interrupted: nothing was created.');
    expect(readdirSync(folder)).toEqual([]);
  });
});
