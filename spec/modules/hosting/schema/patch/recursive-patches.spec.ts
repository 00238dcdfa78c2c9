import {
  defineApi,
  defineRestService,
  Type,
  type Module,
  type TProperties,
} from '../../../../../src/platform';
import { mergePatchSchema } from '../../../../../src/modules/hosting/schema/patch/patch-schema';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';

const reference = (name: string) => ({ $ref: `#/schemas/${name}` });
const object = (child: object, others: TProperties = {}, closed = false) =>
  Type.Object(
    {
      id: Type.String(),
      size: Type.Optional(Type.Integer()),
      child: Type.Optional(Type.Unsafe<object>(child)),
      ...others,
    },
    closed ? { additionalProperties: false } : {},
  );
const nullable = (name: string) => ({ anyOf: [reference(name), { type: 'null' }] });
const either = { oneOf: [reference('Left'), reference('Right')] };

const schemas = {
  Nullable: object(nullable('Nullable')),
  Described: object({ allOf: [reference('Described')], description: 'The next one.' }),
  Mutual: object(nullable('Other')),
  Other: object(nullable('Mutual')),
  Constrained: object({ anyOf: [{ ...reference('Constrained'), required: ['size'] }] }),
  Left: object(either, { left: Type.String() }, true),
  Right: object(either, { right: Type.String() }, true),
};

const stored = () => ({ id: '1', left: 'b', child: { id: '2', size: 2, left: 'a' } });

const service = (name: keyof typeof schemas) =>
  defineRestService({
    route: `/${name.toLowerCase()}[/:id]`,
    route_identifier_name: 'id',
    fields: schemas[name],
    resource: {
      fetchAll: () => [stored()],
      fetch: stored,
      patch: (_id, data, { merge }) => merge(stored(), data),
    },
    collection: { GET: {} },
    entity: { GET: {}, PATCH: {} },
  });

const names = ['Nullable', 'Described', 'Mutual', 'Constrained', 'Left'] as const;

const module_: Module = {
  name: 'trees',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Trees',
      versions: { 1: { schemas, services: Object.fromEntries(names.map((name) => [name, service(name)])) } },
    }),
  ],
};

describe('a recursive schema in a composition', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [module_],
    });
  });
  afterAll(() => platform.stop());

  const patch = (name: string, body: unknown) =>
    platform.request(`/${name.toLowerCase()}/1`, sendJson(body, 'PATCH'));

  it.each(names)('is patched at every level: %s', async (name) => {
    const answer = await patch(name, { child: { size: 3, child: { id: '3', size: 4, left: 'c' } } });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { id: '1', child: { id: '2', size: 3, child: { id: '3', size: 4 } } },
    ]);
  });

  it.each(names)('is validated at every level: %s', async (name) => {
    const statuses = [
      { child: { child: { size: 'x' } } },
      { child: { child: { id: null } } },
      { child: { id: null } },
      { id: null },
    ].map(async (body) => (await patch(name, body)).status);
    expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422]);
  });

  it('requires in a branch what is required next to its reference', async () => {
    expect((await patch('Constrained', { child: { size: null } })).status).toBe(422);
    expect((await patch('Nullable', { child: { size: null } })).status).toBe(200);
  });

  it('may change to another branch of a union', async () => {
    const answer = await patch('Left', { child: { left: null, right: 'b' } });
    expect(await answer.json()).toEqual({ id: '1', left: 'b', child: { id: '2', size: 2, right: 'b' } });
    expect((await patch('Left', { child: { other: null } })).status).toBe(422);
  });

  it.each(['?format=json', ...names.map((name) => `/${name}`)])('is documented: %s', async (path) => {
    const answer = await platform.request(`/platform/documentation/Trees${path}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('child');
  });
});

it('A merge patch of nested unions of references grows with their number of levels', () => {
  const chain = (levels: number) =>
    Type.Unsafe<object>({
      type: 'object',
      properties: { a: { anyOf: [{ $ref: '#/$defs/L1' }, { type: 'null' }] } },
      $defs: Object.fromEntries(
        Array.from({ length: levels }, (_, at) => {
          const next = { anyOf: [{ $ref: `#/$defs/L${at + 1}` }, { type: 'null' }] };
          return [`L${at}`, { type: 'object', properties: at + 1 < levels ? { a: next, b: next } : {} }];
        }),
      ),
    });
  const sizeOf = (levels: number): number => JSON.stringify(mergePatchSchema(chain(levels))).length;
  expect(sizeOf(16)).toBeLessThan(3 * sizeOf(8));
});
