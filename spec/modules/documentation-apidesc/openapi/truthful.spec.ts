import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  fileField,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { fileTypesOf } from '../../../../src/modules/documentation';
import { openapiErrors } from '../../../factories/documents/openapi-errors';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const Money = Type.Object({ amount: Type.Number(), currency: Type.String() });
const resource = { fetchAll: () => [], fetch: () => undefined, create: (data: unknown) => data } as never;
const identified = { route_identifier_name: 'id', page_size: 5, resource } as const;

const Priced = defineRestService({
  ...identified,
  route: '/priced[/:id]',
  fields: Type.Object({ id: Type.String(), price: Money }, { examples: [{ id: '1' }] }),
  collection: { GET: {}, POST: {} },
  entity: { GET: {} },
});

const Linked = defineRestService({
  ...identified,
  route: '/linked[/:id]',
  selector: 'HalJson',
  fields: Type.Object({ id: Type.String(), price: Money, linked: Type.Boolean() }),
  collection: { GET: {} },
  entity: { GET: {} },
});

const Listed = defineRestService({
  ...identified,
  route: '/listed[/:id]',
  fields: Type.Object({ id: Type.String(), listed: Type.Boolean() }),
  collection: { GET: {} },
});

const Tree = defineRestService({
  ...identified,
  route: '/trees[/:id]',
  fields: Type.Recursive((Self) => Type.Object({ id: Type.String(), parts: Type.Array(Self) }), {
    $id: 'Tree',
  }) as never,
  collection: { GET: {} },
  entity: { GET: {} },
});

const Job = defineRpcService({
  route: '/jobs',
  methods: {
    GET: defineProcedure({ authorization: 'authenticated', handler: () => ({}) }),
    POST: defineProcedure({ status: 201, handler: () => ({}) }),
  },
});

const Report = defineRpcService({
  route: '/reports',
  methods: {
    GET: defineProcedure({
      response_type: ['text/csv'],
      response: Type.String({ examples: ['id,name\r\n1,Ada\r\n'] }),
      handler: () => new PlatformResponse(200, 'id,name\r\n', [['Content-Type', 'text/csv']]),
    }),
  },
});

const Flow = defineRestService({
  ...identified,
  route: '/flow[/:id]',
  selector: 'HalJson',
  fields: Type.Object({ id: Type.String(), price: Money, flows: Type.Boolean() }),
  collection: { GET: { stream: ['application/x-ndjson'] } },
  resource: { fetchAll: () => [], streamAll: () => undefined } as never,
});

const Tagged = defineRestService({
  ...identified,
  route: '/tagged[/:id]',
  fields: Type.Object({ id: Type.String(), tagged: Type.Boolean() }),
  collection: { POST: {} },
  entity: { GET: {} },
  resource: { ...(resource as object), revision: () => 1 },
});

/** Without pages, it may have a parameter of that name. */
const Whole = defineRestService({
  route: '/whole[/:id]',
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String() }),
  collection: { GET: { query: Type.Object({ page: Type.Optional(Type.Integer()) }) } },
  resource,
});

const Upload = defineRpcService({
  route: '/uploads',
  content_type: ['multipart/form-data'],
  methods: {
    POST: defineProcedure({
      fields: Type.Object({
        picture: fileField({ types: ['image/png', 'image/webp'] }),
        notes: Type.Array(fileField({ types: ['text/markdown'] })),
        cover: Type.Optional(Type.Union([fileField({ types: ['image/gif'] }), Type.Null()])),
        pages: Type.Optional(Type.Array(Type.Union([fileField({ types: ['text/html'] }), Type.Null()]))),
        others: Type.Optional(Type.Array(fileField())),
      }),
      handler: ({ body: { picture, notes } }) => [picture, ...notes].map(({ type }) => type),
    }),
  },
});

const services = { Priced, Linked, Listed, Tree, Job, Report, Flow, Tagged, Whole, Upload };
const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { schemas: { Money }, services } } })],
};

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly encoding?: Readonly<Record<string, { contentType: string }>> }>
    >;
  };
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, object>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}

let platform: TestPlatform;
let document: Document;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'hal', 'documentation', 'documentation-apidesc', 'documentation-formats'],
    extra: [house],
  });
  const answer = await platform.request('/platform/documentation/House?format=apidesc');
  document = (await answer.json()) as Document;
});
afterAll(() => platform.stop());

const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new RangeError(`There is no ${method} of ${path}.`);
  return found;
};

describe('the OpenAPI document', () => {
  it('is valid', () => {
    expect(openapiErrors(document)).toEqual([]);
  });

  it('refers to the entity from the collection', () => {
    const { schemas } = document.components;
    for (const name of ['Priced', 'Listed', 'Tree']) {
      expect(schemas[`${name}Collection`]).toMatchObject({
        properties: { items: { items: { $ref: `#/components/schemas/${name}` } } },
      });
    }
    expect(schemas.LinkedCollection).toMatchObject({
      properties: {
        _embedded: { properties: { items: { items: { $ref: '#/components/schemas/Linked' } } } },
      },
    });
    expect(schemas.Priced).toMatchObject({ properties: { price: { $ref: '#/components/schemas/Money' } } });
    expect(Object.keys(schemas).filter((name) => name.startsWith('Tree'))).toEqual([
      'Tree',
      'TreeCollection',
    ]);
  });

  it('has all that it refers to, also from the items of a stream', () => {
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(targets.filter((to = '') => !known.includes(to))).toEqual([]);
    expect(operation('/v1/flow', 'get').responses['200']?.content?.['application/x-ndjson']).toMatchObject({
      schema: { contentSchema: { $ref: expect.any(String) as string } },
    });
  });

  it('has If-Match only for what has an entity tag before', () => {
    const { parameters = [], responses } = operation('/v1/tagged', 'post');
    expect(parameters.map(({ name }) => name)).not.toContain('If-Match');
    expect(Object.keys(responses)).not.toContain('412');
    expect(responses['201']?.headers).toHaveProperty('ETag');
    expect(operation('/v1/tagged/{id}', 'get').parameters).toContainEqual(
      expect.objectContaining({ name: 'If-None-Match' }),
    );
  });

  it('has the links and the conflict of pages only where there are pages', async () => {
    const { headers } = await platform.request('/v1/priced');
    expect(headers.get('link')).toContain('rel="last"');
    const paged = operation('/v1/priced', 'get').responses;
    expect(paged['200']?.headers).toHaveProperty('Link');
    expect(paged).toHaveProperty('409');
    const whole = operation('/v1/whole', 'get').responses;
    expect(whole['200']?.headers).toBeUndefined();
    expect(whole).not.toHaveProperty('409');
    expect((await platform.request('/v1/whole?page=9')).status).toBe(200);
  });

  it('describes CSV that a handler returns as a text', () => {
    expect(operation('/v1/reports', 'get').responses['200']?.content).toEqual({
      'text/csv': { schema: { type: 'string' }, example: 'id,name\r\n1,Ada\r\n' },
    });
  });

  it('names the media types of a list of files that a reference describes', () => {
    const Picture = { ...fileField({ types: ['image/png'] }) };
    const list = { type: 'array', items: { $ref: '#/$defs/Picture' }, $defs: { Picture } };
    expect(fileTypesOf(list)).toEqual(['image/png']);
  });

  it('names the media types of files, with which a form is accepted', async () => {
    const { requestBody, responses } = operation('/v1/uploads', 'post');
    const { encoding } = requestBody?.content['multipart/form-data'] ?? {};
    expect(responses).toHaveProperty('507');
    expect(fileField({ types: ['image/*'] })).not.toHaveProperty('contentMediaType');
    expect(fileField({ types: ['image/png'] })).toHaveProperty('contentMediaType', 'image/png');
    expect(encoding).toEqual({
      picture: { contentType: 'image/png, image/webp' },
      notes: { contentType: 'text/markdown' },
      cover: { contentType: 'image/gif' },
      pages: { contentType: 'text/html' },
    });
    const body = new FormData();
    for (const [name, { contentType }] of Object.entries(encoding ?? {}))
      body.append(name, new Blob(['a'], { type: contentType.split(', ')[0] ?? '' }), 'a');
    const sent = await platform.request('/v1/uploads', { method: 'POST', body });
    expect(await sent.json()).toEqual(['image/png', 'text/markdown']);
  });

  it('documents Location only if it is sent', async () => {
    expect(operation('/v1/jobs', 'post').responses['201']?.headers).toBeUndefined();
    expect((await platform.request('/jobs', { method: 'POST' })).headers.get('location')).toBeNull();
    expect(operation('/v1/priced', 'post').responses['201']?.headers).toHaveProperty('Location');
    const body = JSON.stringify({ id: '7', price: { amount: 1, currency: 'EUR' } });
    const headers = { 'content-type': 'application/json' };
    const made = await platform.request('/v1/priced', { method: 'POST', headers, body });
    expect([made.status, made.headers.get('location')]).toEqual([201, '/v1/priced/7']);
  });

  it('documents that errors are HTML pages for clients that prefer HTML', async () => {
    const { responses } = operation('/v1/priced/{id}', 'get');
    expect(Object.keys(responses['404']?.content ?? {})).toEqual(['application/problem+json', 'text/html']);
    const page = await platform.request('/v1/priced/7', {
      headers: { accept: 'text/html, application/json;q=0.1' },
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('does not show an operation that rejects everybody as open', async () => {
    expect((await platform.request('/v1/jobs')).status).toBe(403);
    const [requirement = {}, ...others] = operation('/v1/jobs', 'get').security;
    const [scheme = ''] = Object.keys(requirement);
    expect(others).toEqual([]);
    expect(document.components.securitySchemes?.[scheme]).toMatchObject({
      description: expect.stringContaining('no authentication adapter') as unknown,
    });
    expect(operation('/v1/jobs', 'post').security).toEqual([]);
  });

  it('has one error type in Swagger 2.0, which declares types per operation', async () => {
    const answer = await platform.request('/platform/documentation/House?format=swagger');
    const swagger = (await answer.json()) as {
      paths: Record<string, Record<string, { produces: string[] }>>;
    };
    expect(swagger.paths['/v1/priced']?.get?.produces).toContain('application/problem+json');
    expect(swagger.paths['/v1/priced']?.get?.produces).not.toContain('text/html');
  });
});

describe('a 401 in the OpenAPI document', () => {
  it('is not HTML', async () => {
    const local = {
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            staff: {
              adapter: 'HttpAdapter',
              options: { accept_schemes: ['basic'], realm: 'x', htpasswd: 'users' },
            },
          },
          map: { House: 'staff' },
        },
      },
    };
    const guarded = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [{ ...house, apis: [defineApi({ name: 'House', versions: { 1: { services: { Job } } } })] }],
      local,
      files: { users: '' },
    });
    const answer = await guarded.request('/platform/documentation/House?format=apidesc');
    const { paths } = (await answer.json()) as Document;
    const refused = await guarded.request('/v1/jobs', { headers: { accept: 'text/html' } });
    await guarded.stop();
    expect(Object.keys(paths['/v1/jobs']?.get?.responses['401']?.content ?? {})).toEqual([
      'application/problem+json',
    ]);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
  });
});
