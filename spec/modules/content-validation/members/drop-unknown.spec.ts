import { Type, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';

const closed = { additionalProperties: false };
const PART = { type: 'object', properties: { a: {} } };

const dropped = (schema: TSchema | object, value: unknown): unknown => {
  const checked = new Validators().forBody(schema, 'drop')(value);
  return 'value' in checked ? checked.value : checked.errors.map(({ pointer }) => pointer);
};

describe('Unknown members of a body are removed', () => {
  it('at every depth, in lists and through references', () => {
    const tree = {
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            trees: { type: 'array', items: { $ref: '#/$defs/Tree' } },
          },
          additionalProperties: false,
        },
      },
    };
    const sent = { name: 'a', size: 1, trees: [{ name: 'b', trees: [{ colour: 'red' }] }] };
    expect(dropped(tree, sent)).toEqual({ name: 'a', trees: [{ name: 'b', trees: [{}] }] });
    expect(sent.trees[0]).toEqual({ name: 'b', trees: [{ colour: 'red' }] });
  });

  it('unless a pattern or the schema of other members declares them', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' } },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    };
    expect(dropped(schema, { id: 1, 'x-a': 'b', y: 'c' })).toEqual({ id: 1, 'x-a': 'b' });
    const open = { ...schema, additionalProperties: { type: 'boolean' } };
    expect(dropped(open, { id: 1, y: true })).toEqual({ id: 1, y: true });
    expect(dropped(open, { id: 1, y: 2 })).toEqual(['/y']);
    expect(dropped({ type: 'object' }, { any: { thing: 1 } })).toEqual({ any: { thing: 1 } });
  });

  it.each([
    [{ patternProperties: { '^x': {} } }, { x1: 1, y: 2 }, { x1: 1 }],
    [{ additionalProperties: PART }, { k: { a: 1, b: 2 } }, { k: { a: 1 } }],
    [{ unevaluatedProperties: PART }, { k: { a: 1, b: 2 } }, { k: { a: 1 } }],
    [{ items: PART }, [{ a: 1, b: 2 }], [{ a: 1 }]],
    [{ prefixItems: [PART] }, [{ a: 1, b: 2 }, { b: 2 }], [{ a: 1 }, { b: 2 }]],
    [{ oneOf: [{ ...PART, required: ['a'] }, { required: ['b'] }] }, { a: 1, c: 3 }, { a: 1, c: 3 }],
    [{ oneOf: [{ ...PART, required: ['a'] }, { type: 'string' }] }, { a: 1, c: 3 }, { a: 1 }],
    [
      { ...PART, anyOf: [{}, { properties: { b: {} } }] },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [
      { ...PART, allOf: [true, { properties: { b: {} } }] },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [{ allOf: [{ anyOf: [{}, PART] }] }, { b: 2 }, { b: 2 }],
    [{ allOf: [{ $ref: '#/$defs/Part' }], $defs: { Part: PART } }, { a: 1, b: 2 }, { a: 1 }],
    [{ ...PART, $ref: '#/$defs/Any', $defs: { Any: {} } }, { a: 1, b: 2 }, { a: 1 }],
  ])('by what %j declares', (schema, sent, expected) => {
    expect(dropped(schema, sent)).toEqual(expected);
  });

  it('and values of another type are reported as sent', () => {
    const schema = Type.Object({
      one: Type.Object({ a: Type.Integer() }, closed),
      list: Type.Array(Type.String()),
    });
    expect(dropped(schema, { one: [{ a: 1 }], list: { b: 2 } })).toEqual(['/one', '/list']);
    expect(dropped(schema, { one: 'text', list: [1] })).toEqual(['/one', '/list/0']);
  });

  it('but not those that another branch of a union declares', () => {
    const cash = Type.Object({ kind: Type.Literal('cash'), tip: Type.Optional(Type.Number()) }, closed);
    const card = Type.Object({ kind: Type.Literal('card'), number: Type.String() }, closed);
    const schema = Type.Object({ paid: Type.Union([cash, card]) });
    expect(dropped(schema, { paid: { kind: 'card', number: '4711', colour: 'red' } })).toEqual({
      paid: { kind: 'card', number: '4711' },
    });
    expect(dropped(schema, { paid: { kind: 'cash', tip: 1, colour: 'red' } })).toEqual({
      paid: { kind: 'cash', tip: 1 },
    });
  });

  it.each([
    [
      'if, then and else',
      {
        if: { properties: { kind: { const: 'a' } } },
        then: { properties: { a: {} } },
        else: { properties: { b: {} } },
      },
    ],
    ['allOf', { allOf: [{ properties: { kind: {}, a: {} } }, { properties: { b: {} } }] }],
    [
      'dependentSchemas',
      { properties: { kind: {} }, dependentSchemas: { kind: { properties: { a: {}, b: {} } } } },
    ],
  ])('nor those that a part of %s declares', (_keywords, schema) => {
    expect(dropped({ type: 'object', ...schema }, { kind: 'c', a: 1, b: 2, c: 3 })).toEqual({
      kind: 'c',
      a: 1,
      b: 2,
    });
  });

  it('so that a body of any branch is accepted with members of no branch', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-m]$/), { minLength: 1, maxLength: 4 });
    const unknown = fc.dictionary(fc.stringMatching(/^[n-z]$/), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        unknown,
        fc.boolean(),
        (branches, at, more, isForm) => {
          const schema = {
            type: 'object',
            anyOf: branches.map((branch, index) => ({
              properties: {
                kind: { const: `${index}` },
                ...Object.fromEntries(branch.map((name): [string, object] => [name, { type: 'string' }])),
              },
              required: ['kind', ...branch],
              additionalProperties: false,
            })),
          };
          const index = at % branches.length;
          const members = (branches[index] ?? []).map((name): [string, string] => [name, name]);
          const body: Record<string, string> = { kind: `${index}`, ...Object.fromEntries(members) };
          const validators = new Validators();
          const validate = isForm ? validators.forForm(schema, 'drop') : validators.forPatch(schema, 'drop');
          const texts = Object.fromEntries(
            Object.entries(more).map(([name, value]) => [name, JSON.stringify(value)]),
          );
          expect(validate({ ...(isForm ? texts : more), ...body })).toEqual({ value: body });
        },
      ),
    );
  });

  it('also where their names are those of every object', () => {
    const body: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"name":"a"}');
    const value = dropped(Type.Object({ name: Type.String() }, closed), body);
    expect(JSON.stringify(value)).toBe('{"name":"a"}');
    const kept = dropped(Type.Object({ __proto__x: Type.Optional(Type.String()) }), { __proto__x: 'a' });
    expect(kept).toEqual({ __proto__x: 'a' });
  });

  it('from a recursive union whose branches have the same member', () => {
    const tree = {
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: {
          anyOf: ['a', 'b', 'c'].map((kind) => ({
            type: 'object',
            properties: {
              kind: { const: kind },
              [kind]: { type: 'string' },
              next: { $ref: '#/$defs/Tree' },
              list: { type: 'array', items: { $ref: '#/$defs/Tree' } },
            },
          })),
        },
      },
    };
    const sent = { kind: 'a', a: '1', z: 1, next: { kind: 'b', b: '2', z: 2, list: [{ kind: 'c', z: 3 }] } };
    expect(dropped(tree, sent)).toEqual({
      kind: 'a',
      a: '1',
      next: { kind: 'b', b: '2', list: [{ kind: 'c' }] },
    });
  });

  it('but not those that one of several matching patterns declares', () => {
    const having = (name: string): object => ({ type: 'object', properties: { [name]: {} } });
    const schema = {
      type: 'object',
      properties: { meta: having('a') },
      patternProperties: { '^m': having('b'), '^x': having('a'), '^xy': having('c') },
    };
    const value = { meta: { a: 1, b: 2 }, xy: { a: 1, c: 3 } };
    expect(dropped(schema, value)).toEqual(value);
    expect(dropped(schema, { meta: { a: 1, b: 2, z: 3 }, x: { a: 1, c: 3 } })).toEqual({
      meta: { a: 1, b: 2 },
      x: { a: 1 },
    });
  });
});
