import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { createAjv } from '../../../src/modules/content-validation/ajv';
import { failedValidation } from '../../../src/modules/content-validation';

/** A schema that refers to itself becomes a function, whose errors are added to the earlier ones. */
const schema = {
  $ref: '#/$defs/Item',
  $defs: {
    Item: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        parts: { type: 'array', items: { $ref: '#/$defs/Item' } },
        other: { anyOf: [{ $ref: '#/$defs/Item' }, { type: 'string' }] },
      },
      required: ['name'],
    },
  },
};

describe('many errors', () => {
  it('of recursive schemas are those of Ajv', () => {
    const ours = createAjv({}).compile(schema);
    const own = new Ajv2020({ allErrors: true }).compile(schema);
    const { item } = fc.letrec((tie) => ({
      item: fc.record(
        {
          name: fc.constantFrom('', 'a', 1),
          parts: fc.array(tie('item'), { maxLength: 3 }),
          other: fc.oneof({ depthSize: 'small' }, fc.constantFrom('a', 1), tie('item')),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(item, item, (first, second) => {
        for (const value of [first, second, first]) {
          expect(ours(value)).toBe(own(value));
          expect(ours.errors).toEqual(own.errors);
        }
      }),
    );
  });

  it('are appended, not copied for each further one', () => {
    const validate = createAjv({}).compile(schema);
    const body = { name: 'a', parts: Array.from({ length: 3000 }, () => ({})) };
    validate(body);
    const concat = jest.spyOn(Array.prototype, 'concat');
    try {
      expect(validate(body)).toBe(false);
      expect(concat).not.toHaveBeenCalled();
    } finally {
      concat.mockRestore();
    }
    expect(validate.errors).toHaveLength(3000);
  });

  it('are listed up to a limit, and counted', () => {
    const error = { pointer: '/parts', keyword: 'type', message: 'must be object' };
    const few = failedValidation([error, error]);
    expect(few.detail).toBe('The body has 2 errors; see "errors".');
    const many = failedValidation(Array.from({ length: 2000 }, () => error));
    expect(many.detail).toBe('The body has 2000 errors; see the first in "errors".');
    expect(many.extensions.errors).toHaveLength(1000);
  });
});
