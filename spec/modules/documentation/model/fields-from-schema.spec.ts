import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import type { FieldData } from '../../../../src/modules/documentation/model/data';
import { fieldsFromSchema } from '../../../../src/modules/documentation/model/fields-from-schema';

const names = (fields: readonly FieldData[] | undefined) => (fields ?? []).map((field) => field.name);
const types = (fields: readonly FieldData[]) => fields.map((field) => field.type);

describe('fieldsFromSchema', () => {
  it('reads name, description, type, example and required', () => {
    const schema = Type.Object({
      name: Type.String({ description: 'What it is called', examples: ['Bern'] }),
      size: Type.Optional(Type.Integer({ minimum: 0 })),
    });
    expect(JSON.parse(JSON.stringify(fieldsFromSchema(schema)))).toEqual([
      {
        name: 'name',
        description: 'What it is called',
        required: true,
        type: 'string',
        schema: { type: 'string', description: 'What it is called', examples: ['Bern'] },
        example: 'Bern',
      },
      {
        name: 'size',
        description: '',
        required: false,
        type: 'integer',
        schema: { type: 'integer', minimum: 0 },
      },
    ]);
  });

  it('keeps an example of null, and of an empty list', () => {
    const [a, b] = fieldsFromSchema({
      properties: { a: { examples: [null] }, b: { type: 'array', examples: [[]] } },
    });
    expect(a?.example).toBeNull();
    expect(b?.example).toEqual([]);
  });

  it('nests objects, arrays of objects, and maps', () => {
    const inner = Type.Object({ code: Type.String() });
    const fields = fieldsFromSchema(
      Type.Object({ one: inner, many: Type.Array(inner), map: Type.Record(Type.String(), inner) }),
    );
    expect(fields.map((field) => names(field.fields))).toEqual([['code'], ['code'], ['code']]);
    expect(types(fields)).toEqual(['object', 'array of object', 'map of object']);
  });

  it('merges the members of intersections and unions', () => {
    const a = Type.Object({ a: Type.String() });
    const b = Type.Object({ b: Type.Number() });
    expect(names(fieldsFromSchema(Type.Intersect([a, b])))).toEqual(['a', 'b']);
    const [field] = fieldsFromSchema(Type.Object({ either: Type.Union([a, Type.Null()]) }));
    expect(field?.type).toBe('object or null');
    expect(names(field?.fields)).toEqual(['a']);
  });

  it('requires a member of a union if all branches do, and merges different schemas', () => {
    const pet = (kind: string, own: string) =>
      Type.Object({
        kind: Type.Literal(kind),
        [own]: Type.String(),
        name: Type.String({ description: 'N' }),
      });
    for (const choice of [
      Type.Union([pet('cat', 'meow'), pet('dog', 'bark')]),
      { oneOf: [pet('cat', 'meow'), pet('dog', 'bark'), { type: 'null' }] },
    ]) {
      const fields = fieldsFromSchema(choice);
      expect(fields.map(({ name, required }) => [name, required])).toEqual([
        ['kind', true],
        ['meow', false],
        ['name', true],
        ['bark', false],
      ]);
      expect(fields[0]).toMatchObject({
        type: 'string',
        schema: { anyOf: [{ const: 'cat' }, { const: 'dog' }] },
      });
      expect(fields[2]).toMatchObject({ description: 'N', schema: { type: 'string' } });
    }
    const either = Type.Union([Type.Object({ a: Type.String() }), Type.Object({})]);
    expect(fieldsFromSchema(either)[0]?.required).toBe(false);
  });

  it('merges nested intersections and unions', () => {
    const $defs = {
      Base: { properties: { kind: { type: 'string' }, name: {} }, required: ['kind'] },
      Cat: { allOf: [{ $ref: '#/$defs/Base' }, { properties: { kind: { const: 'cat' }, lives: {} } }] },
      Dog: { allOf: [{ $ref: '#/$defs/Base' }, { properties: { tail: {} }, required: ['name'] }] },
      Pet: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }], required: ['name'] },
    };
    const fields = fieldsFromSchema({ allOf: [{ $ref: '#/$defs/Pet' }, { properties: { age: {} } }], $defs });
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['kind', true],
      ['name', true],
      ['lives', false],
      ['tail', false],
      ['age', false],
    ]);
  });

  it('describes nullable objects like others', () => {
    const money = Type.Object({}, { description: 'Money.', examples: [{}] });
    const [field] = fieldsFromSchema(Type.Object({ price: Type.Union([money, Type.Null()]) }));
    expect(field).toMatchObject({ description: 'Money.', example: {} });
  });

  it('limits exponential and recursive unions', () => {
    const choice = (name: string) =>
      Array.from({ length: 50 }, () => ({ $ref: `#/$defs/${name}`, title: 'T' }));
    const levels = Array.from(
      { length: 12 },
      (_, at) => [`L${at + 1}`, { anyOf: choice(`L${at}`) }] as const,
    );
    const L0 = { properties: { a: { type: 'string' } }, anyOf: choice('L12') };
    const $defs = { ...Object.fromEntries(levels), L0 };
    expect(names(fieldsFromSchema({ $ref: '#/$defs/L12', $defs }))).toEqual(['a']);
  });

  it.each([
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ enum: ['a', 'b'] }, 'string'],
    [{ const: 1 }, 'number'],
    [{ enum: ['a', null] }, 'string or null'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'string'],
    [{ type: 'array' }, 'array'],
    [{}, 'any'],
    [true, 'any'],
  ])('names the type of %j', (property, type) => {
    expect(types(fieldsFromSchema({ properties: { property } }))).toEqual([type]);
  });

  it('describes the items of an array schema', () => {
    expect(names(fieldsFromSchema(Type.Array(Type.Object({ a: Type.String() }))))).toEqual(['a']);
  });

  it('returns none for other types', () => {
    expect(fieldsFromSchema({ type: 'string' })).toEqual([]);
  });

  it('resolves references to definitions, and keeps a description next to one', () => {
    const [field] = fieldsFromSchema({
      properties: { home: { $ref: '#/$defs/Address', description: 'Where they live' } },
      $defs: { Address: { type: 'object', properties: { street: { type: 'string' } } } },
    });
    expect(field).toMatchObject({ type: 'object', description: 'Where they live' });
    expect(names(field?.fields)).toEqual(['street']);
  });

  it('includes the definitions that a field refers to', () => {
    const $defs = { Code: { type: 'string' } };
    const [field] = fieldsFromSchema({
      properties: { codes: { type: 'array', items: { $ref: '#/$defs/Code' } } },
      $defs,
    });
    expect(field?.schema).toEqual({ type: 'array', items: { $ref: '#/$defs/Code' }, $defs });
    expect(field?.type).toBe('array of string');
  });

  it('ends at recursive types', () => {
    const node = Type.Recursive((self) => Type.Object({ name: Type.String(), children: Type.Array(self) }));
    const [, children] = fieldsFromSchema(node);
    expect(children?.type).toBe('array of object');
    expect(children?.fields).toBeUndefined();
  });

  it('ends at circular or unresolvable references', () => {
    const $defs = { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } };
    const properties = { a: { $ref: '#/$defs/A' }, b: { $ref: 'https://example.org/other' } };
    expect(types(fieldsFromSchema({ properties, $defs }))).toEqual(['any', 'any']);
  });

  /** An object with ten members on each level. */
  const multiplying = (levels: number, leaf: object = { type: 'string' }): Record<string, unknown> => {
    const members = (inner: unknown): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`m${at}`, inner]));
    const $defs = Object.fromEntries(
      Array.from({ length: levels }, (_, at) => {
        const inner = at === 0 ? leaf : { $ref: `#/$defs/L${at}` };
        return [`L${at + 1}`, { type: 'object', properties: members(inner) }];
      }),
    );
    return { $ref: `#/$defs/L${levels}`, $defs };
  };
  const countOf = (fields: readonly FieldData[]): number =>
    fields.reduce((count, { fields: inner = [] }) => count + 1 + countOf(inner), 0);

  it('limits the levels of an exponential tree, and marks where it is cut', () => {
    for (const leaf of [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]) {
      const fields = fieldsFromSchema(multiplying(8, leaf));
      expect(countOf(fields)).toBe(110);
      expect(fields[0]?.cut).toBeUndefined();
      expect(fields[0]?.fields?.map(({ cut }) => cut)).toEqual(Array(10).fill(true));
    }
    // Nothing below the second level, so it is not cut.
    expect(fieldsFromSchema(multiplying(2))[0]?.fields?.[0]?.cut).toBeUndefined();
  });

  it('marks a list whose items are cut, and a tree of nine levels', () => {
    const list = { type: 'array', items: multiplying(4) };
    const [field] = fieldsFromSchema({ properties: { list }, $defs: list.items.$defs });
    expect(countOf(field?.fields ?? [])).toBe(110);
    const deep = (levels: number): Record<string, unknown> =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
    let [at] = fieldsFromSchema(deep(12));
    while (at?.fields !== undefined) [at] = at.fields;
    expect(at?.cut).toBe(true);
  });

  it('keeps all fields of the first level', () => {
    const inner = Type.Object({ a: Type.String() });
    const properties = Array.from({ length: 4_000 }, (_, at) => [`f${at}`, inner] as const);
    const fields = fieldsFromSchema(Type.Object(Object.fromEntries(properties)));
    expect(fields).toHaveLength(4_000);
    expect(fields[0]?.cut).toBe(true);
  });

  it('describes what a list of types has, except for types, as any', () => {
    const invalid: unknown = Object.create(null);
    const schema = { type: 'object', properties: { name: { type: ['string', invalid] } } };
    expect(fieldsFromSchema(schema).map(({ type }) => type)).toEqual(['string or any']);
  });

  it('does not throw for any JSON object', () => {
    const keyword = fc.constantFrom(
      'properties',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      'type',
      'required',
      '$defs',
    );
    const { schema } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('object', '#', '#/properties/a', '#/$defs', 'array', null, 1, true),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('schema'),
      ),
      schema: fc.dictionary(fc.oneof(keyword, fc.constant('a')), tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(schema, (value) => {
        expect(Array.isArray(fieldsFromSchema(Object(value) as Record<string, unknown>))).toBe(true);
      }),
    );
  });
});

it('has the members of a reference and those next to it', () => {
  const Person = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['age'],
  };
  const owner = {
    $ref: '#/$defs/Person',
    properties: { role: { type: 'string' } },
    required: ['role', 'name'],
  };
  const schema = { type: 'object', properties: { owner }, $defs: { Person } };
  const [field] = fieldsFromSchema(schema);
  expect(field?.fields?.map(({ name, required }) => [name, required])).toEqual([
    ['name', true],
    ['age', true],
    ['role', true],
  ]);
});
