import { describeSchema } from '../../../../../src/modules/documentation/model/schema/describe-schema';
import {
  constraintLabel,
  constraintValue,
} from '../../../../../src/modules/documentation/model/schema/constraints';
import type { SchemaDescription } from '../../../../../src/modules/documentation/model/schema/description';
import { typeText } from '../../../../../src/modules/documentation/model/schema/type-text';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const Cat = object({ kind: { const: 'cat' }, lives: { type: 'integer' } }, { required: ['kind'] });
const Dog = object(
  { kind: { const: 'dog' }, tricks: { type: 'array', items: text } },
  { required: ['kind'] },
);

const namesOf = ({ members }: SchemaDescription): readonly string[] => members.map(({ name }) => name);
const memberOf = ({ members }: SchemaDescription, name: string): SchemaDescription =>
  members.find((member) => member.name === name)!.schema;
const constraintsOf = (schema: object): readonly string[] =>
  describeSchema(schema).constraints.map((one) =>
    [constraintLabel(one), ...one.values.map((value) => constraintValue(one, value))].join(' '),
  );

it('describes a schema with more parts than a call has arguments', () => {
  expect(describeSchema({ allOf: Array.from({ length: 150_000 }, () => ({ type: 'integer' })) }).isCut).toBe(
    true,
  );
});

describe('typeText', () => {
  it.each([
    [{}, 'any'],
    [{ type: 'array', items: { type: 'array', items: text } }, 'array of array of string'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'array of (string or null)'],
    [{ type: ['array', 'null'], items: text }, 'array of string or null'],
    [{ anyOf: [{ type: 'integer' }, text, { type: 'null' }] }, 'integer or string or null'],
    [{ enum: ['a', 1, null] }, 'string or number or null'],
    [{ oneOf: [{ anyOf: [text] }, { type: 'null' }] }, 'string or null'],
    [{ oneOf: [{ anyOf: [text, { type: 'integer' }] }, { type: 'null' }] }, 'string or integer or null'],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'string'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map of integer'],
    [{ oneOf: [Cat, Dog] }, 'cat or dog'],
    [{ allOf: [{ type: 'number' }, { type: 'integer' }] }, 'integer'],
    [{ allOf: [text, { type: 'integer' }] }, 'no value'],
    [{ not: {} }, 'no value'],
    [{ $ref: '#/$defs/Cat', $defs: { Cat } }, 'object (Cat)'],
    [
      { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Cat' }, { type: 'null' }] }, $defs: { Cat } },
      'array of (object (Cat) or null)',
    ],
  ])('returns the type of %j', (schema, words) => {
    expect(typeText(describeSchema(schema))).toBe(words);
  });
});

describe('describeSchema', () => {
  it('has the items of arrays at every depth', () => {
    const { items } = describeSchema({
      type: 'array',
      items: object({ list: { type: 'array', items: Cat } }),
    });
    expect(namesOf(memberOf(items!, 'list').items!)).toEqual(['kind', 'lives']);
  });

  it('has separate alternatives, with their discriminator', () => {
    const { unions, members } = describeSchema({ oneOf: [Cat, Dog] });
    expect(members).toEqual([]);
    const [union] = unions;
    expect([union?.kind, union?.discriminator]).toEqual(['one', 'kind']);
    expect(union?.alternatives.map(({ label, schema }) => [label, namesOf(schema)])).toEqual([
      ['cat', ['kind', 'lives']],
      ['dog', ['kind', 'tricks']],
    ]);
  });

  it('has unique labels of alternatives, from the schema name, the title or required members', () => {
    const schema = {
      anyOf: [
        { $ref: '#/$defs/Cat' },
        { ...Dog, title: 'A dog' },
        { required: ['name'] },
        text,
        { ...text, minLength: 1 },
      ],
      properties: { name: text },
      $defs: { Cat: object({ lives: text }) },
    };
    const [union] = describeSchema(schema).unions;
    expect(union?.alternatives.map(({ label }) => label)).toEqual([
      'Cat',
      'A dog',
      'with name',
      'string',
      'string (2)',
    ]);
    // The required member is declared by the enclosing schema.
    expect(typeText(memberOf(union!.alternatives[2]!.schema, 'name'))).toBe('string');
  });

  it('merges the parts of allOf', () => {
    const joined = describeSchema({
      allOf: [Cat, object({ name: { ...text, readOnly: true } })],
      required: ['name'],
    });
    expect(namesOf(joined)).toEqual(['kind', 'lives', 'name']);
    expect(joined.members[2]).toMatchObject({ isRequired: true, schema: { flags: ['read-only'] } });
  });

  it('has annotations, defaults and choices', () => {
    const { flags } = describeSchema({ deprecated: true, readOnly: true, writeOnly: true });
    expect(flags).toEqual(['read-only', 'write-only', 'deprecated']);
    expect(constraintsOf({ enum: ['1', 1, null], default: '1' })).toEqual([
      'One of "1" 1 null',
      'Default "1"',
    ]);
    expect(constraintsOf({ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] })).toEqual([
      'One of "a" "b" null',
    ]);
    expect(constraintsOf({ type: 'array', minItems: 1, maxItems: 2, uniqueItems: true })).toEqual([
      'At least 1 item',
      'At most 2 items',
      'Unique items',
    ]);
    expect(constraintsOf({ pattern: '^a', format: 'date', minimum: 1 })).toEqual([
      'Format date',
      'Matches ^a',
      'At least 1',
    ]);
    expect(constraintsOf({ if: Cat, then: Dog })).toEqual(['Further rules in the schema: if']);
  });

  it('has members with free names, and whether others are allowed', () => {
    const { values, isClosed } = describeSchema(object({}, { additionalProperties: Cat }));
    expect([values.map(({ schema }) => namesOf(schema)), isClosed]).toEqual([[['kind', 'lives']], false]);
    expect(describeSchema(object({}, { additionalProperties: false })).isClosed).toBe(true);
    const [pattern] = describeSchema({ patternProperties: { '^x-': text } }).values;
    expect(pattern?.pattern).toBe('^x-');
  });

  it('has the name of a recursive schema', () => {
    const Tree = object({ children: { type: 'array', items: { $ref: '#/$defs/Tree' } } });
    const inner = memberOf(describeSchema({ $ref: '#/$defs/Tree', $defs: { Tree } }), 'children').items;
    expect(inner).toMatchObject({ name: 'Tree', isReference: true, members: [] });
    const own = memberOf(describeSchema(object({ self: { $ref: '#' } }, { title: 'Node' })), 'self');
    expect(own).toMatchObject({ name: 'Node', isReference: true });
  });

  it('merges the places of lists that apply together', () => {
    const merged = describeSchema({
      prefixItems: [true, text],
      allOf: [{ prefixItems: [{ type: 'string', minLength: 2 }] }],
    });
    expect(merged.places.map(({ types, constraints }) => [types, constraints.length])).toEqual([
      [['string'], 1],
      [['string'], 0],
    ]);
  });

  it('ends for a schema that grows endlessly', () => {
    const Base = object({ next: { allOf: [{ $ref: '#/$defs/Base' }, object({ more: text })] } });
    const next = memberOf(describeSchema({ $ref: '#/$defs/Base', $defs: { Base } }), 'next');
    expect(memberOf(next, 'next')).toMatchObject({ isCut: true, members: [] });
  });

  it('links to schemas that are described elsewhere', () => {
    const schema = { type: 'array', items: { $ref: '#/$defs/Cat' }, $defs: { Cat } };
    const { items } = describeSchema(schema, {
      refer: ({ name }) => (name === 'Cat' ? { name, link: '#schema-Cat' } : undefined),
    });
    expect(items).toMatchObject({ name: 'Cat', link: '#schema-Cat', isReference: true, members: [] });
  });

  it('keeps the upper levels of a large schema, with the number of omitted members', () => {
    const wide = (count: number, member: object) =>
      object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, member])));
    const large = describeSchema(wide(10, wide(10, text)), { most: 30 });
    expect(large.members.map(({ schema }) => schema.members.length)).toEqual([
      10, 10, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect([large.more, memberOf(large, 'm2').more]).toEqual([0, 10]);
    expect(describeSchema(wide(4_000, text)).more).toBe(3_700);
  });
});
