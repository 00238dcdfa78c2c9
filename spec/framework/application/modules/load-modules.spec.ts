import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeProject, ROOT } from '../../../factories/platform';
import { startProcess } from '../../../factories/processes/platform-process';

const PLATFORM = path.resolve(__dirname, '../../../../dist/platform.js');

/** The source of a module with a route that responds with the name of the module. */
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

const LIST = 'config/application.json';

interface ProjectResult {
  /** The response of each path. */
  readonly answers: readonly unknown[];
  readonly output: string;
  readonly code: number | null;
}

/** Starts a project with these modules and files, requests these paths, and stops it. */
async function tryProject(
  modules: unknown,
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
): Promise<ProjectResult> {
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

describe('Modules in config/application.json', () => {
  it('can be files: ES modules and CommonJS', async () => {
    const { answers, code } = await tryProject(
      ['./shop.mjs', './lib/till.cjs', './bar.js'],
      { 'shop.mjs': esModule('shop'), 'lib/till.cjs': commonModule('till'), 'bar.js': commonModule('bar') },
      ['/shop', '/till', '/bar'],
    );
    expect(answers).toEqual(['shop', 'till', 'bar']);
    expect(code).toBe(0);
  });

  it('can be packages installed in the project', async () => {
    const { answers } = await tryProject(
      ['platform-shop', '@acme/till', 'platform-bar', 'platform-bar/modules/inn'],
      {
        'node_modules/platform-shop/package.json':
          '{"name": "platform-shop", "type": "module", "exports": "./a.js"}',
        'node_modules/platform-shop/a.js': esModule('shop'),
        'node_modules/@acme/till/package.json': '{"name": "@acme/till", "main": "index.js"}',
        'node_modules/@acme/till/index.js': commonModule('till'),
        'node_modules/platform-bar/package.json':
          '{"name": "platform-bar", "type": "module", "exports": {".": {"types": "./b.d.ts", "import": "./b.js"}, "./modules/*": [{"import": "./lib/*.js"}]}}',
        'node_modules/platform-bar/lib/inn.js': esModule('inn'),
        'node_modules/platform-bar/b.js': esModule('bar'),
      },
      ['/shop', '/till', '/bar', '/inn'],
    );
    expect(answers).toEqual(['shop', 'till', 'bar', 'inn']);
  });

  it('can import the platform through a symbolic link, and load it only once', async () => {
    const text = `import { ContainerModule } from 'apidesc-platform';
      export default { name: 'shop', services: new ContainerModule(() => undefined) };
      console.log(import.meta.resolve('apidesc-platform'));`;
    const root = makeProject({ modules: ['./shop.mjs'], files: { 'shop.mjs': text } });
    mkdirSync(path.join(root, 'node_modules'));
    symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
    const started = await startProcess(root);
    if (started.origin !== undefined) await started.stop();
    rmSync(root, { recursive: true });
    expect(started.output).toContain(pathToFileURL(PLATFORM).href);
  });

  it('can be compiled from TypeScript to CommonJS, or plain objects', async () => {
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

describe('A required module', () => {
  const listing = (name: string, ...requires: readonly string[]): string =>
    `export default { name: '${name}', requires: ${JSON.stringify(requires)} };`;

  it('that is built in does not have to be listed, nor its requirements', async () => {
    const { answers } = await tryProject(['./shop.mjs'], { 'shop.mjs': listing('shop', 'documentation') }, [
      '/platform/documentation',
    ]);
    expect(answers).toEqual([[]]);
  });

  it('is loaded before the module that requires it, also with the deprecated member, which causes a warning', async () => {
    const { answers, output } = await tryProject(
      ['./shop.mjs', './till.mjs'],
      {
        'shop.mjs': `export default { name: 'shop', needs: ['till'], onBootstrap: ({ application }) => globalThis.open() };`,
        'till.mjs': `${esModule('till')} globalThis.open = () => undefined;`,
      },
      ['/till'],
    );
    expect(answers).toEqual(['till']);
    expect(output).toContain(
      'Warning: The module "shop" has the deprecated member "needs". Rename it to "requires".\n',
    );
  });

  it('that is neither listed nor built in is an error that lists all missing modules and their dependents', async () => {
    const { code, output } = await tryProject(['./a.mjs', './b.mjs'], {
      'a.mjs': listing('a', 'till', 'hostin'),
      'b.mjs': listing('b', 'till', 'hosting'),
    });
    expect([code, output]).toEqual([
      1,
      `${LIST}: required modules are neither listed nor built in: "till" (required by "a" and "b"), "hostin" (required by "a"; did you mean "hosting"?). Add each of them to "modules", by the name of an installed package or as a file such as "./shop.mjs".\n`,
    ]);
  });

  it('that is listed twice is an error with both positions', async () => {
    const { output } = await tryProject(['hosting', 'content-validation', 'hosting'], {});
    expect(output).toBe(
      `${LIST}:1:44: the module "hosting" is listed twice, first at ${LIST}:1:13. Remove one of the two.\n`,
    );
  });

  it('with the name of another listed module is an error with the positions of both', async () => {
    const { output } = await tryProject(['./a.mjs', './b.mjs'], {
      'a.mjs': listing('a'),
      'b.mjs': listing('a'),
    });
    expect(output).toBe(
      `${LIST}:1:23 ("./b.mjs"): the module "a" is listed twice, first at ${LIST}:1:13 ("./a.mjs"). Rename one of the two modules, or remove it.\n`,
    );
  });
});

describe('An error in the code of a module', () => {
  const output = async (
    files: Readonly<Record<string, string>>,
    ...modules: readonly string[]
  ): Promise<string> => (await tryProject(modules.length === 0 ? ['./a.mjs'] : modules, files)).output;

  it.each([
    ['an ES module', 'a.mjs', 'export default {\n  a: 1,,\n};', '2:8'],
    ['a CommonJS module', 'a.cjs', 'module.exports = {\n  a: 1,,\n};', '2:8'],
  ])('that is a syntax error is reported with its line, in %s', async (_, name, text, place) => {
    expect(await output({ [name]: text }, `./${name}`)).toBe(
      `${LIST}:1:13: the module "./${name}" cannot be loaded: ${name}:${place}: SyntaxError: Unexpected token ','\n` +
        '  a: 1,,\n       ^\n',
    );
  });

  it('that is a syntax error is found in imported files, and no code runs twice', async () => {
    const text = "import './lib/b.mjs';\nconsole.log('run');\nexport default { name: 'a' };";
    expect(await output({ 'a.mjs': text, 'lib/b.mjs': 'console.log("run"); let' })).toMatch(
      /^config\/application\.json:1:13: the module "\.\/a\.mjs" cannot be loaded: lib\/b\.mjs:1:\d+: SyntaxError: .*\n.*\n *\^\n$/,
    );
  });

  it('that is thrown is reported with its stack and causes, without frames outside of the project', async () => {
    const files = {
      'a.mjs': "import { open } from './lib/b.mjs';\nopen();",
      'lib/b.mjs':
        "export function open() {\n  throw new Error('no key', {\n    cause: new TypeError('locked'),\n  });\n}",
    };
    expect(await output(files)).toBe(
      `${LIST}:1:13: the module "./a.mjs" cannot be loaded: lib/b.mjs:2:9: Error: no key\n` +
        '    at open (lib/b.mjs:2:9)\n    at a.mjs:2:1\n' +
        'Caused by: lib/b.mjs:3:12: TypeError: locked\n    at open (lib/b.mjs:3:12)\n    at a.mjs:2:1\n',
    );
  });

  it.each([
    ["import 'no-such';", "Cannot find package 'no-such'"],
    ["import './none.mjs';", "Cannot find module 'ROOT/none.mjs'"],
    [
      "import { none } from './b.mjs';",
      "The requested module './b.mjs' does not provide an export named 'none'",
    ],
    [
      "import { none } from 'apidesc-platform';",
      "SyntaxError: 'apidesc-platform' has no export named 'none'.\n",
    ],
  ])('that is a failed import is reported with its position: %s', async (text, reason) => {
    const files = { 'a.mjs': `\n${text}`, 'b.mjs': '', 'node_modules/apidesc-platform/index.js': '' };
    const message = await output(files);
    expect(message).toMatch(
      /^config\/application\.json:1:13: the module "\.\/a\.mjs" cannot be loaded: a\.mjs:2:\d+: /,
    );
    expect(message).toContain(reason);
  });

  it('in onBootstrap and in a factory is reported with its position', async () => {
    const platform = `import { ContainerModule } from ${JSON.stringify(PLATFORM)};`;
    expect(
      await output({ 'a.mjs': "export default {\n  name: 'a',\n  onBootstrap() {\n    null.x;\n  },\n};" }),
    ).toMatch(
      /^The module "a" failed to start: a\.mjs:4:10: TypeError: .*\n {4}at Object\.onBootstrap \(a\.mjs:4:10\)\n$/,
    );
    const services = "new ContainerModule(({ bind }) => bind('Till').toDynamicValue(() => {\nnull.x; }))";
    const boot = "onBootstrap: ({ application }) => application.services.get('Till')";
    expect(
      await output({ 'a.mjs': `${platform}\nexport default { name: 'a', services: ${services}, ${boot} };` }),
    ).toMatch(
      /^The service "Till" \(module "a"\) cannot be created: a\.mjs:3:6: TypeError: .*\n {4}at .*a\.mjs:3:6\)\n {4}at /,
    );
  });

  it('in services is reported with its position', async () => {
    const platform = `import { ContainerModule } from ${JSON.stringify(PLATFORM)};\n`;
    const unknown = "new ContainerModule(({ bind }) =>\nbind('Till').toConstant(1))";
    expect(
      await output({ 'a.mjs': `${platform}export default { name: 'a', services: ${unknown} };` }),
    ).toMatch(
      /^The module "a" failed to start: a\.mjs:3:14: TypeError: .*toConstant is not a function\n {4}at /,
    );
    const late = 'async () => new ContainerModule(() => undefined)';
    expect(await output({ 'a.mjs': `${platform}export default { name: 'a', services: ${late} };` })).toBe(
      'The module "a": services() returned an instance of Promise. Return a ContainerModule.\n',
    );
  });

  it('of every module is reported at once', async () => {
    const message = await output(
      { 'a.mjs': "throw new Error('one');", 'b.mjs': "throw 'two';" },
      './a.mjs',
      './b.mjs',
    );
    expect(message).toBe(
      `${LIST}:1:13: the module "./a.mjs" cannot be loaded: a.mjs:1:7: Error: one\n    at a.mjs:1:7\n` +
        `${LIST}:1:23: the module "./b.mjs" cannot be loaded: the string "two" was thrown instead of an error.\n`,
    );
  });
});

describe('A member of a module', () => {
  const output = async (text: string): Promise<string> =>
    (await tryProject(['./a.mjs'], { 'a.mjs': text })).output;

  it.each([
    ['onBootstap() {}', 'unknown member "onBootstap". Did you mean "onBootstrap"?'],
    ['require: []', 'unknown member "require". Did you mean "requires"?'],
    ['need: []', 'unknown member "need". Did you mean "requires"?'],
    ["requires: ['hosting'], api: []", 'unknown member "api". Did you mean "apis"?', '4:26'],
    ['apis: []', '"apis" is read by the module "hosting", which is not loaded. Add requires: [\'hosting\'].'],
    [
      'requires: "hosting"',
      'requires is the string "hosting". Use a list of module names such as requires: [\'hosting\'].',
    ],
    [
      'services: { Clock: 1 }',
      "services is an object. Use a ContainerModule: services: new ContainerModule(({ bind }) => bind('Clock').toConstantValue(clock)).",
    ],
    ['onBootstrap: 1', 'onBootstrap is 1. Use a function: onBootstrap({ application }) { … }.'],
  ])(
    'that is misspelled, unread or invalid is an error with its position: %s',
    async (member, message, place = '4:3') => {
      expect(await output(`\nexport default {\n  name: 'a',\n  ${member},\n};`)).toBe(
        `a.mjs:${place}: the module "a": ${message}\n`,
      );
    },
  );

  it('that is misspelled is also found in a class', async () => {
    expect(await output("export default class {\n  name = 'a';\n  onbootstrap() {}\n}")).toBe(
      'a.mjs:3:3: the module "a": unknown member "onbootstrap". Did you mean "onBootstrap"?\n',
    );
  });

  it('can have any other name', async () => {
    const { code, output: text } = await tryProject(['./a.mjs'], {
      'a.mjs':
        "export default class { name = 'a'; app = 1; counts = new Map(); get lazy() { throw 1; } onBootstrap() {} }",
    });
    expect([code, text]).toEqual([0, expect.not.stringContaining('unknown')]);
  });
});

describe('An invalid module', () => {
  const refusals: readonly (readonly [string, unknown, Readonly<Record<string, string>>, string])[] = [
    [
      'with a misspelled name is an error with a suggestion',
      ['hostin'],
      {},
      'config/application.json:1:13: module "hostin" does not exist: it is neither built in nor an installed package. Did you mean "hosting"? Built in: cluster, content-negotiation, ',
    ],
    [
      'whose file does not exist is an error',
      ['./none.mjs'],
      {},
      'config/application.json:1:13: the module "./none.mjs" cannot be loaded: ROOT/none.mjs does not exist.',
    ],
    [
      'whose file is listed without "./" is an error with its path',
      ['src/shop.mjs'],
      { 'src/shop.mjs': '' },
      'module "src/shop.mjs" does not exist: it is neither built in nor an installed package. Did you mean "./src/shop.mjs"? Built in: ',
    ],
    [
      'that is listed by its name instead of its file is an error with the path',
      ['shop'],
      { 'src/shop.js': '' },
      'module "shop" does not exist: it is neither built in nor an installed package. Did you mean "./src/shop.js"? Built in: ',
    ],
    [
      'that is a folder is an error with a file in it',
      ['./src'],
      { 'src/shop.mjs': '' },
      'the module "./src" cannot be loaded: ROOT/src is a folder. List a file in it, such as "./src/shop.mjs".\n',
    ],
    [
      'whose file has a misspelled name is an error with a suggestion',
      ['./src/shp.mjs'],
      { 'src/shop.mjs': '', 'src/other.mjs': '' },
      'ROOT/src/shp.mjs does not exist. Did you mean "./src/shop.mjs"?\n',
    ],
    [
      'whose file is in another folder is an error with a suggestion',
      ['./shop.mjs'],
      { 'src/shop.mjs': '' },
      'ROOT/shop.mjs does not exist. Did you mean "./src/shop.mjs"?\n',
    ],
    [
      'that is listed by its TypeScript source is an error that explains it',
      ['./src/shop.js'],
      { 'tsconfig.json': '{}', 'src/shop.ts': '' },
      'ROOT/src/shop.js does not exist. It is compiled from "./src/shop.ts": list the file that the compiler writes, such as "./dist/shop.js".\n',
    ],
    [
      'that is listed by a TypeScript source in a folder is an error with the path below the output',
      ['./src/modules/shop.js'],
      { 'tsconfig.json': '{}', 'src/modules/shop.ts': '' },
      'list the file that the compiler writes, such as "./dist/modules/shop.js".\n',
    ],
    [
      'whose file is listed without its extension is an error with a suggestion',
      ['./src/shop'],
      { 'src/shop.js': '', 'src/shops.js': '' },
      'ROOT/src/shop does not exist. Did you mean "./src/shop.js"?\n',
    ],
    [
      'that is not compiled, although one with a similar name is, is an error with the command',
      ['./dist/products.js'],
      { 'tsconfig.json': '{}', 'src/products.ts': '', 'dist/product.js': '', 'dist/product.d.ts': '' },
      'ROOT/dist/products.js does not exist. Compile the project first, such as with: npm run build\n',
    ],
    [
      'that is not compiled is an error with the command',
      ['./dist/shop.js'],
      { 'tsconfig.json': '{}', 'src/shop.ts': '' },
      'ROOT/dist/shop.js does not exist. Compile the project first, such as with: npm run build\n',
    ],
    [
      'without a default export is an error',
      ['./a.mjs'],
      { 'a.mjs': 'export const name = 1;' },
      'config/application.json:1:13: the module "./a.mjs" cannot be loaded: its default export is neither a module class nor a module object with a name.',
    ],
    [
      'whose name is misspelled is an error with a suggestion',
      ['./a.mjs'],
      { 'a.mjs': "export default { nmae: 'a' };" },
      'neither a module class nor a module object with a name. It has the member "nmae". Did you mean "name"?',
    ],
    [
      'whose name has another type is an error that shows it',
      ['./a.mjs'],
      { 'a.mjs': 'export default { name: 1 };' },
      'neither a module class nor a module object with a name. Its name is 1.',
    ],
    [
      'that is a function is an error',
      ['./a.mjs'],
      { 'a.mjs': "export default () => ({ name: 'a' });" },
      'config/application.json:1:13: the module "./a.mjs" cannot be loaded: its default export is neither',
    ],
    [
      'whose class has no name is an error',
      ['./a.mjs'],
      { 'a.mjs': 'export default class {}' },
      'config/application.json:1:13: the module "./a.mjs" cannot be loaded: its default export is neither',
    ],
    [
      'in a list of another type is an error',
      'hosting',
      {},
      'config/application.json:1:2: modules: is the string "hosting". Write a list of module names, packages or files, such as {"modules": ["documentation", "./shop.mjs"]}.',
    ],
    [
      'whose name is not a string is an error',
      [1],
      {},
      'config/application.json:1:13: modules[0]: is 1. Write a list of module names, packages or files, such as ',
    ],
  ];

  it.each(refusals)('%s', async (_, modules, files, message) => {
    const { code, output } = await tryProject(modules, files);
    expect(output).toContain(message);
    expect(output).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });
});

describe('The module list', () => {
  it('rejects unknown keys', async () => {
    const { output } = await tryProject([], {
      'config/application.json': '{\n  "modules": [],\n  "module": []\n}',
    });
    expect(output).toBe('config/application.json:3:3: module: unknown key. Allowed: modules.\n');
  });

  it('is required', async () => {
    const root = makeProject();
    rmSync(path.join(root, 'config'), { recursive: true });
    const { output, code } = await startProcess(root);
    expect([output, code]).toEqual([
      `config/application.json does not exist in ${root}: create it with the modules to load, such as {"modules": ["documentation"]}, or pass the folder of a project with --root.\n`,
      1,
    ]);
    rmSync(root, { recursive: true });
  });
});
