import type { ConfigObject } from '../../../src/framework';
import { importOpenapi } from '../../../src/modules/documentation-import';
import { fromSwagger } from '../../../src/modules/documentation-import/document/from-swagger';
import { startTestPlatform } from '../../factories/platform';

const swagger = (more: object): string =>
  JSON.stringify({ swagger: '2.0', info: { title: 'T', version: '1' }, paths: {}, ...more });

/** The services of a version of an imported API. */
function servicesOf(api: ConfigObject, version = 1): Readonly<Record<string, Service>> {
  const { versions } = api as unknown as {
    readonly versions: Readonly<Record<number, { readonly services: Readonly<Record<string, Service>> }>>;
  };
  return versions[version]?.services ?? {};
}

/** The only operation of an API with one service. */
function onlyPost(api: ConfigObject): Readonly<Record<string, unknown>> {
  const [service] = Object.values(servicesOf(api));
  return { ...service?.methods.POST };
}

/** The only operation of the import of an operation. */
function imported(operation: object, more: object = {}): Readonly<Record<string, unknown>> {
  const paths = { '/a': { post: { responses: { 200: { description: 'A' } }, ...operation } } };
  return onlyPost(importOpenapi({ text: swagger({ paths, ...more }), name: 'old.json' }, 1).api);
}

describe('an import of Swagger 2.0', () => {
  it('is that of the OpenAPI document of the same API', async () => {
    const platform = await startTestPlatform();
    try {
      const [old, current] = await Promise.all(
        ['application/vnd.swagger+json', 'application/vnd.apidesc+json'].map(async (Accept) =>
          (await platform.request('/platform/documentation/Atlas-v2', { headers: { Accept } })).text(),
        ),
      );
      const shapeOf = (text = ''): unknown => {
        const { api } = importOpenapi({ text, name: 'atlas.json' }, 2);
        return Object.entries(servicesOf(api, 2)).map(([name, { route, methods }]) => [
          name,
          route,
          Object.entries(methods).map(([method, { operation_id, summary, query, status_codes }]) => [
            method,
            operation_id,
            summary,
            Object.keys(query?.properties ?? {}),
            status_codes.map(({ code }) => code),
          ]),
        ]);
      };
      expect(shapeOf(old)).toEqual(shapeOf(current));
    } finally {
      await platform.stop();
    }
  });

  it('keeps bodies, forms, files and lists in queries', () => {
    const schema = { $ref: '#/definitions/Pet' };
    const definitions = {
      Pet: { type: 'object', properties: { name: { type: 'string', 'x-nullable': true } } },
    };
    const body = imported(
      { parameters: [{ name: 'pet', in: 'body', required: true, schema }] },
      { definitions },
    );
    expect(body).toMatchObject({ content_type: ['application/json'], fields: { $ref: '#/schemas/Pet' } });
    const form = imported({
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [
        { name: 'a', in: 'formData', type: 'integer', required: true },
        { name: 'b', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
      ],
    });
    expect(form).toMatchObject({
      content_type: ['application/x-www-form-urlencoded'],
      fields: { properties: { a: { type: 'integer' } }, required: ['a'] },
      query: { properties: { b: { type: 'array', items: { type: 'string' } } } },
    });
    const upload = imported({
      consumes: ['multipart/form-data'],
      parameters: [
        { name: 'picture', in: 'formData', type: 'file', required: true, description: 'A photo.' },
      ],
    });
    expect(upload).toMatchObject({
      content_type: ['multipart/form-data'],
      fields: { properties: { picture: { format: 'binary', description: 'A photo.', 'x-file': {} } } },
    });
  });

  it('leaves out the separators of lists in lists', () => {
    const inner = { type: 'array', items: { type: 'string' } };
    const items = { ...inner, collectionFormat: 'pipes' };
    const { query } = imported({ parameters: [{ name: 'a', in: 'query', type: 'array', items }] });
    expect(query).toMatchObject({ properties: { a: { type: 'array', items: inner } } });
    expect(JSON.stringify(query)).not.toContain('collectionFormat');
  });

  it('resolves references in alternatives, which Swagger 2.0 does not have, but documents use', () => {
    const reference = { $ref: '#/definitions/Pet' };
    const operation = imported(
      {
        parameters: [
          {
            name: 'pet',
            in: 'body',
            schema: { oneOf: [reference], anyOf: [reference], patternProperties: { '^a$': reference } },
          },
        ],
      },
      { definitions: { Pet: { type: 'object' } } },
    );
    const shared = { $ref: '#/schemas/Pet' };
    expect(operation).toMatchObject({
      fields: { oneOf: [shared], anyOf: [shared], patternProperties: { '^a$': shared } },
    });
  });

  it('resolves shared parameters and responses', () => {
    const operation = imported(
      {
        parameters: [{ $ref: '#/parameters/Li%6Dit' }, { $ref: '#/parameters/Body' }],
        responses: { 200: { $ref: '#/responses/Ok' } },
      },
      {
        parameters: {
          Limit: { name: 'limit', in: 'query', type: 'integer' },
          Body: { name: 'body', in: 'body', required: true, schema: { type: 'object', properties: {} } },
        },
        responses: {
          Ok: { description: 'Fine.', schema: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      },
    );
    expect(operation).toMatchObject({
      query: { properties: { limit: { type: 'integer' } } },
      fields: { type: 'object' },
      response: { properties: { a: { type: 'string' } } },
    });
  });
});

interface Service {
  readonly route: string;
  readonly methods: Readonly<
    Record<
      string,
      {
        readonly operation_id?: string;
        readonly summary?: string;
        readonly query?: { readonly properties: object };
        readonly status_codes: readonly { readonly code: number }[];
      }
    >
  >;
}

describe('the conversion of Swagger 2.0', () => {
  it('writes servers, security schemes and examples', () => {
    expect(
      fromSwagger({
        swagger: '2.0',
        host: 'api.example',
        basePath: '/v2',
        schemes: ['https', 'http'],
        paths: {
          '/a': { get: { responses: { 200: { description: 'A', examples: { 'text/csv': 'a;b' } } } } },
        },
        securityDefinitions: {
          basic: { type: 'basic' },
          key: { type: 'apiKey', name: 'X-Key', in: 'header' },
          login: {
            type: 'oauth2',
            flow: 'accessCode',
            authorizationUrl: '/a',
            tokenUrl: '/t',
            scopes: { read: 'Read.' },
          },
        },
      }),
    ).toMatchObject({
      openapi: '3.0.3',
      servers: [{ url: 'https://api.example/v2' }, { url: 'http://api.example/v2' }],
      paths: { '/a': { get: { responses: { 200: { content: { 'text/csv': { example: 'a;b' } } } } } } },
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic' },
          key: { type: 'apiKey' },
          login: {
            flows: {
              authorizationCode: { authorizationUrl: '/a', tokenUrl: '/t', scopes: { read: 'Read.' } },
            },
          },
        },
      },
    });
  });

  it('leaves what is not as the specification requires to the messages of the import', () => {
    for (const paths of [
      [],
      'x',
      { '/a': 1 },
      { '/a': { get: [] } },
      { '/a': { post: { parameters: 'x' } } },
    ])
      expect(() => fromSwagger({ swagger: '2.0', paths })).not.toThrow();
    expect(() => importOpenapi({ text: swagger({ swagger: 2 }), name: 'old.json' }, 1)).toThrow(
      /it is Swagger 2\. The member "swagger" of version 2\.0 is the text "2\.0"/,
    );
    expect(() => importOpenapi({ text: '{"swagger": "2.0"}', name: 'old.json' }, 1)).toThrow(
      /it has no paths/,
    );
  });
});

describe('the body of a form with files', () => {
  const importForm = (content: object): Readonly<Record<string, unknown>> => {
    const paths = {
      '/a': { post: { requestBody: { required: true, content }, responses: { 200: { description: 'A' } } } },
    };
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
    const { api, warnings } = importOpenapi({ text, name: 'file' }, 1);
    return { ...onlyPost(api), warnings };
  };

  it('is imported with the media types of its encoding, also for lists of files', () => {
    const file = { type: 'string', format: 'binary' };
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, photo: file, others: { type: 'array', items: file } },
    };
    expect(
      importForm({
        'multipart/form-data': { schema, encoding: { photo: { contentType: 'image/png, image/jpeg' } } },
      }),
    ).toMatchObject({
      content_type: ['multipart/form-data'],
      fields: {
        properties: {
          title: { type: 'string' },
          photo: { 'x-file': { types: ['image/png', 'image/jpeg'] } },
          others: { type: 'array', items: { 'x-file': {} } },
        },
      },
    });
  });

  it('is an ordinary form without files, and in OpenAPI 3.1 a file has a media type', () => {
    const plain = { type: 'object', properties: { title: { type: 'string' } } };
    expect(importForm({ 'multipart/form-data': { schema: plain } })).toMatchObject({
      content_type: ['multipart/form-data'],
      fields: plain,
    });
    const schema = { type: 'object', properties: { photo: { contentMediaType: 'image/png' } } };
    expect(importForm({ 'multipart/form-data': { schema }, 'application/json': { schema } })).toMatchObject({
      content_type: ['multipart/form-data'],
      fields: { properties: { photo: { 'x-file': { types: ['image/png'] } } } },
      warnings: expect.arrayContaining([
        'request body of type application/json: #/paths/~1a/post/requestBody',
      ]) as unknown,
    });
  });
});
