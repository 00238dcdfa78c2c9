import {
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  readOnly,
  Type,
  writeOnly,
  type ConfigObject,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';

const Profile = Type.Object({
  bio: Type.String({ default: '' }),
  score: Type.Integer({ readOnly: true }),
  pin: Type.Optional(Type.String({ writeOnly: true })),
});

const fields = Type.Object({
  user_id: readOnly(Type.String()),
  name: Type.String(),
  role: Type.String({ default: 'reader' }),
  password: writeOnly(Type.String({ minLength: 3 })),
  profile: Type.Optional(Profile),
  keys: Type.Optional(
    Type.Array(Type.Object({ id: readOnly(Type.String()), secret: writeOnly(Type.String()) })),
  ),
});

const received: unknown[] = [];

/** What a resource stores, secrets included. */
const stored = {
  user_id: 'ada',
  name: 'Ada',
  role: 'admin',
  password: 'engine',
  profile: { bio: '', score: 7, pin: '1234' },
  keys: [{ id: 'k', secret: 'hidden' }],
};

function users(route: string, read_only_members?: 'refuse' | 'ignore') {
  return defineRestService({
    route: `${route}[/:user_id]`,
    route_identifier_name: 'user_id',
    fields,
    ...(read_only_members === undefined ? {} : { read_only_members }),
    collection: { GET: { query: Type.Object({ limit: Type.Integer({ default: 5 }) }) }, POST: {} },
    entity: { GET: {}, PUT: {}, PATCH: {} },
    selector: 'Both',
    accept: ['application/json', 'application/hal+json'],
    resource: {
      fetchAll: ({ query }) => {
        received.push(query);
        return [stored];
      },
      fetch: () => stored,
      create: (data) => {
        received.push(data);
        return stored;
      },
      update: (id, data) => {
        received.push(data);
        return { ...stored, user_id: id };
      },
      patch: (_, data, { merge }) => {
        received.push(data);
        const { password: _secret, ...entity } = stored;
        return merge(entity, data);
      },
    },
  });
}

const Choice = defineRpcService({
  route: '/choice',
  methods: {
    POST: defineProcedure({
      fields: Type.Object({ id: readOnly(Type.String()), name: Type.String({ default: 'x' }) }),
      response: Type.Array(
        Type.Union([
          Type.Object({ kind: Type.Literal('a'), secret: Type.String({ writeOnly: true }) }),
          Type.Object({ kind: Type.Literal('b'), n: Type.Integer() }),
        ]),
      ),
      handler: ({ body }) => {
        received.push(body);
        return [
          { kind: 'a', secret: 'hidden' },
          { kind: 'b', n: 1 },
        ];
      },
    }),
  },
});

const accounts = {
  create: (data: unknown) => {
    received.push(data);
    return { account_id: '1', level: 1, key: 'hidden' };
  },
  fetch: () => ({ account_id: '1', level: 1, key: 'hidden' }),
};

const club: Module = {
  name: 'club',
  requires: ['hosting'],
  services: new ContainerModule(({ bind }) => {
    bind('accounts').toConstantValue(accounts);
  }),
  apis: [
    defineApi({
      name: 'Club',
      versions: {
        1: {
          schemas: {
            Account: Type.Object({
              account_id: Type.String({ readOnly: true }),
              level: Type.Integer({ default: 1 }),
              key: Type.String({ writeOnly: true }),
            }),
          },
          services: {
            User: users('/users'),
            Strict: users('/strict', 'refuse'),
            Choice,
          },
        },
      },
    }),
  ],
};

/** The same API in configuration. */
const configured: ConfigObject = {
  'platform-content-negotiation': {
    selectors: { Both: { JsonModel: ['application/json'], HalJsonModel: ['application/hal+json'] } },
  },
  'platform-hosting': {
    check_responses: 'report',
    apis: {
      Club: {
        versions: {
          1: {
            services: {
              Choice: { read_only_members: 'refuse' },
              Account: {
                route: '/shared[/:account_id]',
                route_identifier_name: 'account_id',
                fields: { $ref: '#/schemas/Account' },
                collection: { POST: {} },
                entity: { GET: {} },
                resource: 'accounts',
              },
            },
          },
        },
      },
    },
  },
};

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform({ extra: [club], local: configured });
});

afterAll(() => platform.stop());

beforeEach(() => {
  received.length = 0;
});

function send(method: string, path: string, body: unknown): Promise<Response> {
  return platform.request(path, sendJson(body, method, { Accept: 'application/json' }));
}

async function documented(path: string): Promise<{ fields: { name: string; required: boolean }[] }> {
  const answer = await platform.request(path, { headers: { Accept: 'application/json' } });
  return (await answer.json()) as { fields: { name: string; required: boolean }[] };
}

const shown = {
  user_id: 'ada',
  name: 'Ada',
  role: 'admin',
  profile: { bio: '', score: 7 },
  keys: [{ id: 'k' }],
};

describe('a member with a default', () => {
  it('is optional in a body and filled in, at every depth', async () => {
    const answer = await send('POST', '/users', { name: 'A', password: 'abc', profile: {} });
    expect(answer.status).toBe(201);
    expect(received).toEqual([{ name: 'A', role: 'reader', password: 'abc', profile: { bio: '' } }]);
  });

  it('is optional in a schema that operations share', async () => {
    expect((await send('POST', '/shared', { key: 'x' })).status).toBe(201);
    expect(received).toEqual([{ key: 'x', level: 1 }]);
  });

  it('is optional in a query and filled in', async () => {
    expect((await platform.request('/users')).status).toBe(200);
    expect((await platform.request('/users?limit=2')).status).toBe(200);
    expect(received).toEqual([{ limit: 5 }, { limit: 2 }]);
  });
});

describe('a readOnly member', () => {
  it('is ignored in bodies of POST, PUT and PATCH, at every depth', async () => {
    const body = { user_id: 'eve', name: 'A', password: 'abc', profile: { bio: 'b', score: 9 }, keys: [] };
    expect((await send('POST', '/users', body)).status).toBe(201);
    expect((await send('PUT', '/users/ada', { ...body, keys: [{ id: 'x', secret: 's' }] })).status).toBe(200);
    expect((await send('PATCH', '/users/ada', { user_id: 'eve', profile: { score: 9 } })).status).toBe(200);
    expect(received).toEqual([
      { name: 'A', role: 'reader', password: 'abc', profile: { bio: 'b' }, keys: [] },
      { name: 'A', role: 'reader', password: 'abc', profile: { bio: 'b' }, keys: [{ secret: 's' }] },
      { profile: {} },
    ]);
  });

  it('is rejected with 422 when the service is configured so, in code and in configuration', async () => {
    const answer = await send('POST', '/strict', { user_id: 'eve', name: 'A', password: 'abc' });
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/user_id', keyword: 'x-read-only', message: 'is read-only' },
    ]);
    const patch = await send('PATCH', '/strict/ada', { profile: { score: null } });
    expect(patch.status).toBe(422);
    expect((await send('POST', '/choice', { id: 'x' })).status).toBe(422);
    expect((await send('POST', '/choice', {})).status).toBe(200);
    expect(received).toEqual([{ name: 'x' }]);
  });
});

describe('a writeOnly member', () => {
  it.each([
    ['/users/ada', 'application/json', shown],
    ['/users', 'application/json', [shown]],
  ])('is not sent by %s as %s', async (path, accept, expected) => {
    const answer = await platform.request(path, { headers: { Accept: accept } });
    expect(await answer.json()).toEqual(expected);
  });

  it('is not sent in HAL', async () => {
    const headers = { Accept: 'application/hal+json' };
    const entity: unknown = await (await platform.request('/users/ada', { headers })).json();
    expect(entity).toEqual({ _links: { self: { href: '/users/ada' } }, ...shown });
    const list: unknown = await (await platform.request('/users', { headers })).json();
    expect(list).toMatchObject({ _embedded: { items: [{ name: 'Ada' }] } });
    expect(JSON.stringify([entity, list])).not.toMatch(/password|engine|1234|hidden/);
  });

  it('is not sent from a union in a list, nor from a shared schema', async () => {
    expect(await (await send('POST', '/choice', {})).json()).toEqual([{ kind: 'a' }, { kind: 'b', n: 1 }]);
    expect(await bodyOf(await platform.request('/shared/1'))).toEqual({ account_id: '1', level: 1 });
  });

  it('is not required when a patch is merged into a stored entity without it', async () => {
    const answer = await send('PATCH', '/users/ada', { name: 'B' });
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toEqual({ ...shown, name: 'B' });
  });

  it('is not reported by the response check', () => {
    expect(platform.log.lines.filter(({ message }) => message.includes('schema does not allow'))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('does not mark members and parameters with a default as required', async () => {
    const service = await documented('/platform/documentation/Club-v1/User');
    const required = service.fields.filter((one) => one.required).map(({ name }) => name);
    expect(required).toEqual(['name', 'password']);
    const text = await (
      await platform.request('/platform/documentation/Club-v1/User?format=markdown')
    ).text();
    expect(text).toMatch(/\| `limit` \| integer \| no \|/);
    expect(text).toMatch(/\| `role` \| string \| no \|/);
  });

  it('has readOnly members in responses only, and writeOnly members in requests only', async () => {
    const answer = await platform.request('/platform/documentation/Club-v1?format=openapi');
    const document = (await answer.json()) as {
      paths: Record<string, Record<string, never>>;
      components: { schemas: Record<string, { properties?: object; required?: string[] }> };
    };
    const { schemas } = document.components;
    const found = (name: string): (typeof schemas)[string] =>
      Object.entries(schemas).find(
        ([key, one]) => key.endsWith('Request') && name in (one.properties ?? {}),
      )?.[1] ?? {};
    const sent = found('password');
    expect(Object.keys(sent.properties ?? {})).toEqual(['name', 'role', 'password', 'profile', 'keys']);
    const { User: got } = schemas;
    const account = Object.values(schemas).find(({ properties = {} }) => 'account_id' in properties);
    expect(Object.keys(got?.properties ?? {})).toEqual(['user_id', 'name', 'role', 'profile', 'keys']);
    expect(Object.keys(account?.properties ?? {})).toEqual(['account_id', 'level']);
    expect(found('level')).toMatchObject({ properties: { level: {}, key: {} }, required: ['key'] });
    expect(JSON.stringify(document)).not.toContain('x-read-only');
  });
});
