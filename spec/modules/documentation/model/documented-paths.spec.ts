import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
} from '../../../../src/platform';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import { sampleCall } from '../../../../src/modules/documentation/samples/sample-call';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const Land = defineRestService({
  route: String.raw`/länder[/:id([0-9]\d+)]`,
  route_identifier_name: 'id',
  resource: { fetch: () => ({ id: '42' }), fetchAll: () => [] },
  fields: Type.Object({ id: Type.String({ examples: ['42'] }) }),
  parameters: { id: Type.String({ examples: ['42'] }) },
  collection: { GET: { authorization: 'guest' } },
  entity: { GET: { authorization: 'guest' } },
});

const Year = defineRpcService({
  route: String.raw`/years/:year(\d{4}|now)[/:half([\w-.])]`,
  methods: { GET: defineProcedure({ authorization: 'guest', handler: () => ({}) }) },
});

const Lake = defineRestService({
  route: '/lakes/:land/all[/:lake_id]',
  route_identifier_name: 'lake_id',
  resource: { fetch: () => ({ id: 7 }) },
  entity_identifier_name: 'id',
  fields: Type.Object({
    id: Type.Integer({ description: 'Assigned by the server.', examples: [7] }),
    land: Type.Optional(Type.String({ description: 'Of another land.', examples: ['x'] })),
  }),
  entity: { GET: { authorization: 'guest' } },
});

let platform: TestPlatform;
beforeAll(async () => {
  const api = defineApi({ name: 'A', versions: { 1: { services: { Land, Lake, Year } } } });
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [{ name: 'own', requires: ['hosting'], apis: [api] }],
  });
});
afterAll(() => platform.stop());

interface PathItem {
  readonly get: {
    readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
    readonly responses: object;
  };
}

async function documentedPaths(): Promise<Readonly<Record<string, PathItem>>> {
  const response = await platform.request('/platform/documentation/A?format=apidesc');
  return ((await response.json()) as { paths: Record<string, PathItem> }).paths;
}

it('documents the paths of a route with a constraint without it, and encoded', async () => {
  expect(Object.keys(await documentedPaths())).toEqual([
    '/v1/l%C3%A4nder',
    '/v1/l%C3%A4nder/{id}',
    '/v1/lakes/{land}/all/{lake_id}',
    '/v1/years/{year}',
    '/v1/years/{year}/{half}',
  ]);
});

it('documents an identifier without a declaration by its field, as a text, and no other parameter', async () => {
  const { get } = (await documentedPaths())['/v1/lakes/{land}/all/{lake_id}'] ?? {};
  expect(get?.parameters).toMatchObject([
    { name: 'land', schema: { type: 'string' } },
    { name: 'lake_id', description: 'Assigned by the server.', schema: { type: 'string', examples: ['7'] } },
  ]);
  expect(get?.parameters?.[0]).toEqual({
    name: 'land',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  });
  // An entity with the example of a field need not exist.
  expect(get?.parameters?.[1]).not.toHaveProperty('example');
});

it('documents a constraint as a pattern, and the 404 of other values', async () => {
  const paths = await documentedPaths();
  const schemaOf = (name: string): unknown =>
    Object.values(paths)
      .flatMap(({ get }) => get.parameters ?? [])
      .filter((one) => one.name === name)
      .at(-1)?.schema;
  expect(schemaOf('id')).toEqual({ type: 'string', pattern: String.raw`^(?:[0-9]\d+)$` });
  expect(schemaOf('year')).toEqual({ type: 'string', pattern: String.raw`^(?:\d{4}|now)$` });
  // JSON Schema does not allow this expression.
  expect(schemaOf('half')).toEqual({ type: 'string' });
  expect(paths['/v1/years/{year}']?.get.responses).toHaveProperty('404');
  expect(paths['/v1/l%C3%A4nder']?.get.responses).not.toHaveProperty('404');
  for (const [path, status] of [
    ['/v1/years/1999', 200],
    ['/v1/years/now', 200],
    ['/v1/years/99', 404],
    ['/v1/l%C3%A4nder/x', 404],
  ] as const)
    expect([path, (await platform.request(path)).status]).toEqual([path, status]);
});

it('has samples whose encoded path is that of the operation', async () => {
  const documentation = await platform.application.services.get(Documentation);
  const service = documentation.listFor({ isGuest: true }).getApis()[0]!.getServices()[0]!;
  const { path } = sampleCall(service, service.getEntityOperations()[0]!);
  expect(path).toBe('/v1/l%C3%A4nder/42');
  expect((await fetch(platform.origin + path)).status).toBe(200);
});
