import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../../src/platform';
import { importOpenapi } from '../../../src/modules/documentation-import';
import { growthOf } from '../../factories/measure/cpu-time';
import { openapiErrors } from '../../factories/documents/openapi-errors';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';

const PETS = readFileSync(path.join(__dirname, '../../fixtures/openapi/pets.yaml'), 'utf8');

const minimal = (more: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, ...more });

const withSchema = (schema: unknown, components: object = {}): string =>
  minimal({
    paths: {
      '/a': {
        get: { responses: { 200: { description: 'A', content: { 'application/json': { schema } } } } },
      },
    },
    components,
  });

it('keeps operation ids, which are found by the search and in OpenAPI again', async () => {
  const responses = { 200: { description: 'A' } };
  const paths = {
    '/a': { get: { operationId: 'things/list-all', responses }, post: { responses } },
    '/b': { get: { operationId: 'things/list-all', responses } },
    '/c': { get: { operationId: 'with space', responses } },
  };
  const { api, warnings } = importOpenapi({ text: minimal({ paths }), name: 'file' }, 1);
  expect(warnings.filter((one) => one.includes('operationId'))).toEqual([
    'duplicate operationId: #/paths/~1b/get/operationId',
    'operationId that is not visible ASCII: #/paths/~1c/get/operationId',
  ]);
  const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Things: api } } } });
  try {
    const read = async (target: string): Promise<unknown> => bodyOf(await platform.request(target));
    expect(await read('/platform/documentation/Things?format=openapi')).toMatchObject({
      paths: {
        '/v1/a': { get: { operationId: 'things/list-all' }, post: { operationId: 'Things_postA' } },
        '/v1/b': { get: { operationId: 'Things_getB' } },
      },
    });
    const found = JSON.stringify(await read('/platform/search?q=things/list-all'));
    expect(/"path":"([^"]+)"/.exec(found)?.[1]).toBe('/a');
  } finally {
    await platform.stop();
  }
});

describe('tags and summaries of an OpenAPI document', () => {
  const described = (more: object): object => ({ responses: { 200: { description: 'A' } }, ...more });
  const text = minimal({
    tags: [
      { name: 'pet care', description: 'Everything about pets.' },
      { name: 'second', description: 'Described by its paths.' },
      { name: 'unused', description: 'Nobody has it.' },
    ],
    paths: {
      '/pets': {
        get: described({
          tags: ['pet care', 'second'],
          summary: 'List\n pets',
          description: 'Page by page.',
        }),
        post: described({ tags: ['second'], summary: 'Add a pet' }),
        delete: described({}),
      },
      '/pets/{id}': {
        summary: 'One',
        description: 'One pet.',
        get: described({ tags: ['pet care'], description: 'Shows it.' }),
      },
    },
  });
  const { api, warnings: warnings } = importOpenapi({ text, name: 'file' }, 1);
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Pets: api } } } });
  });
  afterAll(() => platform.stop());
  const read = async (below: string): Promise<string> =>
    (await platform.request(`/platform/documentation/Pets${below}`)).text();

  it('become tags of services and summaries of operations', async () => {
    expect(JSON.parse(await read(''))).toMatchObject({
      services: [
        {
          name: 'PetCarePets',
          tags: ['pet care', 'second'],
          operations: [
            { http_method: 'GET', summary: 'List pets', description: 'Page by page.' },
            { http_method: 'POST', summary: 'Add a pet', tags: ['second'], description: '' },
            { http_method: 'DELETE' },
          ],
        },
        { name: 'PetCarePetsById', tags: ['pet care'], operations: [{ description: 'Shows it.' }] },
      ],
    });
  });

  it('are shown on pages, in Markdown, in the search and in OpenAPI', async () => {
    expect(await read('/PetCarePets?format=html')).toMatch(
      /<dd>pet care, second<\/dd>[^]*<h2[^>]*><a href="#GET">List pets<\/a>/,
    );
    expect(await read('?format=html')).toMatch(
      /<h2>pet care<\/h2>[^]*<span class="label">List pets<\/span>[^]*<h2>second<\/h2>[^]*<span class="label">Add a pet<\/span>/,
    );
    expect(await read('/PetCarePets?format=html')).toContain('<p class="quiet">Tags: second</p>');
    expect(await read('?format=markdown')).toMatch(
      /Tags: pet care, second\n[^]*\*\*Add a pet\*\*\n\nTags: second\n/,
    );
    expect(await (await platform.request('/platform/search?q=list+pets')).json()).toMatchObject({
      results: [{ title: 'List pets', text: 'Page by page.', method: 'GET', path: '/pets' }],
    });
    const document = JSON.parse(await read('?format=openapi')) as object;
    expect(document).toMatchObject({
      tags: [{ name: 'pet care' }, { name: 'second' }],
      paths: {
        '/v1/pets': {
          description: 'Everything about pets.',
          get: { summary: 'List pets', description: 'Page by page.', tags: ['pet care', 'second'] },
          post: { tags: ['second'] },
          delete: { tags: ['pet care', 'second'] },
        },
        '/v1/pets/{id}': { description: 'One pet.', get: { summary: 'Shows it', tags: ['pet care'] } },
      },
    });
    expect(openapiErrors(document)).toEqual([]);
    expect(await read('?format=swagger')).not.toContain('One pet.');
  });

  it('are reported if they are not imported', () => {
    expect(warnings).toEqual([
      'title and version of the document (replaced by the name and version of the API): #/info',
      'operation without tags (its path has pet care, second): #/paths/~1pets/delete',
      'summary of a path (it has a description): #/paths/~1pets~1{id}/summary',
      'description of a tag (its services have descriptions of their own): #/tags/1/description',
      'unused tag: #/tags/2',
    ]);
  });
});

describe('an imported OpenAPI document', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const { api } = importOpenapi({ text: PETS, name: 'pets.yaml' }, 1);
    platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Pets: api } } } });
  });
  afterAll(() => platform.stop());

  it('keeps texts that would be references to environment variables', async () => {
    const answer = await platform.request('/platform/documentation/Pets?format=openapi');
    expect(await answer.text()).toContain('Costs ${AMOUNT} at most.');
  });

  const read = async (below: string): Promise<Record<string, unknown>> =>
    bodyOf(await platform.request(`/platform/documentation/Pets${below}`));

  it.each(['json', 'html', 'apidesc', 'openapi', 'yaml', 'swagger', 'markdown'])(
    'is documented as %s',
    async (format) => {
      const answer = await platform.request(`/platform/documentation/Pets?format=${format}`);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      for (const said of ['A shop for', 'PetsByPetId']) expect(text).toContain(said);
    },
  );

  it('responds 501, with a message', async () => {
    expect((await platform.request('/v1/pets')).status).toBe(501);
    const err: unknown = Reflect.get(platform.log.lines.at(-1)?.details ?? {}, 'err');
    expect(err).toBeInstanceOf(Problem);
    expect((err as Problem).stack).not.toContain('\n');
    expect(await bodyOf(await platform.request('/v1/pets/7'))).toMatchObject({
      title: 'Not Implemented',
      detail: 'This operation is documented but not implemented yet.',
    });
    const { response_status_codes: codes } = await read('/Pets');
    expect(codes).toContainEqual({ code: 501, message: 'No handler is configured.' });
  });

  it('keeps the success statuses', async () => {
    const { operations } = (await read('/Pets')) as {
      operations: { http_method: string; response_status_codes: { code: number; message: string }[] }[];
    };
    const successesOf = (method: string) =>
      operations
        .find((one) => one.http_method === method)
        ?.response_status_codes.filter(({ code }) => code < 300);
    expect(successesOf('POST')).toEqual([{ code: 201, message: 'The pet as it is now.' }]);
    expect(successesOf('GET')).toEqual([expect.objectContaining({ code: 200 })]);
  });

  it('validates requests by the schemas of the document', async () => {
    const post = (body: unknown): Promise<Response> =>
      platform.request('/v1/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post({ name: 'Rex', owner: null })).status).toBe(501);
    expect((await post({ owner: 'Ada' })).status).toBe(422);
    expect((await post({ name: 'Rex', kind: 'fish' })).status).toBe(422);
    expect((await platform.request('/v1/pets?limit=0')).status).toBe(400);
    expect((await platform.request('/v1/pets?limit=1&kind=dog&kind=cat')).status).toBe(501);
  });

  it('has services by tag and path, with everything that is not reported', async () => {
    const { services } = await read('');
    expect(services).toMatchObject([
      { name: 'Pets', route: '/pets', description: 'Everything about pets.' },
      { name: 'PetsByPetId', route: '/pets/:pet_id' },
      { name: 'Store', route: '/store/orders' },
    ]);
    const described = await read('?format=openapi');
    expect(described).toMatchObject({
      info: {
        description: 'A shop for *pets*.',
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
        contact: { name: 'The shop', email: 'shop@example.org' },
      },
      paths: {
        '/v1/pets': {
          get: {
            parameters: [
              {
                name: 'limit',
                in: 'query',
                description: 'Pets on a page.',
                schema: { exclusiveMinimum: 0, default: 20 },
              },
              { name: 'kind', in: 'query', schema: { type: 'array', items: { enum: ['dog', 'cat'] } } },
            ],
            responses: {
              200: {
                description: 'A page of pets.',
                content: { 'application/json': { example: [{ id: 7, name: 'Rex', owner: null, tags: [] }] } },
              },
            },
          },
          post: {
            requestBody: {
              description: 'The pet.',
              content: { 'application/json': {}, 'application/x-www-form-urlencoded': {} },
            },
            responses: { 201: {}, 409: { description: 'There is one of that name.' } },
          },
        },
        '/v1/pets/{pet_id}': {
          get: { parameters: [{ name: 'pet_id', description: 'Which pet.', schema: { type: 'integer' } }] },
          delete: { deprecated: true },
        },
      },
    });
    expect(openapiErrors(described)).toEqual([]);
    expect(await read('/PetsByPetId')).toMatchObject({
      operations: [{ requires_authorization: false }, { requires_authorization: true }],
    });
  });

  it('keeps recursive schemas', async () => {
    const document = await read('?format=openapi');
    const check = new Ajv2020({ strict: false });
    addFormats(check);
    const validate = check.compile({ ...document, ...responseOf(document, '/v1/pets/{pet_id}') });
    expect(validate({ id: 1, name: 'A', friends: [{ id: 2, name: 'B', parent: null }] })).toBe(true);
    expect(validate({ id: 1, name: 'A', friends: [{ name: 'B' }] })).toBe(false);
  });
});

/** Returns the response schema of a GET. */
function responseOf(document: Record<string, unknown>, template: string): object {
  const paths = document.paths as Record<
    string,
    { get: { responses: { 200: { content: Record<string, { schema: object }> } } } }
  >;
  return paths[template]!.get.responses[200].content['application/json']!.schema;
}

it('imports bodies of any media type as JSON', () => {
  const content = { '*/*': { schema: { type: 'object', properties: { a: { type: 'string' } } } } };
  const post = {
    requestBody: { required: true, content },
    responses: { 200: { description: 'A', content }, 202: { description: 'B', content } },
  };
  const { api, warnings } = importOpenapi({ text: minimal({ paths: { '/a': { post } } }), name: 'file' }, 1);
  const { schema } = content['*/*'];
  expect(api).toMatchObject({
    versions: {
      1: {
        services: {
          A: {
            methods: {
              POST: {
                content_type: ['application/json'],
                fields: schema,
                response: schema,
                status_codes: [{ code: 200 }, { code: 202, response: schema }, { code: 501 }],
              },
            },
          },
        },
      },
    },
  });
  expect(warnings.filter((one) => one.includes('type'))).toEqual([]);
});

it('leaves out bytes of any media type', () => {
  const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
  const get = { responses: { 200: { description: 'A', content } } };
  const { api, warnings } = importOpenapi({ text: minimal({ paths: { '/a': { get } } }), name: 'file' }, 1);
  expect(JSON.stringify(api)).not.toContain('"response"');
  expect(warnings.join('\n')).toContain('response of type */*');
});

it('accepts null where a reference is nullable', () => {
  const owner = { $ref: '#/components/schemas/Owner', nullable: true, description: 'Who feeds it.' };
  const text = withSchema(
    { type: 'object', properties: { owner } },
    { schemas: { Owner: { type: 'object' } } },
  );
  const { api } = importOpenapi({ text, name: 'file' }, 1);
  const branches = [{ $ref: '#/schemas/Owner', description: 'Who feeds it.' }, { type: 'null' }];
  expect(JSON.stringify(api)).toContain(`"owner":${JSON.stringify({ anyOf: branches })}`);
});

it('reports what is not imported, with JSON Pointers', () => {
  expect(importOpenapi({ text: PETS, name: 'pets.yaml' }, 1).warnings).toEqual([
    'title and version of the document (replaced by the name and version of the API): #/info',
    'servers (this server hosts the API, all paths below "/v1"): #/servers',
    'security scheme (map an adapter in platform-mvc-auth.authentication.map): #/components/securitySchemes/key',
    '"callbacks" of an operation: #/paths/~1store~1orders/post',
    'parameter "pet-id" renamed to "pet_id": #/paths/~1pets~1{pet-id}',
    'path cannot be expressed as a route: #/paths/~1files~1{path}{ext}',
    'unsupported parameter in header: #/paths/~1pets/get/parameters/2',
    'response "default" is not a status code: #/paths/~1pets/get/responses/default',
    'response headers: #/paths/~1pets/get/responses/200',
    'response of type application/xml: #/paths/~1pets/get/responses/200',
    'schema of an error (errors are problem details, RFC 9457): #/paths/~1pets~1{pet-id}/get/responses/404',
    'method HEAD: #/paths/~1store~1orders',
    'optional request body (the platform always requires it): #/paths/~1store~1orders/post/requestBody',
    'member of license or contact: #/info/contact/url',
    'unknown format "julian-date": #/components/schemas/NewPet/properties/born',
  ]);
});

it('does not import paths that clients cannot request', () => {
  const paths = ['/a/..', '/./b', '/c/%2E%2e/d'];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Steps', version: '1' },
    paths: Object.fromEntries([...paths, '/e...'].map((path) => [path, { get: { responses: { 200: {} } } }])),
  });
  const { warnings, ...imported } = importOpenapi({ text, name: 'steps.json' }, 1);
  for (const path of paths) {
    const place = `#/paths/${path.replaceAll('/', '~1')}`;
    expect(warnings.join()).toContain(place);
  }
  expect(JSON.stringify(imported)).toContain('/e...');
  expect(JSON.stringify(imported)).not.toMatch(/\/(\.|%2E)/);
});

it('does not import content of statuses without content, or statuses that a procedure cannot respond with', () => {
  const content = { 'application/json': { schema: { type: 'string' } } };
  const answer = (code: number) => ({ responses: { [code]: { description: 'Done.', content } } });
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Done', version: '1' },
    paths: { '/a': { post: answer(204), put: answer(206) } },
  });
  const { warnings, ...imported } = importOpenapi({ text, name: 'done.json' }, 1);
  expect(warnings.filter((loss) => !loss.includes('title and version'))).toEqual([
    'response of type application/json: #/paths/~1a/post/responses/204',
    'no success status (200 is used): #/paths/~1a/put/responses',
  ]);
  const json = JSON.stringify(imported);
  expect(json).toContain('"status":204');
  expect(json).not.toContain('"status":206');
});

describe('the shared schemas of a document', () => {
  interface Imported {
    readonly schemas: Record<string, unknown>;
    readonly services: Record<string, { methods: Record<string, Record<string, unknown>> }>;
  }
  const versionOf = (text: string): Imported => {
    const { api } = importOpenapi({ text, name: 'file' }, 1);
    return (api.versions as unknown as Record<string, Imported>)[1]!;
  };

  it('are imported once, by name, with references', () => {
    const { schemas, services } = versionOf(PETS);
    expect(Object.keys(schemas)).toEqual(['Pet', 'NewPet', 'Kind']);
    expect(schemas.Pet).toMatchObject({
      allOf: [
        { $ref: '#/schemas/NewPet' },
        { properties: { friends: { items: { $ref: '#/schemas/Pet' } } } },
      ],
    });
    expect(services.Pets?.methods.POST).toMatchObject({
      fields: { $ref: '#/schemas/NewPet', examples: [{ name: 'Rex', owner: null }] },
      response: { $ref: '#/schemas/Pet' },
    });
    expect(JSON.stringify(services)).not.toContain('$defs');
  });

  it('may refer to each other many times', () => {
    const referring = (at: number) => ({ $ref: `#/components/schemas/${(at + 1) % 20}` });
    const text = withSchema(
      { $ref: '#/components/schemas/0' },
      {
        schemas: Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            at,
            { description: 'x'.repeat(20_000), properties: { one: referring(at), other: referring(at + 1) } },
          ]),
        ),
      },
    );
    expect(Object.keys(versionOf(text).schemas)).toHaveLength(20);
    expect(JSON.stringify(versionOf(text)).length).toBeLessThan(500_000);
  });

  it('keep readOnly and writeOnly, which the platform supports', () => {
    const properties = { id: { readOnly: true }, name: {}, pin: { writeOnly: true }, at: { readOnly: true } };
    const Note = { type: 'object', required: ['id', 'name', 'pin'], properties };
    const text = withSchema({ $ref: '#/components/schemas/Note' }, { schemas: { Note } });
    expect(versionOf(text).schemas.Note).toEqual(Note);
    expect(importOpenapi({ text, name: 'file' }, 1).warnings.join()).not.toContain(
      '/components/schemas/Note',
    );
  });

  it('are imported only if used; others are reported', () => {
    const text = withSchema(
      { type: 'array', items: { $ref: '#/components/schemas/Used' } },
      {
        schemas: { Used: { type: 'string' }, Unused: { type: 'string' } },
      },
    );
    expect(Object.keys(versionOf(text).schemas)).toEqual(['Used']);
    expect(importOpenapi({ text, name: 'file' }, 1).warnings).toContain(
      'unused schema: #/components/schemas/Unused',
    );
  });

  it('may be invalid if they are not used', () => {
    const invalid = {
      Choice: { enum: [] },
      Union: { oneOf: [] },
      Step: { multipleOf: 0 },
      Length: { maxLength: -1 },
      Minimum: { minimum: '1' },
      Examples: { examples: {} },
      Missing: { type: 'object', properties: { a: { $ref: '#/components/schemas/No' } } },
      External: { $ref: 'other.yaml#/A' },
      Circular: { $ref: '#/components/schemas/Circular' },
      Chain: { items: { $ref: '#/components/schemas/Missing' } },
    };
    const text = withSchema(
      {},
      { schemas: invalid, responses: { No: { $ref: '#/components/responses/X' } } },
    );
    const { warnings } = importOpenapi({ text, name: 'file' }, 1);
    expect(warnings).toContainEqual(expect.stringMatching(/^unused schema: .* and 7 more$/));
    expect(warnings).toContain(
      'unused component with a $ref that is external, circular or cannot be resolved: ' +
        '#/components/schemas/Missing, #/components/schemas/External, #/components/schemas/Circular and 1 more',
    );
  });

  it.each([
    ['a reference', { $ref: '#/components/schemas/A' }],
    ['a reference to a part', { $ref: '#/components/schemas/All/properties/a' }],
    [
      'a mapping',
      { oneOf: [{}], discriminator: { propertyName: 'a', mapping: { a: '#/components/schemas/A' } } },
    ],
    ['a name in a mapping', { oneOf: [{}], discriminator: { propertyName: 'a', mapping: { a: 'A' } } }],
  ])('may not refer to anything that is missing if they are used by %s', (_, schema) => {
    const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const schemas = {
      All: { properties: { a: reference('A') } },
      A: { items: reference('B') },
      B: { properties: { c: reference('No') } },
    };
    const text = withSchema(schema, { schemas });
    expect(() => importOpenapi({ text, name: 'file' }, 1)).toThrow(
      'the $ref "#/components/schemas/No" at #/components/schemas/B/properties/c cannot be resolved',
    );
  });

  it('are all named with their places if they cannot be followed, at most 20', () => {
    const properties = (count: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `p${at}`,
          { $ref: at === 0 ? 'b.yaml#/B' : `#/components/schemas/No${at}` },
        ]),
      );
    const messageOf = (count: number): string => {
      const text = withSchema(
        { $ref: '#/components/schemas/A' },
        { schemas: { A: { properties: properties(count) } } },
      );
      try {
        importOpenapi({ text, name: 'file' }, 1);
      } catch (error) {
        return String(error);
      }
      return '';
    };
    const place = '#/components/schemas/A/properties';
    expect(messageOf(3).split('\n')).toEqual([
      `ConfigurationError: file: the $ref "b.yaml#/B" at ${place}/p0 refers to another document.`,
      `file: the $ref "#/components/schemas/No1" at ${place}/p1 cannot be resolved.`,
      `file: the $ref "#/components/schemas/No2" at ${place}/p2 cannot be resolved.`,
      'External documents are not fetched. Bundle them into one file first, e.g. with npx @redocly/cli bundle.',
    ]);
    const lines = messageOf(25).split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[20]).toBe('5 more $refs cannot be followed.');
  });

  it.each<[string, object, readonly string[]]>([
    [
      'of a schema that several refer to',
      { A: { allOf: [{ $ref: '#/components/schemas/No' }] } },
      ['the $ref "#/components/schemas/No" at #/components/schemas/A/allOf/0 cannot be resolved.'],
    ],
    [
      'of a schema that has others',
      { A: { $ref: 'b.yaml', dependencies: { default: { $ref: '#/components/schemas/No' } } } },
      [
        'the $ref "b.yaml" at #/components/schemas/A refers to another document.',
        'the $ref "#/components/schemas/No" at #/components/schemas/A/dependencies/default cannot be resolved.',
        'External documents are not fetched. Bundle them into one file first, e.g. with npx @redocly/cli bundle.',
      ],
    ],
    [
      'of a circular schema',
      { A: { $ref: '#/components/schemas/B' }, B: { allOf: [{ $ref: '#/components/schemas/A' }] } },
      [
        'the $ref "#/components/schemas/A" at #/paths/~1a/get/responses/200/content/application~1json/schema/anyOf/0 is circular: #/components/schemas/A → #/components/schemas/B → #/components/schemas/A.',
      ],
    ],
  ])('name each $ref once, with its own place: %s', (_, schemas, messages) => {
    const anyOf = Array.from({ length: 30 }, () => ({ $ref: '#/components/schemas/A' }));
    const text = withSchema({ anyOf }, { schemas });
    expect(() => importOpenapi({ text, name: 'file' }, 1)).toThrow(
      new Error(messages.join('\n').replaceAll('the $ref', 'file: the $ref')),
    );
  });

  it('take time in proportion to a chain that ends nowhere', () => {
    const unused = (length: number): void => {
      const schemas = Object.fromEntries(
        Array.from({ length }, (_, at) => [`S${at}`, { $ref: `#/components/schemas/S${at + 1}` }]),
      );
      const { warnings } = importOpenapi({ text: minimal({ components: { schemas } }), name: 'file' }, 1);
      expect(warnings.join()).toContain(`#/components/schemas/S2 and ${length - 3} more`);
    };
    // Quadratic time would be 64 times as long.
    expect(growthOf(unused, 100, 800)).toBeLessThan(24);
  });

  it('may form a chain of many', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `S${at}`);
    const schemas = Object.fromEntries(
      names.map((name, at) => [name, { items: { $ref: `#/components/schemas/${names[at + 1] ?? 'S0'}` } }]),
    );
    const text = withSchema({ $ref: '#/components/schemas/S0' }, { schemas });
    expect(Object.keys(versionOf(text).schemas)).toHaveLength(20_000);
  });
});

describe('an invalid document', () => {
  const anchors = Array.from({ length: 12 }, (_, at) =>
    at === 0
      ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
      : `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
  );

  it.each([
    ['nothing', '', /it is not an object/],
    ['a list', '[]', /it is not an object/],
    ['prose', 'Once upon a time', /it is not an object/],
    ['broken JSON', '{"openapi": ', /cannot be read as JSON: /],
    ['broken YAML', 'openapi: "3.0\npaths: [', /cannot be read as YAML: /],
    [
      'two documents',
      'openapi: 3.1.0\npaths: {}\n---\nopenapi: 3.1.0\n',
      /cannot be read as YAML: it contains several documents, separated by "---"\. Keep one of them in the file\.$/,
    ],
    ['an invalid reference', `%${'\u0001~'.repeat(20_000)}`, /^[^]{1,1500}$/],
    ['a long message', `{"openapi": "${'x'.repeat(20_000)}"}`, /its version is "x{199}….$/],
    ['a duplicate key', 'openapi: 3.0.0\nopenapi: 3.1.0', /cannot be read as YAML: Map keys must be unique/],
    [
      'a duplicate key in JSON',
      '{"openapi": "3.1.0",\n "paths": {}, "paths": {}}',
      /:2:15: the key "paths" is a duplicate/,
    ],
    [
      'another document',
      '{"name": "x"}',
      /is not an OpenAPI 3.0 or 3.1 document, and not Swagger 2.0: it has no member "openapi"/,
    ],
    [
      'an earlier Swagger',
      '{"swagger": "1.2"}',
      /it is Swagger "1\.2"\. The member "swagger" of version 2\.0/,
    ],
    ['a later version', '{"openapi": "4.0.0"}', /its version is "4.0.0"/],
    ['a version as a number', 'openapi: 3.1', /its version is the number 3.1\. Write it in full/],
    ['no paths', '{"openapi": "3.1.0"}', /it has no paths/],
    [
      'exponential aliases',
      `openapi: 3.0.0\n${anchors.join('\n')}`,
      /has more than 2,000,000 values, by YAML aliases/,
    ],
    ['a recursive alias', 'openapi: 3.0.0\npaths: &p { x: *p }', /is circular, by a YAML alias/],
    ['depth', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, /is nested deeper than 200 levels/],
    [
      'an unresolvable $ref',
      withSchema({ $ref: '#/components/schemas/No' }),
      /the \$ref "#\/components\/schemas\/No" at #\/paths\/~1a\/get\/responses\/200\/content\/application~1json\/schema cannot be resolved/,
    ],
    [
      'an unresolvable $ref of a property with the name of a keyword',
      withSchema({ properties: { default: { properties: { 'x-y': { $ref: '#/components/schemas/No' } } } } }),
      /the \$ref "#\/components\/schemas\/No" at \S+\/schema\/properties\/default\/properties\/x-y cannot be resolved/,
    ],
    [
      'a $ref to another file, of the default response',
      minimal({
        paths: { '/a': { get: { responses: { 'x-a': { $ref: 'b' }, default: { $ref: 'other.yaml#/A' } } } } },
      }),
      /the \$ref "other.yaml#\/A" at #\/paths\/~1a\/get\/responses\/default refers to another document/,
    ],
    [
      'a $ref to another file',
      withSchema({ $ref: 'other.yaml#/A' }),
      /refers to another document. External documents are not fetched/,
    ],
    [
      'a $ref to another server',
      withSchema({ $ref: 'http://127.0.0.1:1/x.json' }),
      /refers to another document. External documents are not fetched/,
    ],
    [
      'a circular $ref',
      withSchema(
        { $ref: '#/components/schemas/A' },
        { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } },
      ),
      /is circular: #\/components\/schemas\/A → #\/components\/schemas\/B → #\/components\/schemas\/A/,
    ],
    [
      'a schema that refers to itself through others',
      withSchema(
        { $ref: '#/components/schemas/A' },
        {
          schemas: {
            A: { type: 'object', allOf: [{ oneOf: [{ $ref: '#/components/schemas/B' }] }] },
            B: { if: true, then: { dependentSchemas: { a: { $ref: '#/components/schemas/A' } } } },
          },
        },
      ),
      /is circular: #\/components\/schemas\/A → #\/components\/schemas\/B → #\/components\/schemas\/A/,
    ],
    [
      'a long chain of $refs',
      withSchema(
        { $ref: '#/components/schemas/0' },
        {
          schemas: Object.fromEntries(
            Array.from(
              { length: 20_000 },
              (_, at) => [at, { $ref: `#/components/schemas/${at + 1}` }] as const,
            ),
          ),
        },
      ),
      /is a chain of more than 200 references/,
    ],
    [
      'parameters with large inlined schemas',
      minimal({
        paths: Object.fromEntries(
          Array.from({ length: 200 }, (_, at) => {
            const schema = { $ref: `#/components/schemas/${at % 20}` };
            const parameters = [{ name: 'q', in: 'query', schema }];
            return [`/${at}`, { get: { parameters, responses: { 200: { description: 'A' } } } }] as const;
          }),
        ),
        components: {
          schemas: Object.fromEntries(
            Array.from({ length: 20 }, (_, at) => {
              const next = { $ref: `#/components/schemas/${(at + 1) % 20}` };
              return [at, { description: 'x'.repeat(20_000), properties: { next } }] as const;
            }),
          ),
        },
      }),
      /^file exceeds 32 MB of converted schemas at #\/paths\/~1\d+\/get\/parameters\/0\/schema: .* Remove paths/,
    ],
    [
      'a circular $ref of an example',
      minimal({
        paths: {
          '/a': {
            get: {
              parameters: [
                {
                  name: 'q',
                  in: 'query',
                  schema: { type: 'string' },
                  examples: { one: { $ref: '#/components/examples/a' } },
                },
              ],
              responses: { 200: { description: 'A' } },
            },
          },
        },
        components: {
          examples: {
            a: { $ref: '#/components/examples/b' },
            b: { $ref: '#/components/examples/a' },
          },
        },
      }),
      /the \$ref "#\/components\/examples\/a" is circular: #\/components\/examples\/a → #\/components\/examples\/b → #\/components\/examples\/a\.$/,
    ],
    ['a $ref to itself', minimal({ paths: { '/a': { $ref: '#/paths/~1a' } } }), /is circular/],
  ])('is rejected with a message: %s', (_, text, message) => {
    expect(() => importOpenapi({ text, name: 'file' }, 1)).toThrow(message);
  });

  it('resolves a $ref whose JSON Pointer is percent-encoded', () => {
    const schema = { type: 'string', description: 'Found.' };
    const text = withSchema({ $ref: '#/components/schemas/a%7E1%C3%A4' }, { schemas: { 'a/ä': schema } });
    expect(JSON.stringify(importOpenapi({ text, name: 'file' }, 1))).toContain('Found.');
  });

  it('never causes another error or an endless loop', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: false, maxDepth: 4 }), fc.string(), (value, text) => {
        const tries = [
          text,
          minimal({ paths: { '/a': { get: value } } }),
          minimal({ components: value, paths: { '/b': value } }),
          withSchema(value),
        ];
        for (const one of tries) {
          try {
            expect(importOpenapi({ text: one, name: 'file' }, 1).services).toBeGreaterThanOrEqual(0);
          } catch (error) {
            expect(error).toMatchObject({ name: 'ConfigurationError' });
          }
        }
      }),
    );
  });
});

it('treats a $ref in an example as an ordinary name', () => {
  const text = withSchema({ type: 'object', example: { $ref: 'http://127.0.0.1:1/' } });
  expect(JSON.stringify(importOpenapi({ text, name: 'file' }, 1).api)).toContain(
    '{"$ref":"http://127.0.0.1:1/"}',
  );
});

it.each([
  ['{"id": 7}', { id: 7 }],
  ['<id>7</id>', '<id>7</id>'],
  ['7', '7'],
])('reads the example %j of an object as JSON, if it is an object', (example, value) => {
  const text = withSchema({ type: 'object' }).replace(
    '"schema":',
    `"example":${JSON.stringify(example)},"schema":`,
  );
  expect(JSON.stringify(importOpenapi({ text, name: 'file' }, 1).api)).toContain(
    `"examples":${JSON.stringify([value])}`,
  );
});

it('inlines an example that another refers to, unless it is recursive', () => {
  const reference = (name: string): object => ({ $ref: `#/components/examples/${name}` });
  const text = withSchema(
    { type: 'object', example: 0 },
    {
      examples: {
        owner: { value: { name: 'Ada', pets: [reference('pet'), reference('none')] } },
        pet: { value: { name: 'Rex', owner: reference('owner') } },
      },
    },
  ).replace('"schema":', '"examples":{"first":{"$ref":"#/components/examples/owner"}},"schema":');
  expect(JSON.stringify(importOpenapi({ text, name: 'file' }, 1).api)).toContain(
    JSON.stringify({
      examples: [
        {
          name: 'Ada',
          pets: [
            { name: 'Rex', owner: { name: 'Ada', pets: [reference('pet'), reference('none')] } },
            reference('none'),
          ],
        },
      ],
    }).slice(1, -1),
  );
});

it('reports extensions and additional examples', () => {
  const example = { value: 1 };
  const body = (type: string, more: object = {}): object => ({ schema: { type }, ...more });
  const text = minimal({
    'x-a': 1,
    info: { title: 'T', version: '1', 'x-b': 1 },
    paths: {
      '/a': {
        post: {
          'x-c': 1,
          parameters: [{ name: 'q', in: 'query', 'x-d': 1, examples: { one: example, two: example } }],
          requestBody: {
            required: true,
            content: {
              'application/json': body('object', { examples: { one: example, two: example } }),
              'application/hal+json': body('object', { encoding: {} }),
              'application/x-www-form-urlencoded': body('array'),
            },
          },
          responses: { 200: { description: 'A' } },
        },
      },
    },
  });
  expect(importOpenapi({ text, name: 'file' }, 1).warnings).toEqual([
    'title and version of the document (replaced by the name and version of the API): #/info',
    '"x-a" of the document: #',
    '"x-b" of the document: #/info',
    '"x-c" of an operation: #/paths/~1a/post',
    '"x-d" of a parameter: #/paths/~1a/post/parameters/0',
    'additional examples: #/paths/~1a/post/parameters/0, #/paths/~1a/post/requestBody/content/application~1json',
    '"encoding" of request bodies of type application/hal+json: #/paths/~1a/post/requestBody',
    'separate schema of request bodies of type application/x-www-form-urlencoded: #/paths/~1a/post/requestBody',
  ]);
});

it.each([
  ['{"id":1}', 'object', { id: 1 }],
  ['[1.5]', ['array', 'null'], [1.5]],
  ['null', 'object', 'null'],
  ['{"id":12345678901234567890}', 'object', '{"id":12345678901234567890}'],
  ['{"id":[1e999]}', ['object', 'null'], '{"id":[1e999]}'],
  ['7', 'integer', '7'],
])('imports the example %j of %j as a value only if none is lost', (example, type, expected) => {
  const content = { 'application/json': { schema: { type }, example } };
  const text = minimal({
    paths: { '/a': { post: { requestBody: { required: true, content }, responses: {} } } },
  });
  expect(JSON.stringify(importOpenapi({ text, name: 'file' }, 1).api)).toContain(
    `"examples":${JSON.stringify([expected])}`,
  );
});

it('limits exponential inlining', () => {
  const levels = Array.from({ length: 60 }, (_, at) => at);
  const twice = (kind: string, at: number): object[] =>
    [0, 1].map(() => ({ $ref: `#/components/${kind}/${at}` }));
  const text = minimal({
    paths: {
      '/a': {
        get: {
          parameters: [
            { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/0' } },
            { name: 'e', in: 'query', examples: { one: { $ref: '#/components/examples/0' } } },
          ],
          responses: { 200: { description: 'A' } },
        },
      },
    },
    components: {
      schemas: {
        ...Object.fromEntries(levels.map((at) => [at, { oneOf: twice('schemas', at + 1) }] as const)),
        60: {},
      },
      examples: {
        ...Object.fromEntries(levels.map((at) => [at, { value: twice('examples', at + 1) }] as const)),
        60: { value: 1 },
      },
    },
  });
  const { api, warnings: warnings } = importOpenapi({ text, name: 'file' }, 1);
  expect(JSON.stringify(api).length).toBeLessThan(100_000);
  expect(warnings).toContain(
    'part of a parameter schema (too many references): #/paths/~1a/get/parameters/0/schema',
  );
});
