import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';
import { START_TIMEOUT_MS } from '../factories/test-timeout';

const SHELF = `defineRestService({
  route: '/shelf[/:book_id]',
  route_identifier_name: 'book_id',
  fields: Type.Object({ book_id: Type.String() }),
  input: Type.Object({ title: Type.String({ minLength: 1 }) }),
  collection: { POST: {} },
  resource: { create: () => ({ book_id: '1' }) },
})`;
const MODULE = `{
  name: 'shelf',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Shelf', versions: { 1: { services: { Book: ${SHELF} } } } })],
}`;

const TESTS = `
  let app;
  beforeAll(async () => (app = await createTestApplication({ root: process.env.PROJECT })));
  afterAll(() => app.close());
  test.each([['Emma', 201], ['', 422]])('adds %s', async (title, status) => {
    expect((await app.inject({ path: '/shelf', method: 'POST', json: { title } })).status).toBe(status);
  });
`;

/** The same project in both kinds of modules, with the options of Node.js that its tests need. */
const PROJECTS = [
  {
    type: 'commonjs',
    options: '',
    module: `const { defineApi, defineRestService, Type } = require('apidesc-platform');\nmodule.exports = ${MODULE};`,
    tests: `const { createTestApplication } = require('apidesc-platform/testing');\n${TESTS}`,
  },
  {
    type: 'module',
    options: '--experimental-vm-modules',
    module: `import { defineApi, defineRestService, Type } from 'apidesc-platform';\nexport default ${MODULE};`,
    tests: `import { createTestApplication } from 'apidesc-platform/testing';\n${TESTS}`,
  },
];

describe('a test of Jest', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'jest-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the tests of a project. */
  function runJest(
    files: Readonly<Record<string, string>>,
    {
      options = '',
      transform = {},
      root = folder,
    }: { readonly options?: string; readonly transform?: object; readonly root?: string },
  ): ReturnType<typeof run> {
    for (const name of ['config/autoload', 'node_modules'])
      mkdirSync(path.join(root, name), { recursive: true });
    symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
    const config = JSON.stringify({ rootDir: root, transform, testTimeout: START_TIMEOUT_MS });
    const variables = [`NODE_OPTIONS=${options}`, `PROJECT=${root}`];
    return run('env', [...variables, process.execPath, jest, '--config', config]);
  }

  it.each(PROJECTS)(
    'loads a project of the type $type with its modules',
    async ({ type, options, module, tests }) => {
      const files = {
        'package.json': JSON.stringify({ type }),
        'config/application.json': JSON.stringify({ modules: ['./shelf.js'] }),
        'shelf.js': module,
        'shelf.test.js': tests,
      };
      const { code, output } = await runJest(files, { options });
      expect(output).toContain('Tests:       2 passed, 2 total');
      expect(code).toBe(0);
    },
    START_TIMEOUT_MS,
  );

  const withScript = {
    'package.json': JSON.stringify({ type: 'module' }),
    'config/application.json': JSON.stringify({ modules: ['hosting'] }),
    'config/autoload/limits.global.js': 'export default { server: { shutdown_timeout: 7 } };',
    'limits.test.js': `
      const { createTestApplication } = require('apidesc-platform/testing');
      test('is configured', async () => {
        const app = await createTestApplication({ root: process.env.PROJECT });
        expect(app.application.configuration.valueAt(['server', 'shutdown_timeout'])).toBe(7);
        await app.close();
      });`,
  };

  it(
    'loads a configuration script that is an ES module with its transform',
    async () => {
      const process = "(text) => ({ code: text.replace('export default', 'module.exports =') })";
      const files = { ...withScript, 'to-commonjs.cjs': `module.exports = { process: ${process} };` };
      const { code, output } = await runJest(files, { transform: { 'global\\.js$': './to-commonjs.cjs' } });
      expect(output).toContain('Tests:       1 passed, 1 total');
      expect(code).toBe(0);
    },
    START_TIMEOUT_MS,
  );

  it(
    'names the file of a package that its transform leaves as an ES module',
    async () => {
      const script = 'const { timeout } = require("esm-only"); export default { server: { timeout } };';
      const process = "(text) => ({ code: text.replace('export default', 'module.exports =') })";
      const files = {
        ...withScript,
        'config/autoload/limits.global.js': script,
        'to-commonjs.cjs': `module.exports = { process: ${process} };`,
        'node_modules/esm-only/package.json': '{ "type": "module", "main": "index.js" }',
        'node_modules/esm-only/index.js': 'export const timeout = 7;',
      };
      const { code, output } = await runJest(files, { transform: { 'global\\.js$': './to-commonjs.cjs' } });
      expect(output).toMatch(/limits\.global\.js:1:\d+: .*ES Module: .*node_modules\/esm-only\/index\.js/);
      expect(output).not.toContain('It is an ES module');
      expect(code).toBe(1);
    },
    START_TIMEOUT_MS,
  );

  it(
    'says how to load it otherwise',
    async () => {
      const { code, output } = await runJest(withScript, {});
      expect(output).toMatch(
        /config\/autoload\/limits\.global\.js cannot be loaded: .*It is an ES module, which Jest loads with NODE_OPTIONS=--experimental-vm-modules/,
      );
      expect(code).toBe(1);
    },
    START_TIMEOUT_MS,
  );

  it(
    'says so in a folder that is a symbolic link, too',
    async () => {
      const real = path.join(folder, 'real');
      const link = path.join(folder, 'link');
      mkdirSync(real);
      symlinkSync(real, link);
      const { output } = await runJest(withScript, { root: link });
      expect(output).toContain('It is an ES module, which Jest loads with NODE_OPTIONS');
    },
    START_TIMEOUT_MS,
  );
});
