import fc from 'fast-check';
import { formats, Validators } from '../../../../src/modules/content-validation';
import { ResponseMatchers } from '../../../../src/modules/hosting/response-matcher/response-matcher';

type Schema = Readonly<Record<string, unknown>>;

const validators = new Validators();

/** Whether generated code finds a value valid; undefined if a validator has to. */
function generatedVerdict(schema: Schema, value: unknown): boolean | undefined {
  const matcher = new ResponseMatchers().of(schemaWith(schema), false);
  if (matcher === undefined) throw new Error('The schema is not covered.');
  return matcher.isValid?.({ value });
}

function schemaWith(value: Schema): Schema {
  return { type: 'object', properties: { value }, required: ['value'] };
}

function validatorVerdict(schema: Schema, value: unknown): boolean {
  return 'value' in validators.asIs(schemaWith(schema))({ value });
}

const limit = fc.integer({ min: 0, max: 4 });
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, min: -1e30, max: 1e30 }));
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', 'É', '😀', '\ud800', '\udc00', '"', '\u2028'), maxLength: 6 }),
);
const pattern = fc.constantFrom('^a+$', '"', '\\p{L}', '^.{2}$', '[\u2028]', '');

const texts = fc.tuple(
  fc.record({ minLength: limit, maxLength: limit, pattern }, { requiredKeys: [] }),
  fc.constant('string'),
  text,
);
const numbers = fc.tuple(
  fc.record(
    { minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
    { requiredKeys: [] },
  ),
  fc.constantFrom('number', 'integer'),
  number,
);
const lists = fc.tuple(
  fc.record({ minItems: limit, maxItems: limit }, { requiredKeys: [] }),
  fc.constant('array'),
  fc.array(fc.constant(1), { maxLength: 5 }),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const chosen = fc
  .tuple(fc.array(scalar, { minLength: 1, maxLength: 4 }), fc.boolean(), scalar, fc.nat(7))
  .map(([values, isConst, other, at]): [Schema, string, unknown] => {
    const value = values[at] === undefined ? other : values[at];
    const type = value === null ? 'string' : typeof value;
    return [isConst ? { const: values[0] } : { enum: [...new Set(values)] }, type, value];
  });

/** Values that some formats allow. */
const formatted = fc.oneof(
  fc.constantFrom(
    '2026-11-26',
    '2026-02-30',
    '2026-11-26T10:00:00Z',
    '2026-11-26T10:00:00',
    '10:00:00Z',
    'P1D',
    'a@example.org',
    'example.org',
    '127.0.0.1',
    '::1',
    'https://example.org/a?b#c',
    '/a/b',
    '#/a',
    '1/a',
    '{a}',
    'aGVsbG8=',
    '(',
    '',
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.uuid(),
  text,
);

/** Schemas of texts and numbers, directly or by references that lead to them, of which some have keywords next to them. */
const referring = fc
  .record({
    A: fc.oneof(texts, numbers).map(([restrictions, type]): Schema => ({ type, ...restrictions })),
    B: fc.constantFrom<Schema>(
      { $ref: '#/$defs/A' },
      { $ref: '#/$defs/A', description: 'B.' },
      { $ref: '#/$defs/A', maxLength: 1 },
      { $ref: '#/$defs/B' },
    ),
    property: fc.constantFrom<Schema>(
      { $ref: '#/$defs/A' },
      { $ref: '#/$defs/B' },
      { $ref: '#/$defs/B', minimum: 1 },
      { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] },
      { type: 'array', items: { $ref: '#/$defs/B' } },
    ),
  })
  .map(({ A, B, property }): Schema => {
    return { type: 'object', properties: { value: property }, $defs: { A, B } };
  });
const referred = fc.oneof(
  text,
  number,
  fc.constant(null),
  fc.array(fc.oneof(text, number), { maxLength: 2 }),
);

describe('Generated code of restrictions', () => {
  it.each<[string, fc.Arbitrary<[Schema, string, unknown]>]>([
    ['texts', texts],
    ['numbers', numbers],
    ['lists', lists],
    ['chosen values', chosen],
  ])('agrees with the validator about %s', (_, samples) => {
    const verdicts = new Set<boolean | undefined>();
    fc.assert(
      fc.property(samples, ([restrictions, type, value]) => {
        const schema = { type, ...(type === 'array' ? { items: { type: 'number' } } : {}), ...restrictions };
        const verdict = generatedVerdict(schema, value);
        expect(verdict).toBe(validatorVerdict(schema, value));
        verdicts.add(verdict);
      }),
      { numRuns: 300 },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  });

  it.each(formats)('agrees with the validator about the format %s', (format) => {
    fc.assert(
      fc.property(formatted, (value) => {
        const schema = { type: 'string', format };
        // A format of numbers is left to the validator, which ignores it for texts.
        const verdict = generatedVerdict(schema, value) ?? true;
        expect(verdict).toBe(validatorVerdict(schema, value));
      }),
    );
  });

  it.each(['int32', 'int64', 'float', 'double'])(
    'agrees with the validator about numbers that are %s',
    (format) => {
      fc.assert(
        fc.property(fc.oneof(number, fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 31) - 1)), (value) => {
          const schema = { type: 'number', format };
          expect(generatedVerdict(schema, value)).toBe(validatorVerdict(schema, value));
        }),
      );
    },
  );

  it('applies to values that may be null', () => {
    const schema = { type: ['string', 'null'], maxLength: 1 };
    expect([null, 'a', 'ab'].map((value) => generatedVerdict(schema, value))).toEqual([true, true, false]);
  });

  it('are not needed to send a value as it is', () => {
    const schema = schemaWith({ type: 'string', pattern: '^a$', maxLength: 1 });
    expect(new ResponseMatchers().of(schema, false)?.isSentAsIs({ value: 'bb' })).toBe(true);
  });

  it('count the characters of large texts without copies of them', () => {
    const schema = { type: 'string', maxLength: 3_000_000 };
    const text = '😀'.repeat(3_000_000);
    const before = process.memoryUsage().heapUsed;
    expect(generatedVerdict(schema, text)).toBe(true);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(generatedVerdict(schema, `${text}a`)).toBe(false);
  });

  it.each<[string, Schema]>([
    ['maxLength', { type: 'string', maxLength: 9 }],
    ['pattern', { type: 'string', pattern: 'b' }],
    ['enum', { type: 'string', enum: ['aa', 'b'] }],
    ['another type', { type: ['string', 'null'] }],
  ])('are left to the validator for a reference with %s next to it', (_, beside) => {
    const Short = { type: 'string', maxLength: 1, pattern: '^[^b]*$', enum: ['a', 'aa'] };
    const schema = {
      type: 'object',
      properties: { value: { $ref: '#/$defs/Short', ...beside } },
      $defs: { Short },
    };
    const matcher = new ResponseMatchers().of(schema, false);
    expect(matcher?.isValid).toBeUndefined();
    expect(validators.asIs(schema)({ value: 'aa' })).not.toHaveProperty('value');
  });

  it('agrees with the validator about values of referenced schemas', () => {
    const verdicts = new Set<boolean | undefined>();
    fc.assert(
      fc.property(referring, referred, (schema, value) => {
        const verdict = new ResponseMatchers().of(schema, false)?.isValid?.({ value });
        verdicts.add(verdict);
        if (verdict !== undefined) expect('value' in validators.asIs(schema)({ value })).toBe(verdict);
      }),
      { numRuns: 500 },
    );
    expect(verdicts).toEqual(new Set([true, false, undefined]));
  });

  it('are left to the validator if the referenced schema has a reference with keywords next to it', () => {
    const $defs = {
      Name: { $ref: '#/$defs/Short', maxLength: 9 },
      Short: { type: 'string', maxLength: 1 },
    };
    const schema = { type: 'object', properties: { value: { $ref: '#/$defs/Name' } }, $defs };
    expect(new ResponseMatchers().of(schema, false)?.isValid).toBeUndefined();
  });

  it('are generated for a reference with a description next to it', () => {
    const schema = {
      type: 'object',
      properties: { value: { $ref: '#/$defs/Short', description: 'Short.' } },
      $defs: { Short: { type: 'string', maxLength: 1 } },
    };
    const isValid = new ResponseMatchers().of(schema, false)?.isValid;
    expect([isValid?.({ value: 'a' }), isValid?.({ value: 'aa' })]).toEqual([true, false]);
  });

  it.each<[string, Schema, unknown]>([
    ['a schema with an identifier of its own', { $id: 'https://example.org/own', type: 'string' }, 'a'],
    ['false', { type: 'array', items: false }, [1]],
  ])('are left to the validator for %s', (_, schema, value) => {
    expect(generatedVerdict(schema, value)).toBeUndefined();
  });

  it.each<[string, Schema]>([
    ['multiples', { type: 'number', multipleOf: 2 }],
    ['unique items', { type: 'array', items: { type: 'number' }, uniqueItems: true }],
    ['chosen objects', { type: 'string', enum: ['a', { b: 1 }] }],
    ['an invalid pattern', { type: 'string', pattern: '(' }],
    ['an unknown format', { type: 'string', format: 'colour' }],
    ['a format of another type', { type: 'number', format: 'date' }],
  ])('leaves %s to the validator', (_, schema) => {
    const value = schema.type === 'array' ? [1] : schema.type === 'number' ? 2 : 'a';
    expect(generatedVerdict(schema, value)).toBeUndefined();
  });
});
