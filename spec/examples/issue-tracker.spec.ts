import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPackage } from '../factories/processes/installed-package';
import { startProcess, type StartedProcess } from '../factories/processes/platform-process';
import { PostgresServer } from '../factories/database/postgres';
import { run, type ProcessResult } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';
import { ROOT } from '../factories/repository';

jest.setTimeout(180_000);

const EXAMPLE = path.join(ROOT, 'examples/issue-tracker');

/** The files that are committed; those that npm and the application have created are left out. */
const GENERATED = ['node_modules', 'dist', 'data', 'package-lock.json', 'users.htdigest', 'local.json'];

let project: string;
const inProject = (...words: readonly string[]): Promise<ProcessResult> =>
  run('sh', ['-c', 'cd "$0" && exec "$@"', project, ...words]);
const npm = (...words: readonly string[]): Promise<ProcessResult> => inProject('npm', ...words);

const installed = (file: string): string => path.join(project, 'node_modules/apidesc-platform/dist', file);
const serve = (environment = {}): Promise<StartedProcess> =>
  startProcess(project, environment, [installed('index.js')]);

/** Adds a user, as the README does. */
const addUser = (name: string): Promise<ProcessResult> =>
  run('sh', ['-c', `cd "$0" && npm run --silent user -- -i ${name}`, project], 'correct horse\n');

/** Compiles the project, before the first test. */
beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'example-'));
  cpSync(EXAMPLE, project, {
    recursive: true,
    filter: (file) => !GENERATED.includes(path.basename(file)),
  });
  installPackage(project);
  const { code, output } = await npm('run', 'build');
  expect({ code, output }).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs its compiled tests, of which there are 13. */
async function assertTested(...environment: readonly string[]): Promise<void> {
  const tests = ['--test', '--test-reporter=tap', 'dist/issue-tracker.test.js'];
  const { code, output } = await inProject('env', ...environment, process.execPath, ...tests);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(/^[#ℹ] pass 13$/m);
  expect(output).toMatch(/^[#ℹ] skipped 0$/m);
}

describe('the example "issue tracker", with the packed package', () => {
  it('passes its tests', () => assertTested());

  it('passes its lint', async () => {
    const { code, output } = await npm('run', 'lint');
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  it('starts as its README says, without warnings', async () => {
    const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const readme = readFileSync(path.join(project, 'README.md'), 'utf8');
    const commands = [...readme.matchAll(/npm (?:run )?(user|dev|test|lint)\b/g)].map(
      ([, name = '']) => name,
    );
    expect(new Set(commands)).toEqual(new Set(['user', 'dev', 'test', 'lint']));
    for (const name of commands) expect(scripts).toHaveProperty(name);
    for (const [, file = ''] of readme.matchAll(/^\| `([\w/.-]+)`/gm))
      expect([file, existsSync(path.join(project, file))]).toEqual([file, true]);

    const missing = await inProject(process.execPath, installed('cli.js'), 'check');
    expect(missing.code).toBe(1);
    expect(missing.output).toContain('create it with: npx apidesc-platform htdigest');
    expect(await addUser('ada')).toMatchObject({ code: 0 });
    const service = await serve();
    try {
      expect(service.output).not.toMatch(/warning/i);
      const { origin = '' } = service;
      const page = await (await fetch(origin)).text();
      expect(page).toContain('<h1>Issues</h1>');
      expect(await (await fetch(`${origin}/v2/issues`)).json()).toMatchObject({ issues: [] });
    } finally {
      await service.stop();
    }
  });

  it('is at most 800 lines of code', () => {
    const lines = ['src', 'public']
      .flatMap((folder) => readdirSync(path.join(EXAMPLE, folder)).map((name) => path.join(folder, name)))
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(path.join(EXAMPLE, file), 'utf8').split('\n').length - 1);
    expect(lines.length).toBeGreaterThan(9);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(800);
  });
});

describe('the example "issue tracker" over PostgreSQL', () => {
  const { it } = withPrograms('postgres');

  it('needs one key in the configuration, and passes the same tests', async () => {
    const server = await PostgresServer.start();
    try {
      await assertTested(`TEST_DATABASE_URL=${server.url()}`);
      const readme = readFileSync(path.join(project, 'README.md'), 'utf8');
      const [, local = ''] = /`config\/autoload\/local\.json`:\n\n```json\n(.*?)```/s.exec(readme) ?? [];
      writeFileSync(path.join(project, 'config/autoload/local.json'), local);
      expect(await addUser('ada')).toMatchObject({ code: 0 });
      const service = await serve({ DATABASE_URL: server.url() });
      try {
        const { issues } = (await (await fetch(`${service.origin}/v2/issues`)).json()) as {
          issues: object[];
        };
        // Those of the tests.
        expect(issues.length).toBeGreaterThan(5);
      } finally {
        await service.stop();
      }
    } finally {
      rmSync(path.join(project, 'config/autoload/local.json'), { force: true });
      await server.close();
    }
  });
});
