import { rmSync } from 'node:fs';
import path from 'node:path';
import { makeProject } from '../../factories/platform';
import { startProcess } from '../../factories/platform-process';

const PLATFORM = path.resolve(__dirname, '../../../dist/platform.js');

/** A module's source, with a route that answers with the module's name. */
const source = (name: string, exportAs: string): string => `
  ${exportAs} class {
    name = '${name}';
    onBootstrap({ application: { router } }) {
      const { JsonModel, MethodTable } = platform;
      const methods = new MethodTable({ GET: { name: '${name}', handler: () => new JsonModel('${name}') } });
      router.add('${name}', '/${name}', { methods });
    }
  }
`;
const esModule = (name: string): string =>
  `import platform from ${JSON.stringify(PLATFORM)};\n${source(name, 'export default')}`;
const commonModule = (name: string): string =>
  `const platform = require(${JSON.stringify(PLATFORM)});\n${source(name, 'module.exports =')}`;

interface Tried {
  /** What each path answered. */
  readonly answers: readonly unknown[];
  readonly output: string;
  readonly code: number | null;
}

/** Starts a project with these modules and files, asks for these paths, and stops it. */
async function tryProject(
  modules: unknown,
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
): Promise<Tried> {
  const root = makeProject({ files: { 'config/application.json': JSON.stringify({ modules }), ...files } });
  const started = await startProcess(root);
  const { origin } = started;
  if (origin === undefined) {
    rmSync(root, { recursive: true });
    return { answers: [], output: started.output.replaceAll(root, 'ROOT'), code: started.code };
  }
  const answers = await Promise.all(
    paths.map(async (one): Promise<unknown> => (await fetch(origin + one)).json()),
  );
  const code = await started.stop();
  rmSync(root, { recursive: true });
  return { answers, output: started.output, code };
}

describe('Modules that config/application.json lists', () => {
  it('may be files: ES modules and CommonJS', async () => {
    const { answers, code } = await tryProject(
      ['./shop.mjs', './lib/till.cjs', './bar.js'],
      { 'shop.mjs': esModule('shop'), 'lib/till.cjs': commonModule('till'), 'bar.js': commonModule('bar') },
      ['/shop', '/till', '/bar'],
    );
    expect(answers).toEqual(['shop', 'till', 'bar']);
    expect(code).toBe(0);
  });

  it('may be packages that are installed in the project', async () => {
    const { answers } = await tryProject(
      ['platform-shop', '@acme/till'],
      {
        'node_modules/platform-shop/package.json':
          '{"name": "platform-shop", "type": "module", "exports": "./a.js"}',
        'node_modules/platform-shop/a.js': esModule('shop'),
        'node_modules/@acme/till/package.json': '{"name": "@acme/till", "main": "index.js"}',
        'node_modules/@acme/till/index.js': commonModule('till'),
      },
      ['/shop', '/till'],
    );
    expect(answers).toEqual(['shop', 'till']);
  });

  it('may be compiled by TypeScript to CommonJS, or be plain objects', async () => {
    const { answers, output } = await tryProject(
      ['./compiled.cjs', './object.mjs'],
      {
        'compiled.cjs': `Object.defineProperty(exports, '__esModule', { value: true });
          ${commonModule('compiled').replace('module.exports =', 'exports.default =')}`,
        'object.mjs': "export default { name: 'object' };",
      },
      ['/compiled'],
    );
    expect(answers).toEqual(['compiled']);
    expect(output).not.toContain('rror');
  });
});

describe('A module that cannot be', () => {
  const refusals: readonly (readonly [string, unknown, Readonly<Record<string, string>>, string])[] = [
    [
      'a misspelt name is an error that has a suggestion',
      ['hostin'],
      {},
      'config/application.json: there is no module "hostin": it is neither built in nor an installed package. Did you mean "hosting"? Built in: content-negotiation, ',
    ],
    [
      'a file that is not there is an error',
      ['./none.mjs'],
      {},
      'config/application.json: the module "./none.mjs" is no file: ROOT/none.mjs does not exist.',
    ],
    [
      'a file without a module is an error',
      ['./a.mjs'],
      { 'a.mjs': 'export const name = 1;' },
      'config/application.json: the module "./a.mjs" cannot be loaded: its default export is neither a module class nor a module object with a name.',
    ],
    [
      'a class without a name is an error',
      ['./a.mjs'],
      { 'a.mjs': 'export default class {}' },
      'config/application.json: the module "./a.mjs" cannot be loaded: its default export is neither',
    ],
    [
      'a class whose constructor throws is an error with the reason',
      ['./a.mjs'],
      { 'a.mjs': "export default class { constructor() { throw new Error('no key'); } }" },
      'config/application.json: the module "./a.mjs" cannot be loaded: no key',
    ],
    [
      'a file with a syntax error is an error with the reason',
      ['./a.mjs'],
      { 'a.mjs': 'export default {' },
      'config/application.json: the module "./a.mjs" cannot be loaded: Unexpected end of input',
    ],
    [
      'a file that imports what is not there is an error with the reason',
      ['./a.mjs'],
      { 'a.mjs': "import 'no-such-package';" },
      'config/application.json: the module "./a.mjs" cannot be loaded: Cannot find package \'no-such-package\'',
    ],
    [
      'a need that is not listed is an error',
      ['./a.mjs'],
      { 'a.mjs': "export default { name: 'a', needs: ['b'] };" },
      'config/application.json: the module "a" needs the module "b". Add it to "modules".',
    ],
    [
      'a list that is none is an error',
      'hosting',
      {},
      'config/application.json: "modules" must be a list of module names, packages or files.',
    ],
    [
      'a name that is no text is an error',
      [1],
      {},
      'config/application.json: "modules" must be a list of module names, packages or files.',
    ],
  ];

  it.each(refusals)('%s', async (_, modules, files, message) => {
    const { code, output } = await tryProject(modules, files);
    expect(output).toContain(message);
    expect(output).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });

  it('is named where the list has another key', async () => {
    const { output } = await tryProject([], {
      'config/application.json': '{\n  "modules": [],\n  "module": []\n}',
    });
    expect(output).toBe('config/application.json:3:3: module: unknown key. Allowed: modules.\n');
  });

  it('is named where there is no list', async () => {
    const root = makeProject();
    rmSync(path.join(root, 'config'), { recursive: true });
    const { output, code } = await startProcess(root);
    expect([output, code]).toEqual([
      `config/application.json does not exist in ${root}. It lists the modules to load.\n`,
      1,
    ]);
    rmSync(root, { recursive: true });
  });
});
