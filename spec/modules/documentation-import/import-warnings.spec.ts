import { importOpenapi, type ImportedApi } from '../../../src/modules/documentation-import';
import { ImportWarnings } from '../../../src/modules/documentation-import/import-warnings';
import { startTestPlatform } from '../../factories/platform';

const OK = { 200: { description: 'A' } };

const document = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more });

const imported = (text: string): ImportedApi => importOpenapi({ text, name: 'file.json' }, 1);

/** Returns the warnings without those of every import. */
const warningsOf = (text: string): readonly string[] =>
  imported(text).warnings.filter((loss) => !loss.startsWith('title and version'));

const query = (parameters: unknown): string => document({ '/a': { get: { parameters, responses: OK } } });

const body = (schema: unknown): string => {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  return document({ '/a': { post: { requestBody, responses: OK } } });
};

const SCHEMA = '#/paths/~1a/post/requestBody/content/application~1json/schema';

describe('the report of an import', () => {
  it('comes in short parts, however many locations a kind has', () => {
    const warnings = new ImportWarnings();
    const pointers = Array.from({ length: 100_000 }, (_, at) => `#/paths/~1a/get/parameters/${at}`);
    for (const pointer of pointers) warnings.add('unsupported parameter in header', pointer);
    warnings.add('other', '#/a');
    const parts = [...warnings.report()];
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1_000);
    expect(parts.join('')).toBe(`unsupported parameter in header: ${pointers.join(', ')}\nother: #/a\n`);
  });
});

describe('parameters', () => {
  it('are imported once per name and location', () => {
    const text = query([
      { name: 'q', in: 'query', schema: { type: 'string' } },
      { name: 'q', in: 'query', schema: { type: 'integer' } },
      { name: 'q', in: 'header' },
    ]);
    expect(warningsOf(text)).toEqual([
      'duplicate parameter "q" in query: #/paths/~1a/get/parameters/1',
      'unsupported parameter in header: #/paths/~1a/get/parameters/2',
    ]);
    expect(JSON.stringify(imported(text).api)).toContain('"q":{"type":"string"}');
  });

  it.each([
    ['not a list', { name: 'q', in: 'query' }, 'parameters is not a list: #/paths/~1a/get/parameters'],
    ['no name', [{ in: 'query' }], 'parameter without a name: #/paths/~1a/get/parameters/0'],
    ['nothing', [null], 'parameter without a name: #/paths/~1a/get/parameters/0'],
    [
      'a name that no object can have',
      [{ name: '__proto__', in: 'query' }],
      'parameter without a name: #/paths/~1a/get/parameters/0',
    ],
    [
      'a path parameter that is not in the path',
      [{ name: 'b', in: 'path', required: true }],
      'parameter "b" is not in the path: #/paths/~1a/get/parameters/0',
    ],
    [
      'an object',
      [{ name: 'q', in: 'query', style: 'form', schema: { type: 'object', properties: {} } }],
      'query parameter that is an object: #/paths/~1a/get/parameters/0',
    ],
    [
      'an empty value',
      [{ name: 'q', in: 'query', allowEmptyValue: true }],
      '"allowEmptyValue" of a parameter: #/paths/~1a/get/parameters/0',
    ],
  ])('with %s are not imported, with a warning', (_, parameters, loss) => {
    expect(warningsOf(query(parameters))).toEqual([loss]);
  });

  it('of a path are taken from its first method', () => {
    const parameter = (type: string): object => ({
      parameters: [{ name: 'b', in: 'path', required: true, schema: { type } }],
      responses: OK,
    });
    const text = document({ '/a/{b}': { get: parameter('string'), delete: parameter('integer') } });
    expect(warningsOf(text)).toEqual([
      'different description of a path parameter in another method: #/paths/~1a~1{b}/delete/parameters/0',
    ]);
  });
});

describe('responses', () => {
  it('with a key that is not a status are reported', () => {
    const keys = ['200.5', '9xx', 'abc', 'default', '2XX', '099', '600', '2e2', '0x64', '-200'];
    const responses = Object.fromEntries(keys.map((key) => [key, { description: 'x' }]));
    const warnings = warningsOf(document({ '/a': { get: { responses: { ...OK, ...responses } } } }));
    expect([...warnings].sort()).toEqual(
      keys.map((key) => `response "${key}" is not a status code: #/paths/~1a/get/responses/${key}`).sort(),
    );
  });

  it('of all success statuses become those of 200, unless a status is named', () => {
    const content = { 'application/json': { schema: { type: 'integer' } } };
    const text = document({
      '/a': {
        get: { responses: { '2XX': { description: 'Any.', content }, '4XX': { description: 'Bad.' } } },
      },
    });
    expect(warningsOf(text)).toEqual([
      'response "2XX" is not a status code (200 is used): #/paths/~1a/get/responses/2XX',
      'response "4XX" is not a status code: #/paths/~1a/get/responses/4XX',
    ]);
    expect(JSON.stringify(imported(text).api)).toContain(
      '"response":{"type":"integer"},"status_codes":[{"code":200,"message":"Any."}',
    );
  });

  it('keep their descriptions, or have the usual ones of errors', () => {
    const responses = { ...OK, 404: { description: '' }, 501: { description: 'Not yet.' } };
    const { api } = imported(document({ '/a': { get: { responses } } }));
    expect(JSON.stringify(api)).toMatch(
      /\{"code":404,"message":"Not Found"\},\{"code":501,"message":"Not yet\."\}\]/,
    );
  });

  it('keep a media type other than JSON', () => {
    const content = {
      'image/png': { schema: { type: 'string', format: 'binary' } },
      'image/webp': {},
      'image/*': {},
    };
    const text = document({ '/a': { get: { responses: { 200: { description: 'A', content } } } } });
    expect(warningsOf(text)).toEqual([
      'response of type image/*: #/paths/~1a/get/responses/200',
      'separate schema of responses of type image/webp: #/paths/~1a/get/responses/200',
    ]);
    expect(JSON.stringify(imported(text).api)).toContain('"response_type":["image/png","image/webp"]');
  });
});

describe('paths', () => {
  it('may have text around parameters', async () => {
    const item = { get: { responses: OK } };
    const paths = ['/files/{name}.{ext}', '/compare/{base-ref}...{head}', '/pairs/a-{one}'];
    const refused = ['/{a}{b}', '/{a}b'];
    const text = document(Object.fromEntries([...paths, ...refused].map((one) => [one, item])));
    expect(warningsOf(text)).toEqual([
      'parameter "base-ref" renamed to "base_ref": #/paths/~1compare~1{base-ref}...{head}',
      'path cannot be expressed as a route: #/paths/~1{a}{b}, #/paths/~1{a}b',
    ]);
    const { api } = imported(text);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Files: api } } } });
    try {
      for (const path of ['/files/a.txt', '/compare/v1...v2', '/pairs/a-1'])
        expect([path, (await platform.request(`/v1${path}`)).status]).toEqual([path, 501]);
      const answer = await platform.request('/platform/documentation/Files?format=openapi');
      expect(Object.keys(((await answer.json()) as { paths: object }).paths)).toEqual(
        expect.arrayContaining([
          '/v1/files/{name}.{ext}',
          '/v1/compare/{base_ref}...{head}',
          '/v1/pairs/a-{one}',
        ]),
      );
    } finally {
      await platform.stop();
    }
  });

  it('have parameters with names that routes reserve, under other names', async () => {
    const item = { get: { responses: OK } };
    const text = document({
      '/a/{__proto__}': item,
      '/b/{version}/{constructor}': item,
      '/c/{__proto_}/{--proto_}': item,
    });
    expect(warningsOf(text)).toEqual([
      'parameter "__proto__" renamed to "__proto___": #/paths/~1a~1{__proto__}',
      'parameter "version" renamed to "version_": #/paths/~1b~1{version}~1{constructor}',
      'parameter "--proto_" renamed to "__proto___": #/paths/~1c~1{__proto_}~1{--proto_}',
    ]);
    const { api } = imported(text);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Names: api } } } });
    try {
      for (const path of ['/a/1', '/b/2/3', '/c/4/5'])
        expect([path, (await platform.request(`/v1${path}`)).status]).toEqual([path, 501]);
    } finally {
      await platform.stop();
    }
  });

  it('may have letters of all alphabets, encoded or not', async () => {
    const item = { get: { responses: OK } };
    const paths = ['/länder/{id}', '/st%C3%A4dte', '/städte', '/%E5%8C%97'];
    const text = document(Object.fromEntries(paths.map((one) => [one, item])));
    expect(warningsOf(text)).toEqual(['duplicate path: #/paths/~1städte']);
    const { api } = imported(text);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Places: api } } } });
    try {
      for (const path of ['/l%C3%A4nder/7', '/st%C3%A4dte', '/%E5%8C%97'])
        expect([path, (await platform.request(`/v1${path}`)).status]).toEqual([path, 501]);
    } finally {
      await platform.stop();
    }
  });

  it('may differ in what their parameters accept, as those that the documentation writes', async () => {
    const itemOf = (name: string, schema: object): object => ({
      parameters: [{ name, in: 'path', required: true, schema }],
      get: { operationId: `by_${name}`, responses: OK },
    });
    const text = document({
      '/things/{id}': itemOf('id', { type: 'integer' }),
      '/things/{code}': itemOf('code', { type: 'string', pattern: '^(?:[A-Z]{2}|[A-Z]{4})$' }),
      '/things/{view}': itemOf('view', { type: 'string', enum: ['all', 'none'] }),
      '/things/{name}': itemOf('name', { type: 'string' }),
      '/things/{other}': itemOf('other', { type: 'string', pattern: '^(a|b)+$' }),
    });
    expect(warningsOf(text)).toEqual(['duplicate path: #/paths/~1things~1{other}']);
    const { api } = imported(text);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Things: api } } } });
    try {
      const { router } = platform.application;
      expect(['7', 'DE', 'all', 'lamp'].map((one) => router.match(`/things/${one}`)?.parameters)).toEqual([
        { id: '7' },
        { code: 'DE' },
        { view: 'all' },
        { name: 'lamp' },
      ]);
      const answer = await platform.request('/platform/documentation/Things?format=openapi');
      expect(warningsOf(await answer.text()).filter((one) => one.startsWith('duplicate path'))).toEqual([]);
    } finally {
      await platform.stop();
    }
  });

  it('may differ in patterns with escapes that change nothing, and in lists of values with null', () => {
    const itemOf = (name: string, schema: object): object => ({
      parameters: [{ name, in: 'path', required: true, schema }],
      get: { responses: OK },
    });
    const text = document({
      '/things/{code}': itemOf('code', { type: 'string', pattern: '^[A-Z]+\\-\\d$' }),
      '/things/{view}': itemOf('view', { type: 'string', nullable: true, enum: ['all', 'none', null] }),
      '/things/{name}': itemOf('name', { type: 'string' }),
    });
    expect(warningsOf(text)).toEqual([]);
    expect(JSON.stringify(imported(text).api)).toContain('"route":"/things/:view(all|none)"');
  });

  it('have no constraints in segments with several parameters, whose matches would take too long', () => {
    const itemOf = (...names: string[]): object => ({
      parameters: names.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: '^[\\w-]+$' },
      })),
      get: { responses: OK },
    });
    const text = document({
      '/x/{a}-{b}-{c}/{d}': itemOf('a', 'b', 'c', 'd'),
      '/x/{d}-{e}-{f}/{g}': itemOf('d', 'e', 'f'),
    });
    expect(warningsOf(text)).toEqual([]);
    const made = JSON.stringify(imported(text).api);
    expect(made).toContain(String.raw`"route":"/x/:a-:b-:c/:d([\\w-]+)"`);
    expect(made).toContain('"route":"/x/:d-:e-:f/:g"');
  });

  it('that are duplicate, empty or invalid are reported', () => {
    const item = { get: { responses: OK } };
    const paths = ['/a/{b}', '/a/{c}', '/b/../c', '//d', '/e%2Ff', '/g(h)', 'i', '', '/%7Bl%7D'];
    const text = document({
      ...Object.fromEntries(paths.map((one) => [one, item])),
      '/j': {},
      '/k': { get: 'x' },
    });
    expect(warningsOf(text)).toEqual([
      'duplicate path: #/paths/~1a~1{c}',
      'path cannot be expressed as a route: #/paths/~1b~1..~1c, #/paths/~1~1d, #/paths/~1e%2Ff and 4 more',
      'path without operations: #/paths/~1j, #/paths/~1k',
      'operation is not an object: #/paths/~1k/get',
    ]);
  });
});

describe('malformed parts', () => {
  const operationOf = (operation: object): string => document({ '/a': { get: operation } });
  const shapesOf = (text: string): readonly string[] =>
    warningsOf(text).filter((loss) => !/^(no success status|path without operations)/.test(loss));

  it.each([
    ['summary', { a: 1 }, 'not a string'],
    ['description', 7, 'not a string'],
    ['operationId', ['y'], 'not a string'],
    ['tags', 'x', 'not a list of strings'],
    ['tags', [7], 'not a list of strings'],
    ['deprecated', 'no', 'not a boolean'],
    ['responses', [], 'not an object'],
  ])('of an operation are reported: %s', (name, value, form) => {
    expect(shapesOf(operationOf({ responses: OK, [name]: value }))).toEqual([
      `"${name}" of an operation is ${form}: #/paths/~1a/get/${name}`,
    ]);
  });

  it.each([['x'], [7], [[7]], [{ a: 1 }]])(
    'do not open an operation to guests: a security of %j',
    (security) => {
      for (const text of [
        operationOf({ responses: OK, security }),
        document({ '/a': { get: { responses: OK } } }, { security }),
      ]) {
        expect(shapesOf(text)).toEqual([
          expect.stringMatching(
            /^"security" of .* is not a list of objects \(authentication is required\): #.*\/security$/,
          ),
        ]);
        expect(JSON.stringify(imported(text).api)).toContain('"authorization":"authenticated"');
      }
    },
  );

  it('of a response and a body are reported', () => {
    const content = {
      'application/json': { schema: 7, examples: [1], bogus: 1 },
      'application/hal+json': 'x',
    };
    const text = operationOf({
      responses: { 200: { description: 5, content: [] }, 201: 7, 202: { content, 'x-a': 1 } },
    });
    const at = '#/paths/~1a/get/responses';
    expect(shapesOf(text)).toEqual(
      expect.arrayContaining([
        `"description" of a response is not a string: ${at}/200/description`,
        `"content" of a response is not an object: ${at}/200/content`,
        `a response is not an object: ${at}/201`,
        `"x-a" of a response: ${at}/202`,
        `"schema" of a media type is not a schema: ${at}/202/content/application~1json/schema`,
        `"examples" of a media type is not an object of objects: ${at}/202/content/application~1json/examples`,
        `"bogus" of a media type: ${at}/202/content/application~1json`,
        `a media type is not an object: ${at}/202/content/application~1hal+json`,
      ]),
    );
    const requestBody = { description: 1, required: 'yes', content };
    expect(warningsOf(document({ '/a': { post: { requestBody, responses: OK } } }))).toEqual(
      expect.arrayContaining([
        '"description" of a request body is not a string: #/paths/~1a/post/requestBody/description',
        '"required" of a request body is not a boolean: #/paths/~1a/post/requestBody/required',
      ]),
    );
  });

  it('of the document, a path and a parameter are reported', () => {
    const text = document(
      {
        '/a': {
          get: { responses: OK, parameters: [{ name: 'q', in: 'query', required: 1, allowReserved: true }] },
          bogus: { x: 1 },
          description: [],
        },
        '/b': [],
        'x-a': 1,
      },
      {
        info: { title: 'T', version: '1', description: ['x'], license: 'MIT', contact: 1, bogus: 1 },
        components: 7,
        servers: 'x',
        tags: { a: 1 },
        jsonSchemaDialect: 'https://a.example',
      },
    );
    expect(shapesOf(text)).toEqual([
      '"components" of the document is not an object: #/components',
      '"servers" of the document is not a list of objects: #/servers',
      '"tags" of the document is not a list of objects: #/tags',
      '"jsonSchemaDialect" of the document: #',
      '"description" of the document is not a string: #/info/description',
      '"license" of the document is not an object: #/info/license',
      '"contact" of the document is not an object: #/info/contact',
      '"bogus" of the document: #/info',
      '"bogus" of a path: #/paths/~1a',
      '"description" of a path is not a string: #/paths/~1a/description',
      '"required" of a parameter is not a boolean: #/paths/~1a/get/parameters/0/required',
      '"allowReserved" of a parameter: #/paths/~1a/get/parameters/0',
      'a path is not an object: #/paths/~1b',
      '"x-a" of the paths: #/paths',
    ]);
  });

  it('of components are reported, and siblings of a $ref', () => {
    const text = document(
      { '/a': { get: { responses: { 200: { $ref: '#/components/responses/A', description: 'B' } } } } },
      {
        components: {
          responses: { A: { description: 7 }, B: 'x' },
          parameters: [],
          bogus: {},
        },
        tags: [{ name: 'a', description: 1, externalDocs: {} }],
      },
    );
    expect(shapesOf(text)).toEqual([
      '"description" of a tag is not a string: #/tags/0/description',
      '"externalDocs" of a tag: #/tags/0',
      '"description" next to a $ref: #/paths/~1a/get/responses/200',
      '"parameters" of the components is not an object: #/components/parameters',
      '"bogus" of the components: #/components',
      '"description" of a response is not a string: #/components/responses/A/description',
      'a response is not an object: #/components/responses/B',
      'unused tag: #/tags/0',
    ]);
  });
});

it('reports where paths with their own version prefix are hosted', () => {
  const item = { get: { responses: OK } };
  const text = document({ '/v1/a': item, '/v2': item, '/v1a': item }, { servers: [{ url: '/api' }] });
  const at = (prefix: string): string =>
    `path beginning with "${prefix}" (hosted below "/v3", at "/v3${prefix}"`;
  const { warnings: warnings } = importOpenapi({ text, name: 'file' }, 3);
  expect(warnings).toContain('servers (this server hosts the API, all paths below "/v3"): #/servers');
  expect(
    warnings.filter((loss) => loss.startsWith('path beginning')).map((loss) => loss.split(';')[0]),
  ).toEqual([at('/v1'), at('/v2')]);
  expect(warnings.join('\n')).toMatch(/if it is the same version\): #\/paths\/~1v1~1a\n/);
});

describe('patterns', () => {
  it('that are vulnerable to ReDoS are removed', () => {
    const text = body({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b+$' } },
      patternProperties: { '^(c+)+$': {}, '(': {}, '^d': { type: 'string' } },
      additionalProperties: false,
    });
    expect(warningsOf(text)).toEqual([
      `pattern vulnerable to ReDoS: ${SCHEMA}/patternProperties/^(c+)+$, ${SCHEMA}/properties/a/pattern`,
      `pattern is not a valid regular expression: ${SCHEMA}/patternProperties/(`,
    ]);
    const made = JSON.stringify(imported(text).api);
    expect(made).toContain('"pattern":"^b+$"');
    expect(made).toContain('"patternProperties":{"^d":{"type":"string"}}');
    expect(made).not.toContain('+)+');
    // Additional members must be allowed, because the removed pattern may have matched them.
    expect(made).not.toContain('additionalProperties');
  });

  it.each([
    ['^\\d{3}\\-\\d$', '^\\d{3}-\\d$'],
    ['^[\\w\\.\\-\\@]{1,9}\\@\\"\\_$', '^[\\w\\.\\-@]{1,9}@"_$'],
    ['^\\[\\-\\]$', '^\\[-\\]$'],
  ])('keep %j without escapes that change nothing', (pattern, kept) => {
    const text = body({ type: 'string', pattern });
    expect(warningsOf(text)).toEqual([]);
    expect(JSON.stringify(imported(text).api)).toContain(JSON.stringify(kept));
  });

  it('keep those of members without such escapes, and then the limits of the others', () => {
    const text = body({
      type: 'object',
      patternProperties: { '^x\\-\\w+$': { type: 'string' } },
      additionalProperties: false,
    });
    expect(warningsOf(text)).toEqual([]);
    expect(JSON.stringify(imported(text).api)).toContain(
      '"patternProperties":{"^x-\\\\w+$":{"type":"string"}},"additionalProperties":false',
    );
  });

  it('with an escape that keeps a quantifier from being one are removed', () => {
    const text = body({ type: 'string', pattern: '^a{2\\,3}$' });
    expect(warningsOf(text)).toEqual([`pattern is not a valid regular expression: ${SCHEMA}/pattern`]);
  });

  it('of parameters are removed too', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(warningsOf(query([{ name: 'q', in: 'query', schema }]))).toEqual([
      'pattern vulnerable to ReDoS: #/paths/~1a/get/parameters/0/schema/pattern',
    ]);
  });
});

it('reports numbers that lose precision, and values that configuration cannot hold', () => {
  const text = body({ type: 'integer', maximum: 'MAX', default: 'DEFAULT', enum: [1, 'ENUM'], const: 'NULL' })
    .replace('"MAX"', '9223372036854775807')
    .replace('"DEFAULT"', '9007199254740993')
    .replace('"ENUM"', '1e999')
    .replace('"NULL"', 'null');
  expect(warningsOf(text)).toEqual([
    `integer beyond 2^53 (loses precision): ${SCHEMA}/maximum, ${SCHEMA}/default`,
    `number out of range: ${SCHEMA}/enum/1`,
    `null value: ${SCHEMA}/const`,
    `default that its schema does not accept: ${SCHEMA}/default`,
  ]);
});

it('reports members of licence and contact that are not imported', () => {
  const info = {
    title: 'T',
    version: '1',
    license: { url: 'https://a.example' },
    contact: { 'x-a': 1 },
    summary: 's',
  };
  expect(warningsOf(document({ '/a': { get: { responses: OK } } }, { info }))).toEqual([
    'summary of the document: #/info/summary',
    'license without a name: #/info/license',
    'member of license or contact: #/info/contact/x-a',
  ]);
});

it('escapes control characters for the console', () => {
  const text = document(
    { '/b\u001b[2J': { get: { responses: OK } } },
    { 'x-\u001b[31m\n  nothing is lost': 1, '\u202e': 1 },
  );
  const warnings = imported(text).warnings.join('\n');
  expect(warnings).toContain('"x-\\u{1b}[31m\\u{a}  nothing is lost" of the document: #');
  expect(warnings).toContain('#/paths/~1b\\u{1b}[2J');
  const reference = document({ '/a': { $ref: '#/\u001b[31m\nx' } });
  expect(() => imported(reference)).toThrow(
    'the $ref "#/\\u{1b}[31m\\u{a}x" at #/paths/~1a cannot be resolved.',
  );
});

it('names all invalid schemas at once', () => {
  const invalid = { type: 'object', properties: { a: { type: 'string', required: true } } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const post = {
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'banana' } } } },
  };
  const text = document(
    { '/a': { post: { ...post, responses: { 200: { description: 'A', content } } } } },
    { components: { schemas: { Thing: invalid } } },
  );
  expect(() => imported(text)).toThrow(
    [
      `file.json: the schema at ${SCHEMA} cannot be used: type is "banana"; allowed: array, boolean, integer, null, number, object, string.`,
      'file.json: the schema at #/components/schemas/Thing cannot be used: properties.a.required is true; it must be array.',
    ].join('\n'),
  );
});

it.each([
  [{ type: 'banana' }, 'type is "banana"; allowed: array, boolean, integer, null, number, object, string.'],
  [{ type: 'object', required: 'a' }, 'required is "a"; it must be array.'],
  [
    { type: 'object', properties: { a: { minLength: -1 } } },
    'properties.a.minLength is -1; it must be >= 0.',
  ],
])('rejects an invalid schema, and names the keyword: %j', (schema, reason) => {
  expect(() => imported(body(schema))).toThrow(
    `file.json: the schema at ${SCHEMA} cannot be used: ${reason}`,
  );
  const content = { 'application/json': { schema } };
  expect(() => imported(document({ '/a': { get: { responses: { 200: { content } } } } }))).toThrow(
    'the schema at #/paths/~1a/get/responses/200/content/application~1json/schema cannot be used',
  );
});

it('lists all locations for a report only: those of a million parameters are too long for a string', () => {
  const { report, warnings } = imported(
    query(Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, in: 'header' }))),
  );
  expect(warnings).toContainEqual(expect.stringMatching(/in header: (#\S+, ){2}#\S+\/2 and 2 more$/));
  expect([...report()].join('')).toMatch(/in header: (#\S+, ){4}#\S+\/4$/m);
});
