import { Type } from '@sinclair/typebox';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { runSync } from '../../../../src/framework';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { ApiData, OperationData, ServiceData } from '../../../../src/modules/documentation/model/data';
import type { Service } from '../../../../src/modules/documentation/model/service';
import * as inSteps from '../../../../src/modules/documentation-apidesc/openapi/document';
import { swaggerOf } from '../../../../src/modules/documentation-formats/swagger/document';
import { openapiErrors } from '../../../factories/documents/openapi-errors';
import { apiData, atlas, atlasData, operationData, serviceData } from '../../../fixtures/documentation';

type OpenApiDocument = inSteps.OpenApiDocument;
const openapiOfApi = (api: Api): OpenApiDocument => runSync(inSteps.openapiOfApi(api));
const openapiOfList = (apis: readonly Api[]): OpenApiDocument => runSync(inSteps.openapiOfList(apis));
const openapiOfService = (api: Api, service: Service): OpenApiDocument =>
  runSync(inSteps.openapiOfService(api, service));

/** Returns the serialized document, after checking it against the official schema and resolving its references. */
function read(document: OpenApiDocument) {
  const json = JSON.parse(JSON.stringify(document)) as OpenApiDocument;
  expect(openapiErrors(json)).toEqual([]);
  const references = [...JSON.stringify(json).matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1]!);
  for (const reference of new Set(references)) expect(at(json, reference)).toBeDefined();
  return json;
}

/** Resolves a JSON Pointer in URI fragment form (`#/a/b`). */
function at(document: unknown, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, token) => Object.entries(value ?? {}).find(([name]) => name === token)?.[1],
      document,
    );
}

const api = (data: Partial<ApiData>) => new Api(apiData(data));
const withService = (data: Partial<ServiceData>) => api({ services: [serviceData(data)] });
const withOperation = (data: Partial<OperationData>, more: Partial<ApiData> = {}) =>
  api({ ...more, services: [serviceData({ operations: [operationData(data)] })] });

/** The operation objects by ID. */
function operationsOf(document: OpenApiDocument): Record<string, Record<string, unknown>> {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item)) as Record<
    string,
    unknown
  >[];
  return Object.fromEntries(all.map((operation) => [String(operation.operationId), operation]));
}

const onlyOperation = (document: OpenApiDocument) => Object.values(operationsOf(document))[0]!;

describe('openapiOfApi', () => {
  const document = read(openapiOfApi(atlas));

  it('names each parameter of a path with text directly after a constraint', () => {
    const route = String.raw`/thumbs/:width(\d+)x:height(\d+)`;
    const { paths } = read(openapiOfApi(withService({ route, operations: [operationData({})] })));
    const [path = ''] = Object.keys(paths);
    expect(path).toMatch(/\/thumbs\/\{width\}x\{height\}$/);
    expect(JSON.stringify(paths[path])).toMatch(/"name":"width".*"name":"height"/);
  });

  it('has the operations of routes that differ in the constraint of a parameter only', () => {
    const service = (name: string, constraint: string) =>
      serviceData({ name, route: `/things/:key(${constraint})`, operations: [operationData({})] });
    const services = [
      service('ById', String.raw`\d+`),
      service('BySlug', '[a-z]+'),
      service('ByCode', '[A-Z]+'),
    ];
    const { paths } = read(openapiOfApi(api({ services })));
    const names = Object.keys(paths).map((path) => path.replace(/.*\//, ''));
    expect(names).toEqual(['{key}', '{key_2}', '{key_3}']);
    for (const [at, item] of Object.values(paths).entries())
      expect(JSON.stringify(item)).toContain(`"name":"${['key', 'key_2', 'key_3'][at]}","in":"path"`);
    expect(
      Object.keys(read(openapiOfApi(api({ services: [services[0]!, services[0]!] }))).paths),
    ).toHaveLength(1);
    const nested = ['[a-z]+', '[A-Z]+'].map((constraint, at) =>
      serviceData({
        name: `Nested${at}`,
        route: `/things/:key_2/parts/:key(${constraint})`,
        operations: [operationData({})],
      }),
    );
    expect(Object.keys(read(openapiOfApi(api({ services: nested }))).paths)[1]).toMatch(
      /\{key_2\}\/parts\/\{key_3\}$/,
    );
  });

  it('has a path for each collection, entity and procedure, with the prefix of the version', () => {
    expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/v2/atlas/countries', ['get']],
      ['/v2/atlas/countries/{country_code}', ['get']],
      ['/v2/atlas/visits', ['get', 'post']],
      ['/v2/atlas/visits/{visit_id}', ['get', 'patch', 'delete']],
      ['/v2/atlas/distance/{from}/{to}', ['get']],
    ]);
  });

  it('has title, version, licence, and a tag for each service', () => {
    expect(document.info).toMatchObject({ title: 'Atlas', version: '2', license: { name: 'MIT' } });
    expect(document.tags.map((tag) => tag.name)).toEqual(['Country', 'Visit', 'Distance']);
    expect(document.tags[1]).toEqual({
      name: 'Visit',
      description: 'Your visits, visible only to you.',
    });
  });

  it('has a server URL relative to the document', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    expect(read(openapiOfApi(api({ baseUrl: '/api' }))).servers).toEqual([{ url: '/api' }]);
  });

  it('gives each operation an ID that is a valid identifier', () => {
    expect(Object.keys(operationsOf(document))).toEqual([
      'Atlas_listCountry',
      'Atlas_getCountry',
      'Atlas_listVisit',
      'Atlas_createVisit',
      'Atlas_getVisit',
      'Atlas_patchVisit',
      'Atlas_deleteVisit',
      'Atlas_getDistance',
    ]);
  });

  it('describes path and query parameters', () => {
    const { Atlas_listCountry: list, Atlas_getCountry: get } = operationsOf(document);
    expect(list!.parameters).toMatchObject([
      { name: 'region', in: 'query', schema: { type: 'string' }, example: 'Europe' },
      { name: 'page', in: 'query' },
      { name: 'page_size', in: 'query' },
    ]);
    expect(get!.parameters).toMatchObject([
      { name: 'country_code', in: 'path', required: true, example: 'CHE' },
    ]);
  });

  it('describes the request body of each method', () => {
    const {
      Atlas_createVisit: create,
      Atlas_patchVisit: patch,
      Atlas_listVisit: list,
    } = operationsOf(document);
    expect(create!.requestBody).toEqual({
      description: 'The visit, without a number',
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/VisitCreateRequest' },
          example: { country_code: 'CHE', date: '2026-07-14', rating: 5, companions: [] },
        },
      },
    });
    expect(at(document, '#/components/schemas/VisitCreateRequest/required')).toEqual([
      'country_code',
      'date',
    ]);
    expect(patch!.requestBody).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/VisitPatchRequest' } } },
    });
    expect(at(document, '#/components/schemas/VisitPatchRequest/required')).toBeUndefined();
    expect(list).not.toHaveProperty('requestBody');
  });

  it('describes responses with schema, example and headers', () => {
    expect(operationsOf(document).Atlas_createVisit!.responses).toMatchObject({
      201: {
        description: 'The visit with its number',
        headers: { Location: { schema: { type: 'string' } } },
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Visit' }, example: { id: 7 } },
          'application/hal+json': { schema: { $ref: '#/components/schemas/Visit' } },
        },
      },
    });
    expect(at(operationsOf(document), '#/Atlas_deleteVisit/responses/204')).toEqual({
      description: 'No Content',
    });
  });

  it('describes errors as problems', () => {
    expect(at(operationsOf(document), '#/Atlas_createVisit/responses/422')).toEqual({
      description: 'Unprocessable Content',
      content: {
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        'text/html': { schema: { type: 'string' } },
      },
    });
    expect(at(operationsOf(document), '#/Atlas_createVisit/responses/401')).toHaveProperty(
      'headers.WWW-Authenticate',
    );
  });

  it('marks deprecated parameters, also in Swagger 2.0', () => {
    const parameter = { in: 'query', description: '', required: false } as const;
    const queryParameters = [
      { ...parameter, name: 'old', schema: { type: 'string', deprecated: true } },
      { ...parameter, name: 'new', schema: { type: 'string' } },
    ];
    const described = read(openapiOfApi(withOperation({ queryParameters })));
    const marks = (mark: string, whole: object) =>
      [...JSON.stringify(whole).matchAll(new RegExp(`"name":"(\\w+)","in":"query","${mark}":true`, 'g'))].map(
        ([, name]) => name,
      );
    expect(marks('deprecated', described)).toEqual(['old']);
    expect(marks('x-deprecated', runSync(swaggerOf(described)))).toEqual(['old']);
  });

  it('shortens summaries without half a character', () => {
    const { summary } = onlyOperation(read(openapiOfApi(withOperation({ description: '😀'.repeat(61) }))));
    expect(summary).toBe(`${'😀'.repeat(59)}…`);
  });

  it('marks deprecated operations only', () => {
    const { Atlas_getDistance: distance, Atlas_getCountry: country } = operationsOf(document);
    expect(distance!.deprecated).toBe(true);
    expect(country).not.toHaveProperty('deprecated');
  });

  it('has each schema once, and references in others', () => {
    expect(Object.keys(document.components.schemas as object)).toEqual([
      'Problem',
      'Country',
      'CountryCollection',
      'Visit',
      'VisitCollection',
      'VisitPatchRequest',
      'VisitCreateRequest',
      'DistanceGetResponse',
    ]);
    expect(at(document, '#/components/schemas/CountryCollection/properties/items/items')).toEqual({
      $ref: '#/components/schemas/Country',
    });
  });

  it('has schemas for which the examples are valid', () => {
    const checker = new Ajv2020({ strict: false });
    addFormats(checker);
    checker.addSchema({ ...document, $id: 'document:' });
    const valid = (name: string, value: unknown) =>
      checker.validate({ $ref: `document:#/components/schemas/${name}` }, value);
    const { Atlas_listCountry: list } = operationsOf(document);
    const example = at(list, '#/responses/200/content/application~1json/example');
    expect(valid('CountryCollection', example)).toBe(true);
    expect(valid('CountryCollection', { ...Object(example), items: [{ code: 'x' }] })).toBe(false);
  });

  it('is deterministic', () => {
    expect(JSON.stringify(openapiOfApi(new Api(atlasData)))).toBe(JSON.stringify(openapiOfApi(atlas)));
  });

  it('is valid for an API without services', () => {
    expect(read(openapiOfApi(api({}))).paths).toEqual({});
  });
});

describe('security', () => {
  const adapters = [
    { name: 'staff', realm: 'Staff', schemes: ['digest'] as const },
    { name: 'both', realm: 'Old', schemes: ['basic', 'digest'] as const },
  ];

  it('requires one of the schemes if guests are rejected', () => {
    const document = read(
      openapiOfApi(withOperation({ requiresAuthorization: true, adapters: ['staff', 'both'] }, { adapters })),
    );
    expect(onlyOperation(document).security).toEqual([
      { staff: [] },
      { 'both-basic': [] },
      { 'both-digest': [] },
    ]);
    expect(document.components.securitySchemes).toMatchObject({
      staff: { type: 'http', scheme: 'digest' },
      'both-basic': { type: 'http', scheme: 'basic' },
      'both-digest': { type: 'http', scheme: 'digest' },
    });
  });

  it('is optional if guests are allowed', () => {
    const document = read(openapiOfApi(withOperation({ adapters: ['staff'] }, { adapters })));
    expect(onlyOperation(document).security).toEqual([{}, { staff: [] }]);
  });

  it('is empty without an adapter, and omits unused adapters', () => {
    const document = read(openapiOfApi(withOperation({}, { adapters })));
    expect(onlyOperation(document).security).toEqual([]);
    expect(document.components).not.toHaveProperty('securitySchemes');
  });
});

describe('schemas and examples', () => {
  it.each([[null], [[]], [{ a: null, b: [] }], [0], [''], [false]])('keeps an example of %j', (example) => {
    const document = read(
      openapiOfApi(
        withOperation({
          httpMethod: 'POST',
          contentTypes: ['application/json'],
          requestSchema: {},
          requestExample: example,
          responseExample: example,
        }),
      ),
    );
    const operation = onlyOperation(document);
    expect(at(operation, '#/requestBody/content/application~1json')).toEqual({ schema: {}, example });
    expect(at(operation, '#/responses/200/content/application~1json')).toEqual({ example });
  });

  it('uses the description of the operation for its usual response, and reason phrases for others', () => {
    const document = read(
      openapiOfApi(
        withOperation({
          responseDescription: 'The thing.',
          responseStatusCodes: [
            { code: 200, message: 'OK' },
            { code: 202, message: 'It is looked for' },
          ],
        }),
      ),
    );
    expect(at(onlyOperation(document), '#/responses')).toMatchObject({
      200: { description: 'The thing.' },
      202: { description: 'It is looked for' },
    });
  });

  it('uses the description and example of the operation for its declared status', () => {
    const responseSchemas = [{ code: 200, schema: { type: 'string' } }];
    const responsesOf = (data: Partial<OperationData>) =>
      at(
        onlyOperation(
          read(
            openapiOfApi(
              withOperation({
                responseDescription: 'Made.',
                responseStatusCodes: [
                  { code: 200, message: 'It existed' },
                  { code: 201, message: 'Created' },
                ],
                ...data,
              }),
            ),
          ),
        ),
        '#/responses',
      );
    for (const data of [{ responseSchemas }, { status: 201 }])
      expect(responsesOf(data)).toMatchObject({
        200: { description: 'It existed' },
        201: { description: 'Made.' },
      });
  });

  it('describes a stream as text with the schema of its items', () => {
    const document = read(
      openapiOfApi(
        withOperation({
          responseSchema: { type: 'object', properties: { price: { type: 'number' } } },
          responseExample: { price: 1 },
          responseContentTypes: ['application/x-ndjson', 'text/event-stream'],
          streams: true,
        }),
      ),
    );
    const item = { $ref: '#/components/schemas/ThingCollection' };
    expect(at(onlyOperation(document), '#/responses/200/content')).toEqual({
      'application/x-ndjson': {
        schema: {
          type: 'string',
          description: 'A line of JSON for each item.',
          contentMediaType: 'application/x-ndjson',
          contentSchema: item,
        },
        example: '{"price":1}\n',
      },
      'text/event-stream': {
        schema: {
          type: 'string',
          description: 'An event for each item, with JSON in `data`.',
          contentMediaType: 'text/event-stream',
          contentSchema: item,
        },
        example: 'data: {"price":1}\n\n',
      },
    });
  });

  it('describes a text with the media type of a stream by its own schema', () => {
    const text = { type: 'string', examples: ['id,name\r\n1,Ada\r\n'] };
    const document = read(
      openapiOfApi(
        withOperation({
          responseSchema: text,
          responseExample: text.examples[0],
          responseContentTypes: ['text/csv', 'text/event-stream'],
        }),
      ),
    );
    const media = { schema: { type: 'string' }, example: 'id,name\r\n1,Ada\r\n' };
    expect(at(onlyOperation(document), '#/responses/200/content')).toEqual({
      'text/csv': media,
      'text/event-stream': media,
    });
  });

  it('makes a component of a recursive type', () => {
    const Node = Type.Recursive((self) => Type.Object({ name: Type.String(), children: Type.Array(self) }), {
      $id: 'Node',
    });
    const document = read(openapiOfApi(withOperation({ responseSchema: Type.Object({ root: Node }) })));
    expect(at(document, '#/components/schemas/ThingCollection/properties/root')).toEqual({
      $ref: '#/components/schemas/Node',
    });
    expect(at(document, '#/components/schemas/Node/properties/children/items')).toEqual({
      $ref: '#/components/schemas/Node',
    });
  });

  it('makes components of definitions, and of references to the root', () => {
    const responseSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        at: { $ref: '#/$defs/Place', description: 'Where' },
        next: { $ref: '#' },
        lat: { $ref: '#/$defs/Place/properties/lat' },
        far: { $ref: 'https://example.org/schema.json' },
      },
      $defs: { Place: { type: 'object', properties: { lat: { type: 'number' } } } },
    };
    const document = read(openapiOfApi(withOperation({ responseSchema })));
    expect(at(document, '#/components/schemas/ThingCollection')).toEqual({
      type: 'object',
      properties: {
        at: { $ref: '#/components/schemas/Place', description: 'Where' },
        next: { $ref: '#/components/schemas/ThingCollection' },
        lat: { $ref: '#/components/schemas/Place/properties/lat' },
        far: {},
      },
    });
  });

  it('shares components between equal definitions of different schemas', () => {
    const shape = (root: string, leaf: object) => ({
      type: 'object',
      properties: { [root]: { $ref: '#/$defs/Tree' } },
      $defs: {
        Tree: {
          type: 'object',
          properties: { leaf: { $ref: '#/$defs/Leaf' }, tree: { $ref: '#/$defs/Tree' } },
        },
        Leaf: leaf,
        Round: { type: 'array', items: { $ref: '#' } },
        ThingLike: { type: 'string', enum: ['thing'] },
      },
    });
    const green = { type: 'object', properties: { green: { type: 'boolean' } } };
    const { schemas } = read(
      openapiOfApi(
        api({
          services: [
            serviceData({
              name: 'Thing',
              operations: [
                operationData({ httpMethod: 'GET', responseSchema: shape('one', green) }),
                operationData({ httpMethod: 'POST', responseSchema: shape('two', green) }),
                operationData({ httpMethod: 'PUT', responseSchema: shape('three', { type: 'string' }) }),
              ],
            }),
          ],
        }),
      ),
    ).components as { schemas: object };
    expect(at(schemas, '#/Tree/properties')).toEqual({
      leaf: { $ref: '#/components/schemas/Leaf' },
      tree: { $ref: '#/components/schemas/Tree' },
    });
    // A definition that refers to another leaf differs, although its text is the same.
    expect(at(schemas, '#/Tree_2/properties/leaf')).toEqual({ $ref: '#/components/schemas/Leaf_2' });
    expect(at(schemas, '#/Leaf_2')).toEqual({ type: 'string' });
    const names = Object.keys(schemas).filter((name) => /^(Tree|Leaf|Round|Thing.*Like)/.test(name));
    expect(names.sort()).toEqual(
      ['Leaf', 'Leaf_2', 'Round', 'Round_2', 'Round_3', 'ThingCollection_ThingLike', 'Tree', 'Tree_2'].sort(),
    );
  });

  it('has each example once, next to the schema, also if another schema contains the schema', () => {
    const pet = { type: 'object', properties: { name: { type: 'string' } }, examples: [{ name: 'Rex' }] };
    const pets = { type: 'array', items: pet, examples: [[]] };
    const document = read(
      openapiOfApi(
        api({
          services: [
            serviceData({
              name: 'Pet',
              operations: [
                operationData({ httpMethod: 'GET', responseSchema: pets, responseExample: [] }),
                operationData({ httpMethod: 'POST', responseSchema: pet, responseExample: { name: 'Ada' } }),
              ],
              entityOperations: [
                operationData({ entity: true, responseSchema: pet, responseExample: { name: 'Rex' } }),
              ],
            }),
          ],
        }),
      ),
    );
    expect(at(document, '#/components/schemas')).toEqual({
      Pet: { type: 'object', properties: { name: { type: 'string' } } },
      PetCollection: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Problem: expect.anything() as unknown,
    });
    const [collection] = Object.values(document.paths);
    expect(at(collection, '#/post/responses/200/content/application~1json')).toEqual({
      schema: { $ref: '#/components/schemas/Pet' },
      example: { name: 'Ada' },
    });
  });

  it('makes one component of a definition and an equal schema', () => {
    const leaf = { type: 'object', properties: { green: { type: 'boolean' } } };
    const tree = { type: 'object', properties: { leaf: { $ref: '#/$defs/Leaf' } } };
    const schemas = [
      { type: 'array', items: { $ref: '#/$defs/Tree' }, $defs: { Tree: tree, Leaf: leaf } },
      { ...tree, $defs: { Leaf: leaf } },
      leaf,
    ];
    const document = read(
      openapiOfApi(
        api({
          services: [
            serviceData({
              name: 'Wood',
              operations: ['GET', 'POST', 'PUT'].map((httpMethod, index) =>
                operationData({ httpMethod, responseSchema: schemas[index] ?? null }),
              ),
            }),
          ],
        }),
      ),
    );
    expect(Object.keys(at(document, '#/components/schemas') as object).sort()).toEqual(
      ['Leaf', 'Problem', 'Tree', 'WoodCollection'].sort(),
    );
  });

  it('does not treat property names and examples as schemas', () => {
    const responseSchema = {
      type: 'object',
      properties: { $id: { type: 'string' }, items: { type: 'string' } },
      examples: [{ $ref: 'x', $id: 'y' }],
    };
    const json: unknown = JSON.parse(JSON.stringify(openapiOfApi(withOperation({ responseSchema }))));
    expect(at(json, '#/components/schemas/ThingCollection')).toEqual(responseSchema);
  });

  it('renames the second of two schemas with the same name', () => {
    const object = (name: string) => Type.Object({ [name]: Type.String() });
    const document = read(
      openapiOfApi(
        api({
          services: [
            serviceData({ name: 'Problem', operations: [operationData({ responseSchema: object('a') })] }),
            serviceData({
              name: 'Problem',
              route: '/other',
              entityOperations: [operationData({ entity: true, responseSchema: object('b') })],
            }),
          ],
        }),
      ),
    );
    expect(Object.keys(document.components.schemas as object)).toEqual([
      'Problem',
      'ProblemCollection',
      'Problem_2',
    ]);
  });
});

describe('paths', () => {
  it('has a path for each variant of a route with optional parts', () => {
    const document = read(
      openapiOfApi(
        withService({
          kind: 'rpc',
          route: '/ping[/:host]',
          routeIdentifierName: null,
          operations: [operationData({}), operationData({ httpMethod: 'POST' })],
        }),
      ),
    );
    expect(Object.keys(document.paths)).toEqual(['/v1/ping', '/v1/ping/{host}']);
    expect(Object.keys(operationsOf(document))).toEqual([
      'Things_getThing',
      'Things_postThing',
      'Things_getThing_with_host',
      'Things_postThing_with_host',
    ]);
  });

  it('describes the collection if an entity shares its path and method', () => {
    const document = read(
      openapiOfApi(
        withService({
          route: '/things',
          operations: [operationData()],
          entityOperations: [
            operationData({ entity: true }),
            operationData({ entity: true, httpMethod: 'PUT' }),
          ],
        }),
      ),
    );
    expect(Object.keys(operationsOf(document))).toEqual(['Things_listThing', 'Things_updateThing']);
  });

  it('omits methods that OpenAPI does not support', () => {
    expect(read(openapiOfApi(withOperation({ httpMethod: 'PROPFIND' }))).paths).toEqual({});
  });

  it('describes an operation without declared status codes', () => {
    const document = read(openapiOfApi(withOperation({ responseStatusCodes: [] })));
    expect(onlyOperation(document).responses).toHaveProperty('default');
  });

  it('uses the first sentence as the summary, or the method', () => {
    const summary = (description: string) =>
      onlyOperation(read(openapiOfApi(withOperation({ description })))).summary;
    expect(summary('Read **all** of v1.2 `things`. Then more.')).toBe('Read all of v1.2 things');
    expect(summary('<p>Lists <b class="x">all</b> things with `<id>`, 1 < 2.</p>\n<p>More.')).toBe(
      'Lists all things with <id>, 1 < 2',
    );
    expect(summary('Get the city<br/>Requires <b>login</b>.')).toBe('Get the city');
    expect(summary('<p>Removes <BR class="x">it</p><p>And all of it</p>')).toBe('Removes');
    expect(summary('<p>Removes it</p><p>And all of it</p>')).toBe('Removes it');
    expect(summary('See <https://example.com/help>. Then more.')).toBe('See <https://example.com/help>');
    expect(summary('Finds a <b and c> d')).toBe('Finds a <b and c> d');
    expect(summary('')).toBe('GET Thing');
    expect(summary('x'.repeat(300))).toHaveLength(120);
  });
});

describe('openapiOfService', () => {
  it('is the part of the API with the service, with the same IDs', () => {
    const document = read(openapiOfService(atlas, atlas.getService('Distance')!));
    expect(document.info.title).toBe('Atlas Distance');
    expect(Object.keys(operationsOf(document))).toEqual(['Atlas_getDistance']);
    expect(document.components).not.toHaveProperty('securitySchemes');
  });
});

describe('openapiOfList', () => {
  const old = new Api({ ...atlasData, version: 1 });
  const roads = new Api({ ...atlasData, name: 'Roads', version: 1, defaultVersion: 1 });
  const document = read(openapiOfList([old, atlas, roads]));

  it('has each API in its default version', () => {
    expect(document.info.version).toBe('Atlas-v2 Roads-v1');
    expect(document.tags.map((tag) => tag.name)).toEqual([
      'Atlas Country',
      'Atlas Visit',
      'Atlas Distance',
      'Roads Country',
      'Roads Visit',
      'Roads Distance',
    ]);
  });

  it('has the IDs of the separate documents, each once', () => {
    const ids = Object.keys(operationsOf(document));
    expect(ids).toHaveLength(16);
    expect(ids.slice(0, 8)).toEqual(Object.keys(operationsOf(openapiOfApi(atlas))));
  });

  it('is valid without APIs', () => {
    expect(read(openapiOfList([]))).toMatchObject({ paths: {}, servers: [{ url: '/' }] });
  });
});
