import { importOpenapi, type ImportedApi } from '../../../src/modules/documentation-import';

const OK = { 200: { description: 'A' } };

const document = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more });

const imported = (text: string): ImportedApi => importOpenapi({ text, name: 'file.json' }, 1);

/** What is lost beside what always is. */
const lossesOf = (text: string): readonly string[] =>
  imported(text).losses.filter((loss) => !/^(the operationIds|the title and the version)/.test(loss));

const query = (parameters: unknown): string => document({ '/a': { get: { parameters, responses: OK } } });

const body = (schema: unknown): string => {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  return document({ '/a': { post: { requestBody, responses: OK } } });
};

const SCHEMA = '#/paths/~1a/post/requestBody/content/application~1json/schema';

describe('parameters', () => {
  it('are taken once of each name and place', () => {
    const text = query([
      { name: 'q', in: 'query', schema: { type: 'string' } },
      { name: 'q', in: 'query', schema: { type: 'integer' } },
      { name: 'q', in: 'header' },
    ]);
    expect(lossesOf(text)).toEqual([
      'a further parameter "q" in the query: #/paths/~1a/get/parameters/1',
      'a parameter in the header: #/paths/~1a/get/parameters/2',
    ]);
    expect(JSON.stringify(imported(text).api)).toContain('"q":{"type":"string"}');
  });

  it.each([
    ['no list', { name: 'q', in: 'query' }, 'parameters that are no list: #/paths/~1a/get/parameters'],
    ['no name', [{ in: 'query' }], 'a parameter without a name: #/paths/~1a/get/parameters/0'],
    ['nothing', [null], 'a parameter without a name: #/paths/~1a/get/parameters/0'],
    [
      'a name that no object can have',
      [{ name: '__proto__', in: 'query' }],
      'a parameter without a name: #/paths/~1a/get/parameters/0',
    ],
    [
      'a place in the path that is not there',
      [{ name: 'b', in: 'path', required: true }],
      'the parameter "b", which its path does not have: #/paths/~1a/get/parameters/0',
    ],
    [
      'an empty value',
      [{ name: 'q', in: 'query', allowEmptyValue: true }],
      '"allowEmptyValue" of a parameter: #/paths/~1a/get/parameters/0',
    ],
  ])('that have %s are lost, and it is said', (_, parameters, loss) => {
    expect(lossesOf(query(parameters))).toEqual([loss]);
  });

  it('of a path are those of its first method', () => {
    const parameter = (type: string): object => ({
      parameters: [{ name: 'b', in: 'path', required: true, schema: { type } }],
      responses: OK,
    });
    const text = document({ '/a/{b}': { get: parameter('string'), delete: parameter('integer') } });
    expect(lossesOf(text)).toEqual([
      'that a parameter of the path is described otherwise by another method: #/paths/~1a~1{b}/delete/parameters/0',
    ]);
  });
});

describe('answers', () => {
  it('whose key is no status are lost, each at its place', () => {
    const keys = ['200.5', '9xx', 'abc', 'default', '2XX', '099', '600', '2e2', '0x64', '-200'];
    const responses = Object.fromEntries(keys.map((key) => [key, { description: 'x' }]));
    const losses = lossesOf(document({ '/a': { get: { responses: { ...OK, ...responses } } } }));
    expect([...losses].sort()).toEqual(
      keys.map((key) => `the answer "${key}", which is no status: #/paths/~1a/get/responses/${key}`).sort(),
    );
  });

  it('keep a media type that is no JSON', () => {
    const content = {
      'image/png': { schema: { type: 'string', format: 'binary' } },
      'image/webp': {},
      'image/*': {},
    };
    const text = document({ '/a': { get: { responses: { 200: { description: 'A', content } } } } });
    expect(lossesOf(text)).toEqual([
      'answers of the type image/*: #/paths/~1a/get/responses/200',
      'that answers of the type image/webp have a schema of their own: #/paths/~1a/get/responses/200',
    ]);
    expect(JSON.stringify(imported(text).api)).toContain('"response_type":["image/png","image/webp"]');
  });
});

describe('paths', () => {
  it('that clash, lead nowhere, or could not be asked for are lost, each at its place', () => {
    const item = { get: { responses: OK } };
    const paths = ['/a/{b}', '/a/{c}', '/b/../c', '//d', '/e%2Ff', '/g(h)', 'i'];
    const text = document({
      ...Object.fromEntries(paths.map((one) => [one, item])),
      '/j': {},
      '/k': { get: 'x' },
    });
    expect(lossesOf(text)).toEqual([
      'a path that another stands for already: #/paths/~1a~1{c}',
      'a path that no route can stand for: #/paths/~1b~1..~1c, #/paths/~1~1d, #/paths/~1e%2Ff and 2 more',
      'a path without an operation: #/paths/~1j, #/paths/~1k',
      'an operation that is no object: #/paths/~1k/get',
    ]);
  });
});

describe('patterns', () => {
  it('by which one request could stop the service are lost', () => {
    const text = body({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b+$' } },
      patternProperties: { '^(c+)+$': {}, '(': {}, '^d': { type: 'string' } },
      additionalProperties: false,
    });
    expect(lossesOf(text)).toEqual([
      `a pattern that may take very long: ${SCHEMA}/patternProperties/^(c+)+$, ${SCHEMA}/properties/a/pattern`,
      `a pattern that is no regular expression of JSON Schema: ${SCHEMA}/patternProperties/(`,
    ]);
    const made = JSON.stringify(imported(text).api);
    expect(made).toContain('"pattern":"^b+$"');
    expect(made).toContain('"patternProperties":{"^d":{"type":"string"}}');
    expect(made).not.toContain('+)+');
    // What a lost pattern stood for would be refused as unknown.
    expect(made).not.toContain('additionalProperties');
  });

  it('of parameters as well', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(lossesOf(query([{ name: 'q', in: 'query', schema }]))).toEqual([
      'a pattern that may take very long: #/paths/~1a/get/parameters/0/schema/pattern',
    ]);
  });
});

it('says which numbers are not what they were, and which values are not there', () => {
  const text = body({ type: 'integer', maximum: 'MAX', default: 'DEFAULT', enum: [1, 'ENUM'], const: 'NULL' })
    .replace('"MAX"', '9223372036854775807')
    .replace('"DEFAULT"', '9007199254740993')
    .replace('"ENUM"', '1e999')
    .replace('"NULL"', 'null');
  expect(lossesOf(text)).toEqual([
    `a whole number beyond 2^53, which is not exact here: ${SCHEMA}/maximum, ${SCHEMA}/default`,
    `a number that is too large, or none: ${SCHEMA}/enum/1`,
    `a value that is null: ${SCHEMA}/const`,
  ]);
});

it('says what of a licence and a contact is not taken', () => {
  const info = {
    title: 'T',
    version: '1',
    license: { url: 'https://a.example' },
    contact: { 'x-a': 1 },
    summary: 's',
  };
  expect(lossesOf(document({ '/a': { get: { responses: OK } } }, { info }))).toEqual([
    'the summary of the document: #/info/summary',
    'a licence without a name: #/info/license',
    'a member of the licence or the contact: #/info/contact/x-a',
  ]);
});

it('shows what a console would act on', () => {
  const text = document(
    { '/b\u001b[2J': { get: { responses: OK } } },
    { 'x-\u001b[31m\n  nothing is lost': 1, '\u202e': 1 },
  );
  const losses = imported(text).losses.join('\n');
  expect(losses).toContain('"x-\\u{1b}[31m\\u{a}  nothing is lost" of the document: #');
  expect(losses).toContain('#/paths/~1b\\u{1b}[2J');
  const reference = document({ '/a': { $ref: '#/\u001b[31m\nx' } });
  expect(() => imported(reference)).toThrow('the $ref "#/\\u{1b}[31m\\u{a}x" at #/paths/~1a leads nowhere.');
});

it.each([
  [{ type: 'banana' }, '/type must be equal to one of the allowed values'],
  [{ type: 'object', required: 'a' }, '/required must be array'],
  [{ type: 'object', properties: { a: { minLength: -1 } } }, '/properties/a/minLength must be >= 0'],
])('refuses a schema that is none, at its place: %j', (schema, reason) => {
  expect(() => imported(body(schema))).toThrow(
    `file.json: the schema at ${SCHEMA} cannot be used: ${reason}`,
  );
  const content = { 'application/json': { schema } };
  expect(() => imported(document({ '/a': { get: { responses: { 200: { content } } } } }))).toThrow(
    'the schema at #/paths/~1a/get/responses/200/content/application~1json/schema cannot be used',
  );
});
