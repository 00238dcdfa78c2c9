import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errors } from '../../src/framework';
import { frameworkSchemas } from '../../src/framework/application/settings';
import { pathsWhere } from '../../src/framework/json-schema/schema-tree';
import { CLUSTER_KEY, clusterSettings } from '../../src/modules/cluster/settings';
import { Api, Field, Operation, Service } from '../../src/modules/documentation';
import { OPERATIONS_KEY, operationsSettings } from '../../src/modules/operations/settings';
import { WITH_ADMIN } from '../factories/admin/admin';
import { blocksOf, DOCUMENTS, GUIDES } from '../factories/documents/documents';
import { makeProject, ROOT } from '../factories/platform';
import { startProcess, type StartedProcess } from '../factories/processes/platform-process';
import { CLI, run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

/** The command that starts the server of an installed package. */
const START = 'node node_modules/apidesc-platform/dist/index.js';

/** The script of a project that `init` has created: `apidesc-platform dev`. */
const DEVELOP = 'npm run dev';

/** Files by path from the project's root. */
type Files = Readonly<Record<string, string>>;

/** A command in a document, and lines that its output must contain, in order. */
interface Example {
  readonly command: string;
  readonly expected: readonly string[];
  /** The files that the document shows before it, and after the previous example. */
  readonly files: Files;
}

interface Document {
  readonly files: Files;
  readonly examples: readonly Example[];
  /** Whether it starts the server itself, or in an empty folder: it then contains everything that its reader needs. */
  readonly isComplete: boolean;
}

function read(name: string): Document {
  // The guide whose project this one continues.
  const text = readFileSync(path.join(ROOT, name), 'utf8');
  const [, base] = /the project\s+of\s+\[[^\]]*\]\(([\w-]+\.md)\)/.exec(text) ?? [];
  let files: Files = base === undefined ? {} : read(path.join(path.dirname(name), base)).files;
  const examples: Example[] = [];
  let shown = files;
  for (const { language, file, code } of blocksOf(name)) {
    if (file !== undefined) {
      files = { ...files, [file]: code };
      shown = { ...shown, [file]: code };
    }
    if (language !== 'console') continue;
    for (const one of code.split(/^\$ /m).slice(1)) {
      const [command = '', ...expected] = one.trimEnd().split('\n');
      examples.push({ command, expected, files: shown });
      shown = {};
    }
  }
  return {
    files,
    examples,
    isComplete:
      /in\s+an\s+empty\s+folder/i.test(text) ||
      examples.some(({ command }) => command === START || command === DEVELOP),
  };
}

function writeFiles(root: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
}

/** A project for the files of a document that shows neither its modules nor its password files. */
function projectOf({ files }: Document): string {
  const own = Object.keys(files)
    .filter((name) => /(?<!\.test)\.mjs$|^src\/.*(?<!\.test)\.js$/.test(name))
    .map((name) => `./${name}`);
  return makeProject({ modules: [...WITH_ADMIN.filter((name) => name !== 'atlas'), ...own], files });
}

/** Throws unless the output contains the lines in order. */
function assertOutput(output: string, expected: readonly string[]): void {
  let from = 0;
  for (const line of expected) {
    const at = output.indexOf(line, from);
    if (at < 0) throw new Error(`Not in the output: ${line}\n${output}`);
    from = at + line.length;
  }
}

describe.each(GUIDES)('the examples of %s', (name) => {
  const document = read(name);
  // The examples of a document build on each other.
  const isCalled = document.examples.some(({ command }) => /\bcurl\b/.test(command));
  const { it } = withPrograms(...(isCalled ? (['curl'] as const) : []));
  let created: string;
  /** The working directory: a document may change to a folder that it creates. */
  let root: string;
  let service: StartedProcess | undefined;
  let address = '';

  let isDeveloped = false;

  const start = async (command = START): Promise<string> => {
    await service?.stop();
    isDeveloped = command === DEVELOP;
    service = await startProcess(
      root,
      { STAGE: 'test', OPENID_SECRET: 'secret' },
      isDeveloped ? [CLI, 'dev'] : undefined,
    );
    if (service.origin === undefined) throw new Error(service.output);
    address = new URL(service.origin).host;
    return service.output;
  };
  const runExample = async (command: string): Promise<string> => {
    const here = command
      .replaceAll('localhost:8080', address)
      .replaceAll('npx apidesc-platform', `node ${CLI}`)
      .replaceAll('<process id>', String(service?.id));
    return (await run('bash', ['-c', `cd ${root}; export STAGE=test; ${here}`])).output;
  };

  /** Writes files, and waits until a server that restarts by itself has done so. */
  const show = async (files: Files): Promise<void> => {
    const isRestarted = (): boolean => {
      const printed = service?.output.slice(before) ?? '';
      // Each file may cause a restart, and the last one says that it has changed.
      return Object.keys(files).some((name) => printed.includes(name)) && printed.endsWith('changed.\n');
    };
    const before = service?.output.length ?? 0;
    const changed = Object.entries(files).some(
      ([name, text]) =>
        !existsSync(path.join(root, name)) || readFileSync(path.join(root, name), 'utf8') !== text,
    );
    writeFiles(root, files);
    while (isDeveloped && changed && !isRestarted()) await delay(50);
  };

  beforeAll(async () => {
    // The reader of a complete document begins in an empty folder, with the package.
    root = document.isComplete ? mkdtempSync(path.join(tmpdir(), 'guide-')) : projectOf(document);
    created = root;
    mkdirSync(path.join(root, 'node_modules'));
    symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
    // What readers of the guide on clients install.
    for (const peer of ['openapi-typescript', 'openapi-fetch'])
      symlinkSync(path.join(ROOT, 'node_modules', peer), path.join(root, 'node_modules', peer));
    if (!document.isComplete) await start();
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(created, { recursive: true, force: true });
  });

  it.each(document.examples)('$command', async ({ command, expected, files }) => {
    if (document.isComplete) await show(files);
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    if (folder !== undefined) root = path.join(root, folder);
    const output =
      command === START || command === DEVELOP ? await start(command) : await runExample(command);
    assertOutput(output, expected);
    // Only commands that write nothing, such as mkdir, have nothing to compare.
    expect(expected.length > 0 || !/\b(curl|npx)\b/.test(command)).toBe(true);
  });
});

/** The commands of a document, without what they quote. */
function unquotedCommands(name: string): readonly string[] {
  return blocksOf(name)
    .flatMap(({ language, code }) => {
      if (language === 'sh') return code.split('\n');
      return language === 'console'
        ? [...code.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
        : [];
    })
    .map((command) => command.replaceAll(/'[^']*'|"[^"]*"/g, ''));
}

describe('the commands of documents', () => {
  it('quote what zsh, the shell of macOS, takes for a pattern of file names: it sends no request then', () => {
    const all = [...DOCUMENTS, 'examples/issue-tracker/README.md'].map(
      (name) => [name, unquotedCommands(name)] as const,
    );
    expect(all.flatMap(([, commands]) => commands).length).toBeGreaterThan(100);
    const patterns = all.flatMap(([name, commands]) =>
      commands.filter((command) => /[^\s$][?*[]/.test(command)).map((command) => `${name}: ${command}`),
    );
    expect(patterns).toEqual([]);
  });

  it('never replace the administrators who exist', () => {
    const commands = DOCUMENTS.flatMap(unquotedCommands);
    const passwords = commands.filter((command) => command.includes('administrators.htpasswd'));
    expect(passwords.length).toBeGreaterThan(0);
    expect(passwords.filter((command) => / (-c|--force) /.test(command))).toEqual([]);
  });
});

describe('the reference of the configuration', () => {
  it('lists the keys that require a restart', () => {
    const schemas = {
      ...frameworkSchemas,
      [OPERATIONS_KEY]: operationsSettings,
      [CLUSTER_KEY]: clusterSettings,
    };
    const paths = Object.entries(schemas).flatMap(([key, schema]) =>
      pathsWhere(schema, [key], ({ restart }) => restart === true),
    );
    const text = readFileSync(path.join(ROOT, 'docs/reference/configuration.md'), 'utf8');
    const [, listed = ''] = /^### Changes that require a restart\n\n([^;]*);/m.exec(text) ?? [];
    const keys = paths.map((one) => (one[0] === CLUSTER_KEY ? CLUSTER_KEY : one.join('.')));
    expect([...listed.matchAll(/`([^`]+)`/g)].map(([, key]) => key).sort()).toEqual(
      [...new Set(keys)].sort(),
    );
  });
});

describe('a document that sends requests to a server', () => {
  it('shows all files and commands that its reader needs', () => {
    const called = GUIDES.map((name) => ({ name, ...read(name) })).filter(({ examples }) =>
      examples.some(({ command }) => /\bcurl\b/.test(command)),
    );
    expect(called.length).toBeGreaterThan(10);
    expect(called.filter((one) => !one.isComplete).map(({ name }) => name)).toEqual([]);
  });
});

describe('the error reference', () => {
  it('explains every error of the table', () => {
    const text = readFileSync(path.join(ROOT, 'docs/errors.md'), 'utf8');
    const explained = [...text.matchAll(/^## (\w+)\n\n(\d+)\./gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(explained)).toEqual(
      Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status])),
    );
  });
});

describe('the index of the documentation', () => {
  it('links every page', () => {
    const index = readFileSync(path.join(ROOT, 'docs/README.md'), 'utf8');
    const linked = [...index.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, file = '']) => `docs/${file}`);
    const pages = DOCUMENTS.filter((one) => !one.endsWith('README.md'));
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
  });
});

describe('the guide to templates', () => {
  it.each([
    ['API', Api],
    ['service', Service],
    ['operation', Operation],
    ['field', Field],
  ])('lists exactly the accessors of an object of the kind %s', (kind, { prototype }) => {
    const text = readFileSync(path.join(ROOT, 'docs/guides/templates.md'), 'utf8');
    const [, item = ''] = new RegExp(`^- \\*\\*${kind}\\*\\*: ([^]*?)\\n(?:- |\\n)`, 'm').exec(text) ?? [];
    const listed = [...item.matchAll(/`(\w+)\(/g)].map(([, name]) => name);
    const accessors = Object.getOwnPropertyNames(prototype).filter((name) =>
      /^(get|is|requires)[A-Z]/.test(name),
    );
    expect(listed.sort()).toEqual(accessors.sort());
  });
});
