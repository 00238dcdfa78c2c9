import fc from 'fast-check';
import {
  allSubschemas,
  hasKeyword,
  hasUnknownKeyword,
  type SchemaNode,
  type TrackedKeyword,
} from '../../../src/framework';

const KEYWORDS: readonly TrackedKeyword[] = ['$ref', 'anyOf', 'default', 'format', 'oneOf', 'pattern'];

const values = {
  type: fc.constant('object'),
  $ref: fc.constant('#'),
  default: fc.constant({ format: 'date' }),
  format: fc.constant('date'),
  pattern: fc.constant('^a'),
  patern: fc.constant('^a'),
  'x-pattern': fc.constant('^a'),
};

/** Schemas that nest, with keywords that are looked for and others, and properties with their names. */
const schemas = fc.letrec<{ schema: SchemaNode }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record(values, { requiredKeys: [] }),
    fc.record(
      {
        ...values,
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
        items: tie('schema'),
        properties: fc.dictionary(fc.constantFrom('format', 'default', 'a'), tie('schema'), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

describe('hasKeyword', () => {
  it('finds what a search of all subschemas finds, of any schemas in any order', () => {
    fc.assert(
      fc.property(
        fc.array(schemas, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(), fc.subarray([...KEYWORDS], { minLength: 1 })), { minLength: 1 }),
        (all, questions) => {
          for (const [at, keywords] of questions) {
            const schema = all[at % all.length] ?? {};
            const occurs = allSubschemas(schema).some((one) => keywords.some((name) => name in one));
            expect(hasKeyword(schema, ...keywords)).toBe(occurs);
          }
        },
      ),
    );
  });

  it('takes neither properties with the name of a keyword for one, nor values that only look like schemas', () => {
    const schema = { properties: { format: { type: 'string' } }, default: { pattern: '^a' } };
    expect(hasKeyword(schema, 'format', 'pattern')).toBe(false);
  });
});

it('members that several schemas have in common are walked through once, apart from the rest of each', () => {
  let reads = 0;
  const properties = {
    get name() {
      reads++;
      return { type: 'string', format: 'date' };
    },
  };
  const required = { type: 'object', properties, required: ['name'] };
  const list = { type: 'array', items: { properties, default: {} } };
  expect([required, list].map((schema) => hasKeyword(schema, 'format'))).toEqual([true, true]);
  expect([required, list].map((schema) => hasKeyword(schema, 'default'))).toEqual([false, true]);
  expect(reads).toBe(1);
});

describe('hasUnknownKeyword', () => {
  it('finds a misspelt keyword at any depth, and takes no extension for one', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(hasUnknownKeyword(schema)).toBe(allSubschemas(schema).some((one) => 'patern' in one));
      }),
    );
  });

  it('takes neither properties nor examples for keywords', () => {
    expect(hasUnknownKeyword({ properties: { patern: {} }, examples: [{ patern: '^a' }] })).toBe(false);
  });
});
