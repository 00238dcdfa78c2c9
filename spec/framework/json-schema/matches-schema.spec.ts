import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { matchesSchema } from '../../../src/framework/json-schema/matches-schema';
import { deepFreeze, type ConfigValue } from '../../../src/framework/values/config-object';
import { hostingSettings } from '../../../src/modules/hosting/settings';
import { largeApi } from '../../factories/documents/large-api';
import { validatorFor } from '../../../src/framework/json-schema/schema-validators';

const name = fc.constantFrom('a', 'b', 'ab', 'é', '😀');

/** Values that are likely to match the schemas below. */
const { value } = fc.letrec<{ value: ConfigValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<ConfigValue>(null, true, false, 0, 1, 2.5, -1, '', 'a', 'ab', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Uses few keywords at a time: most schemas with all of them match nothing. */
const someOf = (keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc
    .subarray(Object.keys(keywords), { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((one) => [one, keywords[one] ?? fc.constant(1)]))),
    );

/** Schemas with the keywords of configuration sections; some are contradictory. */
const { schema } = fc.letrec<{ schema: boolean | object }>((tie) => {
  const few = fc.nat({ max: 3 });
  const members = fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true });
  const plain = someOf({
    type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', [
      'string',
      'null',
    ]),
    const: fc.constantFrom<ConfigValue>('a', 1, null, ['a'], { a: 1 }),
    enum: fc.constantFrom([['a', 1]], [[null, 'ab']]).map(([list]) => list),
    minLength: few,
    maxLength: few,
    pattern: fc.constantFrom('^a', 'b$', '^.$'),
    minimum: few,
    maximum: few,
    minItems: few,
    maxItems: few,
    uniqueItems: fc.boolean(),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    hint: fc.constant('Write it so.'),
  });
  const nested = someOf({
    type: fc.constantFrom('object', 'array'),
    properties: members,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), tie('schema'), { noNullPrototype: true }),
    additionalProperties: tie('schema'),
    propertyNames: fc.record({ pattern: fc.constantFrom('^a', 'b$', '^.$') }),
    items: tie('schema'),
    allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    if: tie('schema'),
    then: tie('schema'),
    else: tie('schema'),
  });
  return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), plain, nested) };
});

/** The verdict of Ajv. It fails for some schemas, such as `{ patternProperties: { '^a': false }, anyOf: […] }` for `{ a: null }`. */
function saidOf(asked: unknown, given: ConfigValue): boolean | undefined {
  try {
    return validatorFor(asked as Record<string, unknown>)(given);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

describe('matchesSchema()', () => {
  it('decides about configured APIs, so that no validator is compiled for them', () => {
    const section = largeApi(2, 3)['platform-hosting'] ?? null;
    expect(matchesSchema(section, hostingSettings([]))).toBe(true);
    const frozen = deepFreeze(section);
    for (const one of [frozen, frozen, structuredClone(section)])
      expect(matchesSchema(one, hostingSettings([]))).toBe(true);
    expect(matchesSchema(frozen, { type: 'array' })).toBe(false);
  });

  it('agrees with a compiled validator', () => {
    let fitting = 0;
    fc.assert(
      fc.property(
        schema.filter((one) => typeof one === 'object'),
        value,
        (asked, given) => {
          const said = saidOf(asked, given);
          fc.pre(said !== undefined);
          const verdict = matchesSchema(given, asked);
          if (verdict === true) fitting++;
          expect(verdict).toBe(said);
        },
      ),
      { numRuns: 300 },
    );
    expect(fitting).toBeGreaterThan(10);
  });

  it('returns undefined for unknown keywords, unless others decide', () => {
    expect(matchesSchema('a', { format: 'email' })).toBeUndefined();
    expect(matchesSchema(1, { type: 'string', format: 'email' })).toBe(false);
    expect(matchesSchema('a', { anyOf: [{ format: 'email' }, { type: 'string' }] })).toBe(true);
    expect(matchesSchema('a', { if: { format: 'email' }, then: false })).toBeUndefined();
    expect(matchesSchema('a', { type: 'text' })).toBeUndefined();
  });

  it.each<[object, ConfigValue]>([
    [{ items: { format: 'email' } }, ['a']],
    [{ properties: { a: { format: 'email' } } }, { a: 'a' }],
    [{ patternProperties: { '^a': { format: 'email' } } }, { a: 'a' }],
    [{ additionalProperties: { format: 'email' } }, { a: 'a' }],
    [{ propertyNames: { format: 'email' } }, { a: 1 }],
    [{ allOf: [{ type: 'string' }, { format: 'email' }] }, 'a'],
    [{ anyOf: [{ type: 'number' }, { format: 'email' }] }, 'a'],
  ])('returns undefined for unknown keywords inside of %j', (outer, unknown) => {
    expect(matchesSchema(unknown, outer)).toBeUndefined();
    expect(matchesSchema(unknown, { allOf: [outer, false] })).toBe(false);
    expect(matchesSchema(unknown, { anyOf: [outer, true] })).toBe(true);
  });

  it.each<[object, ConfigValue, boolean]>([
    [{ const: 0 }, -0, true],
    [{ enum: [0] }, -0, true],
    [{ uniqueItems: true }, [0, -0], false],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 0 },
        { b: -0, a: 1 },
      ],
      false,
    ],
  ])('compares values as JSON Schema does: %j', (asked, given, expected) => {
    expect(saidOf(asked, given)).toBe(expected);
    expect(matchesSchema(given, asked)).toBe(expected);
  });

  it('knows the members that neither a name nor a pattern describes', () => {
    const closed = { additionalProperties: false };
    expect(matchesSchema({ a: 1 }, closed)).toBe(false);
    expect(matchesSchema({ a: 1 }, { ...closed, properties: { a: true } })).toBe(true);
    const patterns = { '^a': true, b$: true };
    for (const [name, isKnown] of [
      ['a', true],
      ['b', true],
      ['ab', true],
      ['c', false],
    ] as const)
      expect(matchesSchema({ [name]: 1 }, { ...closed, patternProperties: patterns })).toBe(isKnown);
  });

  it('supports the schemas of TypeBox', () => {
    const section = Type.Object(
      {
        file: Type.String({ minLength: 1, hint: 'A file.' }),
        level: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false },
    );
    expect(matchesSchema({ file: 'a.log' }, section)).toBe(true);
    expect(matchesSchema({ file: 'a.log', level: -1 }, section)).toBe(false);
    expect(matchesSchema({ fiel: 'a.log' }, section)).toBe(false);
  });
});
