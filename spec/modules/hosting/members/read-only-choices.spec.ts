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
