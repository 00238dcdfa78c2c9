import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { merged } from '../../../src/framework/json-schema/merged-schema';

const ajv = new Ajv2020({ strict: false });

const few = fc.integer({ min: 0, max: 4 });
const keywords = {
  type: fc.constantFrom(
    'integer',
    'number',
    'string',
    ['integer', 'string'],
    ['number', 'null'],
    'array',
    'object',
  ),
  enum: fc.uniqueArray(fc.constantFrom(0, 1, 2.5, 'a', 'abc', null), { minLength: 1 }),
  const: fc.constantFrom(1, 'a'),
  minimum: few,
  maximum: few,
  exclusiveMaximum: few,
  minLength: few,
  maxLength: few,
  minItems: few,
  maxItems: few,
  uniqueItems: fc.boolean(),
  pattern: fc.constantFrom('^a', 'b$'),
  multipleOf: fc.constantFrom(2, 3),
  required: fc.uniqueArray(fc.constantFrom('a', 'b')),
  properties: fc.constantFrom({ a: { type: 'string' } }, { a: { minLength: 2 }, b: {} }),
  patternProperties: fc.constantFrom({ '^b': { type: 'integer' } }),
  additionalProperties: fc.boolean(),
  prefixItems: fc.constantFrom([{ const: 1 }]),
  items: fc.constantFrom({ const: 2 }, { type: 'integer' }),
  contains: fc.constantFrom({ const: 1 }),
  minContains: fc.constantFrom(0, 2),
  if: fc.constantFrom({ type: 'integer' }),
  then: fc.constantFrom({ minimum: 3 }),
  else: fc.constantFrom({ type: ['string', 'array', 'object'] }),
  allOf: fc.constantFrom([{ properties: { c: { type: 'integer' } } }], [{ prefixItems: [{ const: 1 }] }]),
  unevaluatedProperties: fc.constantFrom<unknown>(false, { type: 'string' }),
  unevaluatedItems: fc.constantFrom<unknown>(false, { type: 'integer' }),
};
/** A few keywords each: a value would seldom match more. */
const schema = fc
  .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, keywords[name]]))));
const value = fc.oneof(
  fc.constantFrom<unknown>(0, 1, 2, 2.5, 3, 6, null, '', 'a', 'ab', 'abc', 'cb', [], [1, 1], [1, 2, 3]),
  fc.constantFrom<unknown>({}, { a: 'a' }, { a: 'ab' }, { b: 1 }, { a: 'ab', b: 1 }, { c: 1 }),
);

it('allows what the target of a reference and the keywords next to it allow, and nothing else', () => {
  const compiled = new Map<string, (value: unknown) => boolean>();
  const validates = (one: object, data: unknown): boolean => {
    const key = JSON.stringify(one);
    const validate = compiled.get(key) ?? ajv.compile(one);
    compiled.set(key, validate);
    return validate(data);
  };
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 20, maxLength: 20 }), (target, own, values) => {
      const both = merged(target, own);
      const reference = { ...own, $ref: '#/$defs/target', $defs: { target } };
      // Ajv finds nothing wrong with an empty list if "contains" is next to "prefixItems".
      const isMisjudged = [both, target, own].some((one) => 'contains' in one && 'prefixItems' in one);
      const judged = values.filter((data) => !isMisjudged || JSON.stringify(data) !== '[]');
      for (const data of judged)
        expect([data, validates(both, data)]).toEqual([data, validates(reference, data)]);
    }),
  );
});

it.each([
  [{ maximum: 100, minimum: 1 }, { maximum: 50 }, { maximum: 50, minimum: 1 }],
  [{ maximum: 50 }, { maximum: 100 }, { maximum: 50 }],
  [{ type: 'number' }, { type: 'integer' }, { type: 'integer' }],
  [{ type: ['string', 'null'] }, { type: 'string' }, { type: 'string' }],
  [{ type: ['number', 'integer'] }, { type: 'integer' }, { type: 'integer' }],
  [{ enum: ['area', 'name'] }, { enum: ['name'] }, { enum: ['name'] }],
  [{ required: ['a'] }, { required: ['b'] }, { required: ['a', 'b'] }],
  [
    { pattern: 'a', type: 'string' },
    { pattern: 'b' },
    { pattern: 'a', type: 'string', allOf: [{ pattern: 'b' }] },
  ],
  [
    { properties: { a: {} } },
    { additionalProperties: false },
    { properties: { a: {} }, allOf: [{ additionalProperties: false }] },
  ],
  [
    { additionalProperties: false },
    { properties: { a: {} } },
    { additionalProperties: false, allOf: [{ properties: { a: {} } }] },
  ],
  [
    { title: 'A', properties: { a: {} }, unevaluatedProperties: false },
    { properties: { b: {} } },
    {
      title: 'A',
      properties: { b: {} },
      allOf: [{ title: 'A', properties: { a: {} }, unevaluatedProperties: false }],
    },
  ],
  [
    { properties: { a: {} } },
    { unevaluatedProperties: false },
    { properties: { a: {} }, unevaluatedProperties: false },
  ],
  [{ description: 'of the target' }, { description: 'own' }, { description: 'own' }],
])('merges %j and %j as one schema where that is possible', (target, own, expected) => {
  expect(merged(target, own)).toEqual(expected);
});

it('takes equal values for the same', () => {
  expect(merged({ enum: [0, 1], const: 0 }, { enum: [-0, 2], const: -0 })).toStrictEqual({
    enum: [0],
    const: -0,
  });
  expect(merged({ items: Type.String() }, { items: { type: 'string' } })).toStrictEqual({
    items: { type: 'string' },
  });
});
