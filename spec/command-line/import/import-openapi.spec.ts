import {
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { registerImport } from '../../../src/command-line/import/command';
import { runWords } from '../../factories/processes/command';
import { makeProject, ROOT } from '../../factories/platform';

const PETS = path.join(ROOT, 'spec/fixtures/openapi/pets.yaml');

let root: string;
beforeEach(() => (root = makeProject()));
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function run(file: string, words: readonly string[]) {
  const line = ['import', 'openapi', file, ...words, '--root', root];
  const { code, out: output, err: errors } = await runWords([registerImport], line);
  return { code, output, errors };
}

const autoload = (): readonly string[] => readdirSync(path.join(root, 'config/autoload')).sort();

it('writes a configuration file and reports what was lost', async () => {
  const { code, output, errors } = await run(PETS, ['--api', 'Pets', '--version', '3']);
  expect(errors).toBe('');
  expect(code).toBe(0);
  const file = path.join(root, 'config/autoload/Pets.global.json');
  expect(output).toContain(`Wrote ${file}: Pets-v3, 3 services, 5 operations.`);
  expect(output).toMatch(
    /\nNot imported:\n(?: {2}.*\n)* {2}servers \(this server hosts the API, all paths below "\/v3"\): #\/servers\n/,
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    $schema: '../schema.json',
    'platform-hosting': { apis: { Pets: { versions: { 3: { services: { Store: { kind: 'rpc' } } } } } } },
  });
});

it('creates the folder of the configuration if the project has none', async () => {
  rmSync(path.join(root, 'config/autoload'), { recursive: true });
  expect(await run(PETS, ['--api', 'Pets'])).toMatchObject({ code: 0, errors: '' });
  expect(autoload()).toEqual(['Pets.global.json']);
});

// Only root may give files away.
(process.getuid?.() === 0 ? it : it.skip)('by root creates a folder that the owner can write', async () => {
  rmSync(path.join(root, 'config/autoload'), { recursive: true });
  chownSync(path.join(root, 'config'), 65_534, 65_534);
  expect(await run(PETS, ['--api', 'Pets'])).toMatchObject({ code: 0, errors: '' });
  for (const name of ['config/autoload', 'config/autoload/Pets.global.json'])
    expect(lstatSync(path.join(root, name)).uid).toBe(65_534);
});

describe('a path that exists in the project', () => {
  const document = (paths: readonly string[]): string => {
    const answers = { responses: { 200: { description: 'Yes' } } };
    const file = path.join(root, 'taken.json');
    const all = Object.fromEntries(paths.map((one) => [one, { get: answers }]));
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: all }));
    return file;
  };
  const taken = ['/atlas/countries', '/platform/documentation', '/pets', '/.well-known/api-catalog'];

  it('is skipped and listed, and the rest is imported', async () => {
    const { code, output, errors } = await run(document(taken), ['--api', 'Pets']);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toContain('Pets-v1, 1 service, 1 operation.');
    expect(output).toContain(
      '  a route that conflicts with "documentation" (use --base-path to avoid it): /platform/documentation\n',
    );
    expect(output).toContain('a route that conflicts with "api-catalog"');
    expect(output).toContain('a route that conflicts with "Atlas:/atlas/countries[/:country_code]"');
    const again = await run(document(taken), ['--api', 'Pets', '--force']);
    expect(again.output).toContain('Pets-v1, 1 service, 1 operation.');
  });

  it('is skipped when another version of the API has it with another name', async () => {
    expect((await run(document(['/pets/{id}']), ['--api', 'Pets'])).code).toBe(0);
    const out = path.join(root, 'config/autoload/second.global.json');
    const words = ['--api', 'Pets', '--version', '2', '--out', out];
    const { code, output } = await run(document(['/pets/{other}', '/dogs']), words);
    expect(code).toBe(0);
    expect(output).toContain('Pets-v2, 1 service, 1 operation.');
    expect(output).toContain('a route that conflicts with "Pets:/pets/:id"');
    const same = await run(document(['/pets/{id}', '/dogs']), [...words, '--force']);
    expect(same.output).toContain('Pets-v2, 2 services, 2 operations.');
  });

  it('leaves no API if there are no others: the reasons are listed, and an earlier file stays', async () => {
    const out = path.join(root, 'config/autoload/Pets.global.json');
    await run(document(['/pets']), ['--api', 'Pets']);
    const before = readFileSync(out, 'utf8');
    const { code, output, errors } = await run(document(taken.slice(0, 2)), ['--api', 'Pets', '--force']);
    expect(code).toBe(1);
    expect(output).toMatch(/^Not imported:\n(?: {2}.*\n)* {2}a route that conflicts with "documentation"/);
    expect(errors).toMatch(
      /\/taken\.json has no operation that can be imported: the API was not written\.\n$/,
    );
    expect(readFileSync(out, 'utf8')).toBe(before);
    const report = path.join(root, 'losses.txt');
    await run(document([]), ['--api', 'Dogs', '--report', report]);
    expect(readFileSync(report, 'utf8')).toContain('title and version of the document');
    expect(autoload()).toEqual(['Pets.global.json', 'local.json']);
  });

  it('does not exist below another base path', async () => {
    const { code, output } = await run(document(taken), ['--api', 'Pets', '--base-path', '/shop']);
    expect(code).toBe(0);
    expect(output).toContain('Pets-v1, 4 services, 4 operations.');
    expect(output).not.toContain('taken here');
    const text = readFileSync(path.join(root, 'config/autoload/Pets.global.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      'platform-hosting': { apis: { Pets: { base_path: '/shop' } } },
    });
  });

  it('is reported when the base path is invalid', async () => {
    const { code, errors } = await run(document(['/pets']), ['--api', 'Pets', '--base-path', 'shop/']);
    expect(code).toBe(1);
    expect(errors).toContain('The base path "shop/" must be a path such as "/shop"');
    expect(autoload()).toEqual(['local.json']);
  });
});

describe('a very long list of losses', () => {
  const document = (): string => {
    const file = path.join(root, 'many.json');
    const extensions = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`x-${at}`, at]));
    const get = { responses: { 200: { description: 'Yes' } }, ...extensions };
    const paths = { '/pets': { get } };
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }));
    return file;
  };

  it('is shortened on screen, and written in full to a file on request', async () => {
    const shown = await run(document(), ['--api', 'Pets']);
    expect(shown.output.match(/^ {2}"x-\d+"/gm)?.length).toBeLessThanOrEqual(50);
    expect(shown.output).toMatch(/\n {2}… and \d+ more: use --report FILE to list them all\n$/);
    const report = path.join(root, 'losses.txt');
    const { output } = await run(document(), ['--api', 'Pets', '--force', '--report', report]);
    expect(output).toContain(`see ${report}`);
    expect(readFileSync(report, 'utf8').match(/^"x-\d+"/gm)).toHaveLength(70);
  });

  it('has every location of a kind in the file, and three of them on screen', async () => {
    const file = path.join(root, 'repeated.json');
    const get = { responses: { default: { description: 'Any' } } };
    const paths = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/pets${at}`, { get }]));
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }));
    const report = path.join(root, 'losses.txt');
    const { output } = await run(file, ['--api', 'Pets', '--report', report]);
    const pointers = Object.keys(paths).map((at) => `#/paths/~1${at.slice(1)}/get/responses/default`);
    const kind = 'response "default" is not a status code: ';
    expect(output).toContain(`\n  ${kind}${pointers.slice(0, 3).join(', ')} and 9 more\n`);
    expect(readFileSync(report, 'utf8')).toContain(`\n${kind}${pointers.join(', ')}\n`);
  });

  it('does not overwrite an existing file', async () => {
    const report = path.join(root, 'config/autoload/local.json');
    const { code, errors } = await run(document(), ['--api', 'Pets', '--report', report]);
    expect(code).toBe(1);
    expect(errors).toBe(
      `${report} already exists. Overwrite it with --force, or choose another file with --report.\n`,
    );
  });

  it('cannot be a file that is read or written otherwise', async () => {
    const file = document();
    const before = readFileSync(file, 'utf8');
    const target = path.join(root, 'config/autoload/Pets.global.json');
    for (const report of [file, target]) {
      const { code, errors } = await run(file, ['--api', 'Pets', '--force', '--report', report]);
      expect(code).toBe(1);
      expect(errors).toBe(
        `--report ${report} is the imported document or the target file. Choose another file.\n`,
      );
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(target)).toBe(false);
  });

  it('leaves everything unchanged when it cannot be written', async () => {
    const target = path.join(root, 'config/autoload/Pets.global.json');
    const nowhere = ['--api', 'Pets', '--report', path.join(root, 'none/losses.txt')];
    expect((await run(document(), nowhere)).errors).toContain('cannot be written');
    expect(existsSync(target)).toBe(false);
    await run(PETS, ['--api', 'Pets']);
    const before = readFileSync(target, 'utf8');
    expect((await run(document(), [...nowhere, '--force'])).code).toBe(1);
    expect(readFileSync(target, 'utf8')).toBe(before);
  });
});

it('does not replace a file without --force', async () => {
  await run(PETS, ['--api', 'Pets']);
  const again = await run(PETS, ['--api', 'Pets']);
  expect(again.errors).toMatch(
    /Pets\.global\.json already exists\. Overwrite it with --force, or choose another file with --out\./,
  );
  expect(again.code).toBe(1);
  expect((await run(PETS, ['--api', 'Pets', '--force'])).code).toBe(0);
});

it('keeps the names of services when it replaces their file, for files that refer to them', async () => {
  const document = (...paths: readonly string[]): string => {
    const file = path.join(root, 'growing.json');
    const get = { tags: ['Pet'], responses: { 200: { description: 'Yes' } } };
    const items = Object.fromEntries(paths.map((name) => [name, { get }]));
    writeFileSync(
      file,
      JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: items }),
    );
    return file;
  };
  const names = (): readonly string[] => {
    const text = readFileSync(path.join(root, 'config/autoload/Pets.global.json'), 'utf8');
    return text.match(/"\w+": \{\n\s+"kind"|"route": ".*"/g)?.map((one) => one.replace(/: \{[^]*/, '')) ?? [];
  };
  await run(document('/pet/{id}'), ['--api', 'Pets']);
  const handler = { services: { Pet: { methods: { GET: { summary: 'Reads a pet' } } } } };
  const apis = { Pets: { versions: { 1: handler } } };
  const other = path.join(root, 'config/autoload/z-handlers.global.json');
  writeFileSync(other, JSON.stringify({ 'platform-hosting': { apis } }));
  const again = await run(document('/pet', '/pet/{id}', '/cats'), ['--api', 'Pets', '--force']);
  expect(again).toMatchObject({ code: 0, errors: '' });
  expect(names()).toEqual([
    ...['"Pet2"', '"route": "/pet"'],
    ...['"Pet"', '"route": "/pet/:id"'],
    ...['"PetCats"', '"route": "/cats"'],
  ]);
});

it('keeps symbolic links in their place', async () => {
  const [file, real] = [path.join(root, 'config/autoload/Pets.global.json'), path.join(root, 'real.json')];
  writeFileSync(real, '{}');
  symlinkSync(real, file);
  expect(await run(PETS, ['--api', 'Pets', '--force'])).toMatchObject({ code: 0, errors: '' });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('Pets');
});

it('does not merge a document into an existing API', async () => {
  const { code, errors } = await run(PETS, ['--api', 'Atlas', '--version', '2']);
  expect(errors).toBe(
    'API "Atlas" already has version 2. Existing versions: 1, 2. Choose another with --version.\n',
  );
  expect(code).toBe(1);
  expect(autoload()).toEqual(['local.json']);
});

it.each([
  ['an invalid API name', ['--api', '../Pets'], /The API name "..\/Pets" must start with a letter/],
  [
    'an invalid version',
    ['--api', 'Pets', '--version', '0'],
    /The version "0" must be an integer from 1 to 9007199254740991/,
  ],
  [
    'a version that a number cannot represent',
    ['--api', 'Pets', '--version', '9007199254740993'],
    /The version "9007199254740993" must be an integer from 1 to 9007199254740991/,
  ],
])('rejects %s', async (_, words, message) => {
  const { code, errors } = await run(PETS, words);
  expect(errors).toMatch(message);
  expect(code).toBe(1);
  expect(autoload()).toEqual(['local.json']);
});

it('names the command that downloads the document of a URL', async () => {
  const { code, errors } = await run('https://pets.example/openapi.json?v=1', ['--api', 'Pets']);
  expect([code, errors]).toEqual([
    1,
    "https://pets.example/openapi.json?v=1 is a URL, and documents are read from files. Download it first: curl --location --output openapi.json 'https://pets.example/openapi.json?v=1'\n",
  ]);
});

it('reports a missing file', async () => {
  const { code, errors } = await run(path.join(root, 'none.yaml'), ['--api', 'Pets']);
  expect(errors).toMatch(/none\.yaml cannot be read: ENOENT\. Pass an existing, readable file\./);
  expect(code).toBe(1);
});

it('reports a binary file without showing its content', async () => {
  const binary = path.join(root, 'picture.json');
  writeFileSync(binary, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]));
  const { code, errors } = await run(binary, ['--api', 'Pets']);
  expect(errors).toBe(`${binary} is not UTF-8 text. Pass a JSON or YAML document that is saved as UTF-8.\n`);
  expect(code).toBe(1);
  expect(autoload()).toEqual(['local.json']);
});

it('imports the other paths when one is empty', async () => {
  const file = path.join(root, 'empty-path.json');
  const item = { get: { responses: { 200: { description: 'A' } } } };
  writeFileSync(
    file,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'T' }, paths: { '': item, '/zz': item } }),
  );
  const { code, output } = await run(file, ['--api', 'Half']);
  expect(code).toBe(0);
  expect(output).toContain('Half-v1, 1 service, 1 operation.');
  expect(output).toContain('\n  path cannot be expressed as a route: #/paths/\n');
});

it('writes nothing that prevents the project from starting, and restores the previous file', async () => {
  // The project contains a setting of the API that the import does not know: its base path.
  const versions = { 7: { services: { Other: { kind: 'rpc', route: '/other', methods: {} } } } };
  const apis = { Wrong: { base_path: '/platform', versions } };
  writeFileSync(
    path.join(root, 'config/autoload/local.json'),
    JSON.stringify({ 'platform-hosting': { apis } }),
  );
  const wrong = path.join(root, 'wrong.json');
  const item = { get: { responses: { 200: { description: 'A' } } } };
  writeFileSync(wrong, JSON.stringify({ openapi: '3.1.0', paths: { '/documentation': item } }));
  const { code, errors } = await run(wrong, ['--api', 'Wrong']);
  expect(errors).toMatch(/^Nothing was written, because the project would not start:\n/);
  expect(code).toBe(1);
  expect(autoload()).toEqual(['local.json']);
  await run(PETS, ['--api', 'Wrong']);
  const before = readFileSync(path.join(root, 'config/autoload/Wrong.global.json'), 'utf8');
  expect((await run(wrong, ['--api', 'Wrong', '--force'])).code).toBe(1);
  expect(readFileSync(path.join(root, 'config/autoload/Wrong.global.json'), 'utf8')).toBe(before);
});

it('writes elsewhere on request, and reports that the file is not loaded', async () => {
  const out = path.join(root, 'pets.json');
  const { code, output } = await run(PETS, ['--api', 'Pets', '--out', out]);
  expect(code).toBe(0);
  expect(existsSync(out)).toBe(true);
  expect(output).toContain('This file is not read as configuration');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ $schema: 'config/schema.json' });
});

it('escapes control characters of the document for the terminal', async () => {
  const hostile = path.join(root, 'hostile.json');
  const write = (more: object): void =>
    writeFileSync(hostile, JSON.stringify({ openapi: '3.1.0', paths: {}, ...more }));
  const controls = /(?!\n)\p{Cc}/u;
  write({ 'x-\u001b[2J\u0007': 1 });
  const { output } = await run(hostile, ['--api', 'Hostile']);
  expect(output).toContain('"x-\\u{1b}[2J\\u{7}" of the document');
  expect(output).not.toMatch(controls);
  write({ openapi: '\u001b[2J\u009b31m' });
  const { errors } = await run(hostile, ['--api', 'Hostile', '--force']);
  expect(errors).toContain('is not an OpenAPI 3.0 or 3.1 document');
  expect(errors).not.toMatch(controls);
});
