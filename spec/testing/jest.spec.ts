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

  it.each(PROJECTS)(
    'loads a project of the type $type with its modules',
    async ({ type, options, module, tests }) => {
      const files = {
        'package.json': JSON.stringify({ type }),
        'config/application.json': JSON.stringify({ modules: ['./shelf.js'] }),
        'shelf.js': module,
        'shelf.test.js': tests,
      };
      mkdirSync(path.join(folder, 'config'));
      mkdirSync(path.join(folder, 'node_modules'));
      symlinkSync(ROOT, path.join(folder, 'node_modules/apidesc-platform'));
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
      const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
      const config = JSON.stringify({ rootDir: folder, transform: {} });
      const variables = [`NODE_OPTIONS=${options}`, `PROJECT=${folder}`];
      const { code, output } = await run('env', [...variables, process.execPath, jest, '--config', config]);
      expect(output).toContain('Tests:       2 passed, 2 total');
      expect(code).toBe(0);
    },
    START_TIMEOUT_MS,
  );
});
