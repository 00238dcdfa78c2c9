import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { compilerHost } from '../../factories/compiler-host';
import { ROOT, sampleAuthentication, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { CLI, run, runOnTerminal, type ProcessResult } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { HOSTING } from '../../factories/processes/start-refusal';

jest.setTimeout(120_000);

const PACKAGES = ['openapi-typescript', 'openapi-fetch', '@types'];

let folder: string;
let platform: TestPlatform;
/** The documentation, which requires a user. */
let url: string;

beforeAll(async () => {
  platform = await startTestPlatform({
    files: { 'config/autoload/global.json': JSON.stringify(sampleAuthentication) },
    local: {
      'platform-mvc-auth': {
        authentication: { map: { '@documentation': 'atlas-digest' } },
        authorization: { '@documentation': 'authenticated' },
      },
    },
  });
  url = `${platform.origin}/platform/documentation`;
});
afterAll(() => platform.stop());
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'client-')));
  install('apidesc-platform', ROOT);
  for (const name of PACKAGES) install(name, path.join(ROOT, 'node_modules', name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

/** Links a package into the folder. */
function install(name: string, target: string): void {
  mkdirSync(at('node_modules'), { recursive: true });
  symlinkSync(target, at(`node_modules/${name}`));
}

/** Runs a command in the folder, with the password of the user `guide`. */
const inFolder = (...words: readonly string[]): Promise<ProcessResult> =>
  run('sh', ['-c', 'cd "$0" && APIDESC_PASSWORD=explore exec "$@"', folder, process.execPath, ...words]);
const client = (...words: readonly string[]): Promise<ProcessResult> => inFolder(CLI, 'client', ...words);

/** Writes an OpenAPI document to the folder. */
function write(name: string, members: object): void {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: { '/notes': { get: { responses: { 200: { description: 'OK' } } } } },
    ...members,
  };
  writeFileSync(at(name), JSON.stringify(document));
}

/** Compiles the files of the folder. @returns the errors */
function compile(...names: readonly string[]): readonly string[] {
  writeFileSync(at('package.json'), '{"type":"module"}');
  const options: ts.CompilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node20,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  };
  const program = ts.createProgram(names.map(at), options, compilerHost(options));
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

const CALLS = `
import { createApiClient } from './api.js';

const baseUrl = process.argv[2] ?? '';
const guest = createApiClient({ baseUrl });
const client = createApiClient({ baseUrl, credentials: { username: 'guide', password: 'explore' } });

const refused = await guest.GET('/v2/atlas/visits');
const noted = await client.POST('/v2/atlas/visits', { body: { country_code: 'FR', note: 'Bread' } });
const params = { path: { visit_id: noted.data?.visit_id ?? '' } };
const read = await client.GET('/v2/atlas/visits/{visit_id}', { params });
const note: string | undefined = read.data?.note;
const removed = await client.DELETE('/v2/atlas/visits/{visit_id}', { params });
// The error of an operation is a problem, although it is available as a page too.
const detail: string | undefined = refused.error?.detail;
console.log(typeof detail, refused.response.status, noted.response.status, note, removed.response.status);

// These requests are not sent.
export const wrong = [
  // @ts-expect-error there is no such path
  () => client.GET('/v2/atlas/planets'),
  // @ts-expect-error the country is required
  () => client.POST('/v2/atlas/visits', { body: { note: 'Bread' } }),
  // @ts-expect-error no such member
  () => read.data?.colour,
];
`;

describe('apidesc-platform client', () => {
  it('writes a client of a guarded documentation that compiles, and calls the server with Digest', async () => {
    const words = [url, '--api', 'Atlas', '--version', '2', '--user', 'guide', '--output', 'src/api.ts'];
    expect(await client(...words)).toEqual({
      code: 0,
      output: `Wrote ${at('src/api.ts')}: Atlas, version 2.\n`,
    });
    const text = read('src/api.ts');
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(text.split('\n').slice(0, 2)).toEqual([
      `// Generated by "apidesc-platform client" ${version} from ${url}/Atlas-v2`,
      '// Atlas, version 2',
    ]);
    expect(text).toContain(`baseUrl = "${platform.origin}"`);
    expect(text).not.toContain('explore');
    writeFileSync(at('src/calls.ts'), CALLS);
    expect(compile('src/calls.ts')).toEqual([]);
    expect(await inFolder('src/calls.js', platform.origin)).toEqual({
      code: 0,
      output: 'string 401 201 Bread 204\n',
    });

    expect((await client(...words)).output).toBe(`No changes in ${at('src/api.ts')}: Atlas, version 2.\n`);
    expect(read('src/api.ts')).toBe(text);
  });

  it('replaces only files that it has written', async () => {
    write('notes.json', {});
    writeFileSync(at('mine.ts'), '// mine\n');
    const refused = await client('notes.json', '--output', 'mine.ts');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(
      `${at('mine.ts')} was not written by this command, so it is not overwritten.`,
    );
    expect(read('mine.ts')).toBe('// mine\n');

    expect((await client('notes.json', '--output', 'api.ts')).code).toBe(0);
    write('notes.json', { info: { title: 'Notes', version: '2' } });
    expect((await client('notes.json', '--output', 'api.ts')).output).toContain('Wrote');
    expect(read('api.ts')).toContain('// Notes, version 2\n');
    expect((await client('notes.json', '--output', 'api.ts/below.ts')).output).toContain(at('api.ts'));
    expect((await client('notes.json', '--output', 'node_modules')).output).toContain(at('node_modules'));
  });

  it('reads files in JSON and YAML, and prints to standard output', async () => {
    write('notes.json', { servers: [{ url: 'https://api.example.com/notes/' }] });
    writeFileSync(
      at('notes.yaml'),
      'openapi: 3.0.3\ninfo: { title: Notes, version: 1.0.0 }\nservers: [{ url: "https://{host}/notes" }]\npaths: {}\n',
    );
    const json = await client('notes.json');
    expect(json.code).toBe(0);
    expect(json.output).toContain('baseUrl = "https://api.example.com/notes"');
    const yaml = await client('notes.yaml');
    expect(yaml.code).toBe(0);
    expect(yaml.output).toContain('// Notes, version 1.0.0\n');
    // A variable has no value here: the program passes the URL.
    expect(yaml.output).toContain('readonly baseUrl: string;');
  });

  it('reads the server with the defaults of its variables', async () => {
    const variables = {
      region: { enum: ['eu', 'us'], default: 'eu' },
      base: { default: 'v2' },
      port: { default: 8443 },
    };
    write('notes.json', { servers: [{ url: 'https://{region}.example.com:{port}/{base}', variables }] });
    expect((await client('notes.json')).output).toContain('baseUrl = "https://eu.example.com:8443/v2"');
  });

  it('fetches nothing that examples name, and reads mappings with names of schemas', async () => {
    const requested: unknown[] = [];
    const server = createServer(({ url: requestedUrl }, response) => {
      requested.push(requestedUrl);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const externalValue = `http://127.0.0.1:${port}/note.json`;
    const schemaOf = (own: object): object => ({
      type: 'object',
      properties: { kind: { type: 'string' } },
      ...own,
    });
    const content = {
      'application/json': {
        schema: { $ref: '#/components/schemas/Note' },
        examples: { one: { externalValue }, two: { value: { externalValue } } },
      },
    };
    write('notes.json', {
      paths: { '/notes': { get: { responses: { 200: { description: 'A note.', content } } } } },
      components: {
        schemas: {
          Note: {
            oneOf: [{ $ref: '#/components/schemas/Long' }, { $ref: '#/components/schemas/Short' }],
            discriminator: { propertyName: 'kind', mapping: { long: 'Long', short: 'Short' } },
            default: { externalValue },
          },
          Long: schemaOf({ example: { externalValue } }),
          Short: schemaOf({ 'x-origin': { externalValue } }),
        },
      },
    });
    try {
      const { code, output } = await client('notes.json');
      expect(code).toBe(0);
      expect(output).toMatch(/Note: .*\["Long"\] \| .*\["Short"\]/);
      expect(requested).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('reads the project itself, without a server, always with the same result', async () => {
    mkdirSync(at('config'));
    writeFileSync(
      at('config/application.json'),
      JSON.stringify({ modules: ['documentation-apidesc', './shop.mjs'] }),
    );
    writeFileSync(
      at('shop.mjs'),
      `import { defineApi, defineProcedure, defineRpcService, Type } from 'apidesc-platform';
      const Now = (year) => defineRpcService({ description: 'Now.', route: '/now', methods: { GET: defineProcedure({
        description: 'Returns the time.', response: Type.Object({ [year]: Type.Integer() }), handler: () => ({}) }) } });
      export default { name: 'shop', requires: ['hosting'], apis: [defineApi({ name: 'Time', versions: {
        1: { services: { Now: Now('first') } }, 2: { services: { Now: Now('second') } } } })] };`,
    );
    const [all, again, one] = [
      await client(),
      await client(),
      await client('--api', 'Time', '--version', '1'),
    ];
    expect(all.code).toBe(0);
    expect(again.output).toBe(all.output);
    expect(all.output).toMatch(/^\/\/ Generated by "apidesc-platform client" \S+ from the project\n/);
    expect(all.output).toContain('"/v2/now"');
    expect(one.output).toContain('first: number');
    expect(one.output).not.toContain('second');
    // The port is closed by then: the message names no URL.
    expect(await client('--api', 'Tide')).toEqual({
      code: 1,
      output:
        'The documentation of the project responds 404: API "Tide" does not exist. Available: Time. Pass --api with an API of the project, whose modules need "documentation-apidesc".\n',
    });
  });

  it('names no URL of the project whose documentation a module does not send', async () => {
    mkdirSync(at('config'));
    writeFileSync(at('config/application.json'), '{"modules":["documentation-apidesc","./cut.mjs"]}');
    writeFileSync(
      at('cut.mjs'),
      `export default { name: 'cut', requires: ['hosting'], onBootstrap: ({ application }) => {
        application.events.attach('route', ({ outgoing }) => outgoing.socket.destroy(), 10_000);
      } };`,
    );
    const { code, output } = await client();
    expect(output).toMatch(
      /^The documentation of the project is unreachable: .+\. Check the modules of the project\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('signs in to the documentation of the project itself', async () => {
    const adapter = {
      adapter: 'HttpAdapter',
      options: {
        accept_schemes: ['digest'],
        realm: 'Docs',
        htdigest: 'docs.htdigest',
        digest_domains: '',
        nonce_timeout: '60',
      },
    };
    mkdirSync(at('config/autoload'), { recursive: true });
    writeFileSync(at('config/application.json'), '{"modules":["documentation-apidesc"]}');
    writeFileSync(
      at('config/autoload/local.json'),
      JSON.stringify({
        'platform-mvc-auth': {
          authentication: { adapters: { docs: adapter }, map: { '@documentation': 'docs' } },
          authorization: { '@documentation': 'authenticated' },
        },
      }),
    );
    const digest = createHash('sha256').update('guide:Docs:explore').digest('hex');
    writeFileSync(at('docs.htdigest'), `guide:Docs:${digest}\n`);
    expect(await client()).toEqual({
      code: 1,
      output: 'The documentation of the project responds 401: Unauthorized. Sign in with --user <name>.\n',
    });
    expect(await client('--user', 'guide')).toMatchObject({
      code: 0,
      output: expect.stringContaining('from the project\n') as string,
    });
  });

  it('writes no code that a document contains', async () => {
    const hostile = '*/\n} process.exit(7); /* ` ${x} \u2028 process.exit(7)\n';
    write('notes.json', {
      info: { title: hostile, version: hostile, description: hostile },
      servers: [{ url: `https://example.com/${hostile}"` }],
      paths: {
        [`/${hostile}`]: {
          get: {
            description: hostile,
            operationId: hostile,
            responses: {
              200: {
                description: hostile,
                content: { [hostile]: { schema: { enum: [hostile], default: hostile, title: hostile } } },
              },
            },
          },
        },
      },
    });
    const { code, output } = await client('notes.json', '--output', 'api.ts');
    expect({ code, output }).toMatchObject({ code: 0 });
    const source = ts.createSourceFile('api.ts', read('api.ts'), ts.ScriptTarget.ES2022);
    const { ImportDeclaration, InterfaceDeclaration, FunctionDeclaration, TypeAliasDeclaration } =
      ts.SyntaxKind;
    expect([...new Set(source.statements.map(({ kind }) => kind))].sort()).toEqual(
      [ImportDeclaration, InterfaceDeclaration, FunctionDeclaration, TypeAliasDeclaration].sort(),
    );
    // The one body.
    expect(read('api.ts').match(/return /g)).toHaveLength(1);
    expect(compile('api.ts')).toEqual([]);
  });
});

describe('apidesc-platform client reports', () => {
  it.each([
    [
      'an unreachable server',
      () => ['http://127.0.0.1:2/'],
      /^http:\/\/127\.0\.0\.1:2\/ is unreachable: .*ECONNREFUSED/,
    ],
    ['that a user is needed', () => [url], /documentation responds 401.* Sign in with --user <name>\.\n$/],
    [
      'a wrong name',
      () => [url, '--user', 'nobody'],
      /responds 401.* The name "nobody" or the password is wrong/,
    ],
    [
      'an unknown API',
      () => [url, '--user', 'guide', '--api', 'Nope'],
      /responds 404: API "Nope" does not exist\. Available: Atlas/,
    ],
    [
      'an unknown path',
      () => [`${platform.origin}/nope`],
      /responds 404.* Pass the URL of the documentation, such as http:\S+\/platform\/documentation\.\n$/,
    ],
    [
      'another document',
      () => [`${platform.origin}/v1/atlas/countries/DE`],
      /is not an OpenAPI 3\.0 or 3\.1 document/,
    ],
    ['another scheme', () => ['ftp://127.0.0.1/'], /^"ftp:\/\/127\.0\.0\.1\/" is not the URL of a document/],
    ['--version without --api', () => [url, '--version', '2'], /^--version needs the name of the API/],
    ['--api with a file', () => ['notes.json', '--api', 'Notes'], /^--api has no effect on a file/],
    ['--user with a file', () => ['notes.json', '--user', 'guide'], /^--user has no effect on a file/],
    [
      '--user with a file that is named like the path of a documentation',
      () => ['docs/platform/documentation.json', '--user', 'guide'],
      /^--user has no effect on a file, which is read without signing in\. Leave it out\.\n$/,
    ],
    ['a missing file', () => ['missing.json'], /^missing\.json cannot be read: ENOENT/],
    [
      'a URL without its scheme',
      () => ['localhost:8080/platform/documentation/Atlas'],
      /^localhost:8080\S+ cannot be read: ENOENT\. If it is a URL, pass http:\/\/localhost:8080\/platform\/documentation\/Atlas\n$/,
    ],
    ...(['--user', '--api'] as const).map(
      (option) =>
        [
          `${option} with a URL without its scheme`,
          () => ['localhost:8080/platform/documentation', option, 'x'],
          /no effect on a file, .* If it is a URL, pass http:\/\/localhost:8080\/platform\/documentation\n$/,
        ] as const,
    ),
    [
      'a URL with a base path, without its scheme',
      () => ['api.example.com/gateway/platform/documentation'],
      /\. If it is a URL, pass http:\/\/api\.example\.com\/gateway\/platform\/documentation\n$/,
    ],
    ['a file that is not text', () => ['node_modules/.bin'], /cannot be read: (ENOENT|EISDIR)/],
    ['a folder without a project', () => [], /config\/application\.json/],
  ] as const)('%s', async (_, words, message) => {
    const { code, output } = await client(...words(), '--output', 'api.ts');
    expect(output).toMatch(message);
    expect(output).not.toContain('explore');
    expect(code).toBe(1);
    expect(() => read('api.ts')).toThrow('ENOENT');
  });

  it('a service that does not describe its APIs with OpenAPI', async () => {
    const other = await startTestPlatform({ modules: [...HOSTING, 'documentation'] });
    try {
      expect((await client(`${other.origin}/platform/documentation`)).output).toMatch(
        /responds 406[^]* add "documentation-apidesc" to the modules in config\/application\.json\.\n$/,
      );
    } finally {
      await other.stop();
    }
  });

  it('missing packages, with the commands that install them', async () => {
    rmSync(at('node_modules/openapi-typescript'));
    rmSync(at('node_modules/openapi-fetch'));
    mkdirSync(at('node_modules/typescript'));
    writeFileSync(at('node_modules/typescript/package.json'), '{"version":"6.0.3"}');
    const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const [generator = '', fetcher = ''] = PACKAGES.map((name) => `${name}@${devDependencies[name] ?? ''}`);
    const install = `npm install ${fetcher}\n  npm install --save-dev ${generator}`;
    expect(await client(url)).toEqual({
      code: 1,
      output: `The client needs openapi-typescript and openapi-fetch, not found from ${folder}. Install with:
  npm pkg set "overrides.openapi-typescript.typescript=>=5 <7"
  ${install}
Then run this command again.
`,
    });
    writeFileSync(at('package.json'), '{"overrides":{"openapi-typescript":{"typescript":"$typescript"}}}');
    expect((await client(url)).output).toContain(`Install with:\n  ${install}\nThen`);
  });

  it('a server that ends too early, or sends anything but a document', async () => {
    const bodies: readonly string[] = ['{"openapi":', '<html>', '[]', ''];
    let body = '';
    const server: Server = createServer((_, response) => {
      if (body === 'cut') {
        response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
      } else response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    try {
      for (body of bodies)
        expect(await client(`http://127.0.0.1:${port}/`)).toMatchObject({
          code: 1,
          output: expect.stringMatching(
            /^http:\/\/127\.0\.0\.1:\d+\/ (is not an OpenAPI|cannot be read as JSON)/,
          ) as string,
        });
      body = 'cut';
      expect((await client(`http://127.0.0.1:${port}/`)).output).toContain('did not send the whole document');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('apidesc-platform client on a terminal', () => {
  const { it } = withPrograms('script');

  it('asks for the password without echo', async () => {
    const command = `env --chdir=${folder} ${process.execPath} ${CLI} client ${url} --user guide --output api.ts`;
    const { code, output } = await runOnTerminal(command, [['password: ', 'explore\r']]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('Wrote');
    expect(output).not.toContain('explore');
  });
});
