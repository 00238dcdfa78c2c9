import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { errors } from '../src/framework';
import { WITH_ADMIN } from './factories/admin';
import { blocksOf, GUIDES } from './factories/documents';
import { makeProject, ROOT } from './factories/platform';
import { startProcess, type StartedProcess } from './factories/platform-process';
import { CLI, run } from './factories/processes';
import { withPrograms } from './factories/programs';

/** A command in a document, and lines that its output must contain, in order. */
interface Example {
  readonly command: string;
  readonly expected: readonly string[];
}

interface Document {
  readonly name: string;
  /** Code blocks with a file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
}

function read(name: string): Document {
  const blocks = blocksOf(name);
  const files = Object.fromEntries(
    blocks.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])),
  );
  const examples = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ code }) =>
      code
        .split(/^\$ /m)
        .slice(1)
        .map((one) => {
          const [command = '', ...expected] = one.trimEnd().split('\n');
          return { command, expected };
        }),
    );
  return { name, files, examples };
}

/** A document's project: its files, the package, and the sample password files. */
function projectOf({ files }: Document): string {
  const own = Object.keys(files)
    .filter((name) => name.endsWith('.mjs') && !name.endsWith('.test.mjs'))
    .map((name) => `./${name}`);
  const hasApi = Object.values(files).some((text) => text.includes('defineApi('));
  const sample = (name: string): string => readFileSync(path.join(ROOT, 'config/samples', name), 'utf8');
  const root = makeProject({
    // The sample API is not loaded when a document has an API of its own.
    modules: [...WITH_ADMIN.filter((name) => name !== 'atlas' || !hasApi), ...own],
    files: {
      'sample.htdigest': sample('sample.htdigest'),
      'sample.htpasswd': sample('sample.htpasswd'),
      ...files,
    },
  });
  mkdirSync(path.join(root, 'node_modules'));
  symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
  return root;
}

describe.each(GUIDES)('the examples of %s', (name) => {
  const document = read(name);
  // The examples of a document build on each other.
  const isCalled = document.examples.some(({ command }) => /\bcurl\b/.test(command));
  const { it } = withPrograms(...(isCalled ? (['curl'] as const) : []));
  let root: string;
  let service: StartedProcess;
  let address: string;

  beforeAll(async () => {
    root = projectOf(document);
    service = await startProcess(root, { STAGE: 'test' });
    if (service.origin === undefined) throw new Error(service.output);
    address = new URL(service.origin).host;
  });
  afterAll(async () => {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it.each(document.examples)('$command', async ({ command, expected }) => {
    const here = command
      .replaceAll('localhost:8080', address)
      .replaceAll('npx apidesc-platform', `node ${CLI}`)
      .replaceAll('<process id>', String(service.id));
    const { output } = await run('bash', ['-c', `cd ${root}; export STAGE=test; ${here}`]);
    let from = 0;
    for (const line of expected) {
      const at = output.indexOf(line, from);
      if (at < 0) throw new Error(`Not in the output: ${line}\n${output}`);
      from = at + line.length;
    }
    expect(expected.length).toBeGreaterThan(0);
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
