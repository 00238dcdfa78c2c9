import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';
import { Type } from '../../../../src/platform';
import { anyText } from '../../../factories/any-text';

const validators = new Validators();

/** Parameters of every kind: those that a reader converts, and those that it leaves to the validator. */
const MEMBERS: readonly object[] = [
  { type: 'integer' },
  { type: 'integer', minimum: -5, maximum: 100, default: 7 },
  { type: 'integer', default: '7' },
  { type: 'integer', enum: [1, 2, 1e14] },
  { type: 'integer', format: 'int32', maximum: 1e12, default: 7.5 },
  { type: 'integer', format: 'date' },
  { type: 'number', const: 0, description: 'Zero.' },
  { type: 'boolean', const: true, default: false },
  { type: 'number' },
  { type: 'number', multipleOf: 0.5, exclusiveMaximum: 50 },
  { type: 'boolean' },
  { type: 'boolean', default: false },
  { type: 'string' },
  { type: 'string', minLength: 1, maxLength: 3 },
  { type: 'string', minLength: 2, maxLength: 2, default: '😀😀' },
  { type: 'string', const: 'a', format: 'unknown' },
  { type: 'string', pattern: '^[a-z ]*$', default: 'a' },
  { type: 'string', format: 'date' },
  { type: 'string', 'x-sort-by': ['a', 'b'] },
  { type: 'string', enum: ['a', '1', ''] },
  { enum: ['a', 'b'] },
  { enum: ['a', 1] },
  { const: 'a' },
  { anyOf: [{ const: 'a', type: 'string' }, { const: '2' }], default: 'a' },
  { anyOf: [{ type: 'integer' }, { const: 'all' }] },
  { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
  { anyOf: [{ type: 'integer' }], default: '3' },
  { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  { type: ['integer', 'null'] },
  { type: ['string', 'null'], enum: ['a', null] },
  { type: 'null' },
  { type: 'array', items: { type: 'integer' } },
  { type: 'array', items: { type: 'string', maxLength: 2 }, minItems: 2, uniqueItems: true },
  { type: 'array', items: { type: 'boolean' }, default: [true] },
  { type: 'array', items: { type: 'string', enum: ['a', 'b'], default: 'a' }, minItems: 1, maxItems: 2 },
  { type: 'array', items: { type: 'number', maximum: 3 }, uniqueItems: false },
  { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  { type: 'array' },
  { type: 'object' },
  { $ref: '#/$defs/Day' },
  { allOf: [{ type: 'integer' }] },
  { type: 'integer', nullable: true },
  { not: { const: 'a' } },
  {},
];

const DEFINITIONS = { Day: { type: 'string', format: 'date' } };

const NAMES = ['a', 'b', 'page', 'price[gte]', 'two words', 'ä', ''];

const often = <T>(value: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, other);

const schemas = fc.record({
  members: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...MEMBERS), { minKeys: 2 }),
  required: often([], fc.subarray([...NAMES, 'constructor'])),
  closed: fc.constantFrom(undefined, false, true),
  more: often<object>(
    {},
    fc.constantFrom({ minProperties: 1 }, { description: 'Q.' }, { patternProperties: {} }),
  ),
});

const numbers = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.bigInt()).map(String);

const TEXTS = [
  ...'|true|false|a|b|1|2|2.5|007|-0|+1|1e3|1.0|null|all|0x10| 1|-|.5|5.|-1|%20|?'.split('|'),
  ...'2024-02-29|a,-b|9007199254740993|123456789012345|1234567890123456|1e400'.split('|'),
];

/** The texts of values, in every notation. */
const texts = fc.oneof(numbers, fc.constantFrom(...TEXTS, 'ä'), anyText({ maxLength: 4 }));

/** Raw characters, escaped characters, and what only looks like them. */
const written = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: text.map(encodeURIComponent) },
    { weight: 2, arbitrary: text.map((one) => one.replaceAll(' ', '+')) },
    fc.constantFrom(...'% %4 %zz %ff %C3 %C3%A4 %ED%A0%80 %EF%BB%BF %00 %2B + %26 = =='.split(' ')),
  );

const pairs = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(written(fc.constantFrom(...NAMES)), written(texts)).map((pair) => pair.join('=')),
  },
  fc.constantFrom('', 'a', '&', '=', '=1', 'a=', '?a=1', 'A=1', '__proto__=1', 'toString'),
);

const queries = fc.array(pairs, { maxLength: 3 }).map((all) => all.join('&'));

describe('a query reader', () => {
  // Ajv warns of the unknown format hundreds of times, and Jest formats the stack of each warning.
  beforeAll(() => void jest.spyOn(console, 'warn').mockReturnValue());
  afterAll(() => jest.restoreAllMocks());

  it('reads what the validator reads, in the same order, for every schema and query', () => {
    let read = 0;
    fc.assert(
      fc.property(
        schemas,
        fc.array(queries, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('refuse' as const, 'ignore' as const, undefined),
        ({ members, required, closed, more }, sent, unknown) => {
          const schema = {
            type: 'object',
            properties: members,
            required,
            ...(closed === undefined ? {} : { additionalProperties: closed }),
            $defs: DEFINITIONS,
            ...more,
          };
          const reader = validators.queryReader(schema, unknown);
          const validate = validators.forQuery(schema, unknown);
          for (const query of sent) {
            const values = reader?.(query);
            if (values === undefined) continue;
            read++;
            const expected = validate(new URLSearchParams(query));
            expect({ query, value: values }).toStrictEqual({ query, ...expected });
            expect(JSON.stringify({ value: values })).toBe(JSON.stringify(expected));
          }
        },
      ),
      { numRuns: 1_500 },
    );
    // Queries that are left to the validator are equal by definition: enough have to be read.
    expect(read).toBeGreaterThan(300);
  });

  it.each(MEMBERS)('reads one parameter as the validator does: %j', (member) => {
    const schema = { type: 'object', properties: { a: member }, $defs: DEFINITIONS };
    const reader = validators.queryReader(schema);
    const validate = validators.forQuery(schema);
    for (const first of TEXTS)
      for (const query of [`a=${first}`, ...TEXTS.map((second) => `a=${first}&a=${second}`)]) {
        const values = reader?.(query);
        if (values === undefined) continue;
        expect({ query, value: values }).toStrictEqual({ query, ...validate(new URLSearchParams(query)) });
      }
  });

  const schema = Type.Object(
    {
      quantity: Type.Integer({ minimum: 1 }),
      note: Type.Optional(Type.String()),
      gift: Type.Optional(Type.Boolean()),
      discount: Type.Optional(Type.Number({ maximum: 1 })),
      tag: Type.Optional(Type.Array(Type.String())),
      page: Type.Optional(Type.Integer({ default: 1 })),
      either: Type.Optional(Type.Union([Type.Integer(), Type.Literal('all')])),
    },
    { additionalProperties: false },
  );

  it.each([
    ['quantity=3', { quantity: 3, page: 1 }],
    ['quantity=3&page=2', { quantity: 3, page: 2 }],
    ['note=two+words%21&quantity=1&gift=true', { note: 'two words!', quantity: 1, gift: true, page: 1 }],
    ['quantity=1&discount=0.25&tag=a', { quantity: 1, discount: 0.25, tag: ['a'], page: 1 }],
    ['tag=a&quantity=1&tag=%C3%A4', { tag: ['a', 'ä'], quantity: 1, page: 1 }],
    ['&&quantity=1&&note', { quantity: 1, note: '', page: 1 }],
    ['%71uantity=1&note=a=b', { quantity: 1, note: 'a=b', page: 1 }],
  ])('reads %s', (query, values) => {
    expect(validators.queryReader(schema)?.(query)).toStrictEqual(values);
  });

  it.each([
    ['invalid values', 'quantity=0'],
    ['missing values', 'note=a'],
    ['undeclared names', 'quantity=1&x=1'],
    ['repeated names of single values', 'quantity=1&quantity=1'],
    ['other notations of numbers', 'quantity=1e0'],
    ['integers that are not exact', 'quantity=9007199254740993'],
    ['broken percent-encoding', 'quantity=1&note=%zz'],
    ['characters that are not ASCII', 'quantity=1&note=ä'],
    ['a second question mark', '?quantity=1'],
    ['unions of types', 'quantity=1&either=2'],
  ])('leaves %s to the validator', (_what, query) => {
    expect(validators.queryReader(schema)?.(query)).toBeUndefined();
  });

  it('skips undeclared names that a service ignores', () => {
    expect(validators.queryReader(schema, 'ignore')?.('x=1&quantity=1&%78=2')).toStrictEqual({
      quantity: 1,
      page: 1,
    });
  });

  it('reads the query of a request without one, unless a member is required or has a default', () => {
    const optional = Type.Object({ name: Type.Optional(Type.String({ pattern: '^a' })) });
    expect(validators.queryReader(optional)?.('')).toStrictEqual({});
    expect(validators.queryReader(Type.Object({ name: Type.String() }))?.('')).toBeUndefined();
    expect(validators.queryReader(Type.Object({ page: Type.Integer({ default: 1 }) }))?.('')).toStrictEqual({
      page: 1,
    });
  });

  it('creates new defaults for every request', () => {
    const reader = validators.queryReader(schema);
    expect(reader?.('quantity=1')).not.toBe(reader?.('quantity=1'));
  });
});
