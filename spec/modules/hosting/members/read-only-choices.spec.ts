import { Type, type TSchema } from '@sinclair/typebox';
import { Validators } from '../../../../src/modules/content-validation';
import { requestSchemas } from '../../../../src/modules/hosting/members/schema-variants';

const assigned = Type.Integer({ readOnly: true });

/** The body as a handler receives it, or the messages of its errors. */
function received(
  schema: TSchema | object,
  body: unknown,
  readOnlyMembers: 'ignore' | 'refuse' = 'ignore',
): unknown {
  const { validated } = requestSchemas(schema as TSchema, { fillsDefaults: true, readOnlyMembers });
  const checked = new Validators().forBody(validated)(body);
  return 'value' in checked
    ? checked.value
    : checked.errors.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('A member that is read-only in one branch of a union', () => {
  const stored = Type.Object({ id: assigned, kind: Type.Literal('stored') });
  const given = Type.Object({ id: Type.Integer(), kind: Type.Literal('given') });
  const item = Type.Object({ item: Type.Union([stored, given]) });

  it('is kept for another branch, which may require it', () => {
    expect(received(item, { item: { id: 5, kind: 'given' } })).toEqual({ item: { id: 5, kind: 'given' } });
  });

  it('is removed for that branch', () => {
    expect(received(item, { item: { id: 5, kind: 'stored' } })).toEqual({ item: { kind: 'stored' } });
  });
});

it('A read-only member within a member of a branch is kept for another branch', () => {
  const stored = Type.Object({ of: Type.Object({ id: assigned }), kind: Type.Literal('stored') });
  const given = Type.Object({ of: Type.Object({ id: Type.Integer() }), kind: Type.Literal('given') });
  const item = Type.Object({ item: Type.Union([stored, given]) });
  expect(received(item, { item: { of: { id: 5 }, kind: 'given' } })).toEqual({
    item: { of: { id: 5 }, kind: 'given' },
  });
  expect(received(item, { item: { of: { id: 5 }, kind: 'stored' } })).toEqual({
    item: { of: {}, kind: 'stored' },
  });
});

it('A read-only member of a part of a branch is kept for another branch', () => {
  const part = Type.Object({ id: assigned });
  const within = Type.Object({ of: part });
  const kind = (name: string) => Type.Object({ kind: Type.Literal(name) });
  const given = Type.Object({ id: Type.Integer(), kind: Type.Literal('given') });
  const item = Type.Object({ item: Type.Union([Type.Intersect([part, kind('stored')]), given]) });
  expect(received(item, { item: { id: 5, kind: 'given' } })).toEqual({ item: { id: 5, kind: 'given' } });
  expect(received(item, { item: { id: 5, kind: 'stored' } })).toEqual({ item: { kind: 'stored' } });
  const givenWithin = Type.Object({ of: Type.Object({ id: Type.Integer() }), kind: Type.Literal('given') });
  const inner = Type.Object({ item: Type.Union([Type.Intersect([within, kind('stored')]), givenWithin]) });
  const body = { item: { of: { id: 5 }, kind: 'given' } };
  expect(received(inner, structuredClone(body))).toEqual(body);
});

const NAME = Type.Object({ name: Type.String() });

it.each<[string, object, object]>([
  [
    'several of them',
    Type.Object({
      id: assigned,
      of: Type.Object({ id: assigned }),
      more: Type.Object({ id: assigned, a: NAME }),
    }),
    { id: 1, of: { id: 2 }, more: { id: 3, a: { name: 4 } } },
  ],
  [
    'own ones next to those of its parts',
    { ...NAME, allOf: [Type.Object({ id: assigned })] },
    { id: 1, name: 2 },
  ],
  [
    'those of an inner union',
    Type.Object({ of: Type.Union([Type.Object({ id: assigned }), Type.Null()]), name: Type.String() }),
    { of: { id: 1 }, name: 2 },
  ],
  ['those of a definition', { $ref: '#/$defs/Part' }, { id: 1, of: [{ id: 2, of: [] }, { id: 3 }] }],
])('Read-only members of a branch that fails are kept for another branch: %s', (_, branch, body) => {
  const Part = Type.Object({ id: assigned, of: Type.Array(Type.Unsafe({ $ref: '#/$defs/Part' })) });
  const schema = {
    type: 'object',
    properties: { item: { anyOf: [branch, { type: 'object', title: 'Any' }] } },
    $defs: { Part },
  };
  expect(received(schema, { item: structuredClone(body) })).toEqual({ item: body });
});

it('Read-only members of a branch of a union are removed from lists, parts, inner unions and definitions', () => {
  const Part = Type.Object({ id: assigned, of: Type.Array(Type.Unsafe({ $ref: '#/$defs/Part' })) });
  const branch = {
    ...NAME,
    properties: { ...NAME.properties, inner: Type.Union([Type.Object({ id: assigned }), Type.Null()]) },
    allOf: [Type.Object({ id: assigned }), { properties: { part: { $ref: '#/$defs/Part' } } }],
  };
  const schema = {
    type: 'object',
    properties: { item: { oneOf: [Type.Null(), branch] } },
    $defs: { Part },
  };
  const part = { id: 4, of: [{ id: 5, of: [] }] };
  const item = { name: 'a', id: 2, inner: { id: 3 }, part };
  expect(received(schema, { item })).toEqual({
    item: { name: 'a', inner: {}, part: { of: [{ of: [] }] } },
  });
});

it('Read-only members are removed in schemas with an $id, with references into a union, and at every depth', () => {
  const Tree = {
    $id: 'tree',
    type: 'object',
    properties: {
      id: assigned,
      of: { anyOf: [{ $ref: 'tree' }, Type.Null()] },
      same: { $ref: '#/properties/of/anyOf/0' },
    },
    required: ['of'],
  };
  const nested = (depth: number, members: object): object =>
    depth === 0 ? { ...members, of: null } : { ...members, of: nested(depth - 1, members) };
  const schema = {
    type: 'object',
    properties: { tree: { anyOf: [Tree, { type: 'object', title: 'Any' }] } },
  };
  expect(received(schema, { tree: nested(60, { id: 5 }) })).toEqual({ tree: nested(60, {}) });
  const refused = { ...nested(3, { id: 5 }), same: { id: 6, of: 'x' } };
  expect(received(schema, { tree: structuredClone(refused) })).toEqual({ tree: refused });
});

it('Members without names are kept in a branch of a union, which may fail for another member', () => {
  const open = {
    type: 'object',
    properties: { kind: { const: 'a' } },
    additionalProperties: { type: 'string', readOnly: true },
  };
  const item = { anyOf: [open, Type.Object({ kind: Type.Literal('b'), note: Type.String() })] };
  const body = { item: { kind: 'b', note: 'x' } };
  expect(received({ type: 'object', properties: { item } }, body)).toEqual(body);
});

describe('Read-only members of several members of a branch', () => {
  const part = (id: object, kind: string) =>
    Type.Object({ id: Type.Unsafe<number>(id), kind: Type.Literal(kind) });
  const stored = { from: part(assigned, 'stored'), to: part(assigned, 'stored') };
  const given = { from: part(Type.Integer(), 'stored'), to: part(Type.Integer(), 'given') };
  const end = (kind: string) => ({ id: 5, kind });

  it('are kept for another branch, which may require them', () => {
    const route = Type.Object({ route: Type.Union([Type.Object(stored), Type.Object(given)]) });
    const body = { route: { from: end('stored'), to: end('given') } };
    expect(received(route, structuredClone(body))).toEqual(body);
    expect(received(route, { route: { from: end('stored'), to: end('stored') } })).toEqual({
      route: { from: { kind: 'stored' }, to: { kind: 'stored' } },
    });
  });

  it('are kept in the items of a list', () => {
    const lists = [stored.from, Type.Union([given.from, given.to])].map((item) => Type.Array(item));
    const stops = Type.Object({ stops: Type.Union(lists) });
    const body = { stops: [end('stored'), end('given')] };
    expect(received(stops, structuredClone(body))).toEqual(body);
    expect(received(stops, { stops: [end('stored')] })).toEqual({ stops: [{ kind: 'stored' }] });
  });

  it('are kept for another branch in definitions, and the errors are those of the branch that is meant', () => {
    const schema = {
      type: 'object',
      properties: {
        route: {
          oneOf: [{ $ref: '#/$defs/Stored' }, { $ref: '#/$defs/Given' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { stored: '#/$defs/Stored', given: '#/$defs/Given' },
          },
        },
      },
      $defs: {
        Stored: { ...Type.Object({ ...stored, kind: Type.String({ pattern: '^s' }) }) },
        Given: { ...Type.Object({ ...given, kind: Type.String({ pattern: '^g' }) }) },
      },
    };
    const body = { route: { from: end('stored'), to: end('given'), kind: 'given' } };
    expect(received(schema, structuredClone(body))).toEqual(body);
    expect(received(schema, { route: { from: end('stored'), to: end('x'), kind: 'stored' } })).toEqual([
      '/route/to/kind must be "stored"',
    ]);
  });
});

it('Read-only members without names are removed for the branch of a union that has them', () => {
  const open = {
    type: 'object',
    properties: { kind: { const: 'a' } },
    additionalProperties: { type: 'string', readOnly: true },
  };
  const item = { anyOf: [open, Type.Object({ kind: Type.Literal('b'), note: Type.String() })] };
  const body = { item: { kind: 'a', note: 'x' } };
  expect(received({ type: 'object', properties: { item } }, body)).toEqual({ item: { kind: 'a' } });
});

it('A required member that matches a read-only pattern is not required of a request', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    required: ['id', 'name'],
    patternProperties: { '^id': { readOnly: true } },
  };
  expect(received(schema, { name: 'a' })).toEqual({ name: 'a' });
  expect(received(schema, { id: 5, name: 'a' })).toEqual({ name: 'a' });
});

describe('A read-only member', () => {
  it.each<[string, object]>([
    ['by a part of allOf', { type: 'object', properties: { id: { allOf: [assigned] } } }],
    ['in a union with null', Type.Object({ id: Type.Union([assigned, Type.Null()]) })],
    ['by a pattern of its name', { type: 'object', patternProperties: { '^i': assigned } }],
    ['of a record', Type.Record(Type.String(), assigned)],
  ])('%s is ignored, or refused', (_, schema) => {
    expect(received(schema, { id: 5 })).toEqual({});
    expect(received(schema, { id: 5 }, 'refuse')).toEqual([expect.stringContaining('/id ')]);
  });
});

describe('A member that a matching branch removes', () => {
  const book = {
    type: 'object',
    properties: { kind: { const: 'book', readOnly: true }, title: { type: 'string' } },
  };
  const film = { type: 'object', properties: { kind: { const: 'film' }, title: { type: 'string' } } };
  const body = { item: { kind: 'book', title: 'x' } };

  it.each([
    ['before', [book, film]],
    ['after', [film, book]],
  ])('is there for the branches of a oneOf that are tried: %s', (_, oneOf) => {
    const schema = { type: 'object', properties: { item: { oneOf } } };
    expect(received(schema, structuredClone(body))).toEqual({ item: { title: 'x' } });
  });

  it('is there for the branches of an anyOf that are tried for unevaluated members', () => {
    const stored = { properties: { id: assigned }, required: ['id'] };
    const noted = { properties: { id: { type: 'integer' }, note: { type: 'string' } }, required: ['id'] };
    for (const anyOf of [
      [stored, noted],
      [noted, stored],
    ]) {
      const item = { type: 'object', anyOf, unevaluatedProperties: false };
      expect(received({ type: 'object', properties: { item } }, { item: { id: 5, note: 'x' } })).toEqual({
        item: { note: 'x' },
      });
    }
  });

  it('is restored if an outer branch fails', () => {
    const inner = { type: 'object', properties: { of: { oneOf: [book, film] }, name: { type: 'string' } } };
    const schema = { type: 'object', properties: { item: { anyOf: [inner, { type: 'object' }] } } };
    const item = { of: body.item, name: 5 };
    expect(received(schema, structuredClone({ item }))).toEqual({ item });
    expect(received(schema, { item: { of: { ...body.item }, name: 'x' } })).toEqual({
      item: { of: { title: 'x' }, name: 'x' },
    });
  });
});

it('A member named __proto__ that is restored is not the prototype', () => {
  const open = {
    type: 'object',
    properties: { kind: { const: 'a' } },
    required: ['kind'],
    additionalProperties: { readOnly: true },
  };
  const item = { anyOf: [open, { type: 'object', properties: { kind: { const: 'b' } } }] };
  const body: unknown = JSON.parse('{"item":{"__proto__":{"isAdmin":true},"kind":"b"}}');
  const schema = { type: 'object', properties: { item } };
  const kept = received(schema, body) as { item: { isAdmin?: boolean } };
  expect(Object.getPrototypeOf(kept.item)).toBe(Object.prototype);
  expect(kept.item.isAdmin).toBeUndefined();
  expect(JSON.stringify(kept.item)).toContain('"__proto__":{"isAdmin":true}');
});
