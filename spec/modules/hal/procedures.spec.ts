import { Ajv2020 } from 'ajv/dist/2020';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  HypermediaEntity,
  Type,
  type Module,
} from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/http/requests';

const room = Type.Object({ name: Type.String({ examples: ['hall'] }) });
const rooms = [{ name: 'hall' }, { name: 'yard' }];
const empty = Type.Optional(Type.Boolean());

const Rooms = defineRpcService({
  selector: 'HalJson',
  route: '/rooms',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ empty }),
      response: Type.Array(room),
      handler: ({ query }) => (query.empty === true ? [] : rooms),
    }),
    POST: defineProcedure({ fields: room, response: room, handler: ({ body }) => body }),
    PUT: defineProcedure({
      fields: room,
      response: Type.Array(room),
      handler: ({ body }) => [new HypermediaEntity(body, { links: { door: '/door' } })],
    }),
  },
});
const Sizes = defineRpcService({
  selector: 'HalJson',
  route: '/sizes',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ empty }),
      response: Type.Array(Type.Integer()),
      handler: ({ query }) => (query.empty === true ? [] : [3, 4]),
    }),
  },
});
const nothing = Type.Null();
const Mixed = defineRpcService({
  selector: 'HalJson',
  route: '/mixed',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ empty }),
      response: Type.Array(Type.Union([Type.String(), Type.Integer(), nothing])),
      status_codes: [{ code: 202, message: 'Counted later.', response: Type.Array(Type.Integer()) }],
      handler: ({ query }) => (query.empty === true ? [] : ['hall', 4, null]),
    }),
    PUT: defineProcedure({
      response: Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      handler: () => [],
    }),
    DELETE: defineProcedure({ response: Type.Array(Type.Union([room, nothing])), handler: () => [] }),
    POST: defineProcedure({
      response: Type.Array(room),
      status_codes: [{ code: 202, message: 'Counted later.', response: Type.Array(Type.Integer()) }],
      handler: ({ event }) => {
        event.response.status = 202;
        return [];
      },
    }),
  },
});
const Assorted = defineRpcService({
  selector: 'HalJson',
  route: '/assorted',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ empty }),
      response: Type.Array(Type.Union([room, Type.String()])),
      handler: ({ query }) => (query.empty === true ? [] : ['hall', { name: 'yard' }]),
    }),
    PUT: defineProcedure({
      response: Type.Array(Type.Unsafe<object | string>({ type: ['object', 'string'] })),
      handler: () => rooms,
    }),
  },
});
const Perhaps = defineRpcService({
  selector: 'HalJson',
  route: '/perhaps',
  methods: {
    GET: defineProcedure({
      response: Type.Array(Type.Union([room, nothing])),
      handler: () => [{ name: 'hall' }, null],
    }),
  },
});
const Plain = defineRpcService({
  route: '/plain',
  methods: { GET: defineProcedure({ response: Type.Array(room), handler: () => rooms }) },
});

const house: Module = {
  name: 'house',
  requires: ['hosting', 'hal'],
  apis: [
    defineApi({
      name: 'House',
      versions: { 1: { services: { Assorted, Mixed, Perhaps, Rooms, Sizes, Plain } } },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ extra: [house] })));
afterAll(() => platform.stop());

const get = async (path: string) => bodyOf(await platform.request(path));

describe('a procedure of a service with HAL responses', () => {
  it('returns a list of objects as a collection', async () => {
    expect(await get('/rooms')).toEqual({
      _links: { self: { href: '/rooms' } },
      _embedded: { items: rooms },
      total_items: 2,
    });
    expect(await get('/v1/rooms?empty=true')).toEqual({
      _links: { self: { href: '/v1/rooms?empty=true' } },
      _embedded: { items: [] },
      total_items: 0,
    });
  });

  it('returns any other list as a member, because only objects are embedded', async () => {
    expect(await get('/sizes')).toEqual({
      _links: { self: { href: '/sizes' } },
      items: [3, 4],
      total_items: 2,
    });
    expect(await get('/sizes?empty=true')).toMatchObject({ items: [], total_items: 0 });
  });

  it('returns an empty list of what is never an object as a member too', async () => {
    const links = { _links: { self: { href: '/mixed' } } };
    expect(await get('/mixed')).toEqual({ ...links, items: ['hall', 4, null], total_items: 3 });
    expect(await get('/mixed?empty=true')).toMatchObject({ items: [], total_items: 0 });
    const send = async (method: string) => bodyOf(await platform.request('/mixed', { method }));
    expect(await send('PUT')).toEqual({ ...links, items: [], total_items: 0 });
    expect(await send('DELETE')).toEqual({ ...links, _embedded: { items: [] }, total_items: 0 });
    expect(await send('POST')).toEqual({ ...links, items: [], total_items: 0 });
  });

  it('returns a list that may mix objects and other values as a member, whatever it has', async () => {
    const links = { _links: { self: { href: '/assorted' } } };
    expect(await get('/assorted')).toEqual({ ...links, items: ['hall', { name: 'yard' }], total_items: 2 });
    expect(await get('/assorted?empty=true')).toMatchObject({ items: [], total_items: 0 });
    const put = await platform.request('/assorted', { method: 'PUT' });
    expect(await put.json()).toEqual({ ...links, items: rooms, total_items: 2 });
  });

  it('returns a list of objects and null as the collection that is documented', async () => {
    expect(await get('/perhaps')).toEqual({
      _links: { self: { href: '/perhaps' } },
      _embedded: { items: [{ name: 'hall' }, null] },
      total_items: 2,
    });
  });

  it('adds links to the results of other methods than GET', async () => {
    expect(await bodyOf(await platform.request('/rooms', sendJson({ name: 'attic' })))).toEqual({
      _links: { self: { href: '/rooms' } },
      name: 'attic',
    });
    expect(await bodyOf(await platform.request('/rooms', sendJson({ name: 'attic' }, 'PUT')))).toEqual({
      _links: { self: { href: '/rooms' } },
      _embedded: { items: [{ _links: { door: { href: '/door' } }, name: 'attic' }] },
      total_items: 1,
    });
  });

  it('returns results unchanged if HAL is not selected', async () => {
    expect(await (await platform.request('/plain')).json()).toEqual(rooms);
  });

  it('documents the schemas of its responses', async () => {
    const document = (await get('/platform/documentation/House-v1?format=apidesc')) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
    const assertShown = async (path: string, method: string, answer: Promise<Response>) => {
      const pointer = `/paths/${`/v1${path}`.replaceAll('/', '~1')}/${method}/responses/200/content/application~1hal+json/schema`;
      const check = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
      const body = await bodyOf(await answer);
      expect([check(body), check.errors]).toEqual([true, null]);
      expect(check({ ...body, total_items: 'many', _links: 7 })).toBe(false);
    };
    await assertShown('/rooms', 'get', platform.request('/rooms'));
    await assertShown('/rooms', 'post', platform.request('/rooms', sendJson({ name: 'attic' })));
    await assertShown('/rooms', 'put', platform.request('/rooms', sendJson({ name: 'attic' }, 'PUT')));
    await assertShown('/sizes', 'get', platform.request('/sizes'));
    await assertShown('/sizes', 'get', platform.request('/sizes?empty=true'));
    await assertShown('/mixed', 'get', platform.request('/mixed'));
    await assertShown('/assorted', 'get', platform.request('/assorted'));
    await assertShown('/assorted', 'put', platform.request('/assorted', { method: 'PUT' }));
    await assertShown('/perhaps', 'get', platform.request('/perhaps'));
    await assertShown('/mixed', 'put', platform.request('/mixed', { method: 'PUT' }));
    await assertShown('/mixed', 'delete', platform.request('/mixed', { method: 'DELETE' }));
    const { components } = document as { components?: unknown };
    expect(JSON.stringify([document.paths['/v1/mixed']?.get?.responses[202], components])).toContain(
      '"items":{"type":"array","items":{"type":"integer"}}',
    );
  });
});
