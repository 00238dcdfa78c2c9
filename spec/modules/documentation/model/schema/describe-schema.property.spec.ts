import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { describeSchema } from '../../../../../src/modules/documentation/model/schema/describe-schema';
import type { SchemaDescription } from '../../../../../src/modules/documentation/model/schema/description';
import { typeText } from '../../../../../src/modules/documentation/model/schema/type-text';
import { anySchema, anyValue } from '../../../../fixtures/schemas/any-schema';
import { isDescribed } from '../../../../fixtures/schemas/described-values';

/** Yields a description and all nested ones. */
function* allOf(schema: SchemaDescription): Generator<SchemaDescription> {
  yield schema;
  const inner = [
    ...schema.members.map((member) => member.schema),
    ...schema.values.map((one) => one.schema),
    ...schema.places,
    ...(schema.items === undefined ? [] : [schema.items]),
    ...schema.unions.flatMap(({ alternatives }) => alternatives.map((one) => one.schema)),
  ];
  for (const one of inner) yield* allOf(one);
}

/** Some schemas recur endlessly for one value, which is an error of ajv: they allow nothing. */
function isValid(validate: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return validate(value);
  } catch {
    return false;
  }
}

describe('the description of a random schema', () => {
  it('allows all values that the schema allows', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    fc.assert(
      fc.property(anySchema, fc.array(anyValue, { minLength: 20, maxLength: 40 }), (schema, values) => {
        const validate = ajv.compile(schema);
        const description = describeSchema(schema);
        for (const value of values.filter((one) => isValid(validate, one)))
          expect([value, isDescribed(description, value)]).toEqual([value, true]);
      }),
      { numRuns: 300 },
    );
  });

  it('is finite, also for recursive schemas, and describes all parts', () => {
    fc.assert(
      fc.property(anySchema, fc.integer({ min: 1, max: 40 }), (schema, most) => {
        const parts = [...allOf(describeSchema(schema, { most }))];
        // Each node takes one of the limit; items add four per node.
        expect(parts.length).toBeLessThanOrEqual(5 * most + 1);
        for (const one of parts) expect(typeText(one)).not.toBe('');
      }),
    );
  });

  it('has all declared members', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 50 }), (names) => {
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
        const { members } = describeSchema({ type: 'object', properties, required: names });
        expect(members.map(({ name }) => name)).toEqual(Object.keys(properties));
        expect(members.every(({ isRequired }) => isRequired)).toBe(true);
      }),
    );
  });
});
