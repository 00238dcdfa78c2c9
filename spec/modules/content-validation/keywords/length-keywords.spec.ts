import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { createReportingAjv } from '../../../../src/modules/content-validation/compile/ajv';

/** Text with characters of two code units, and with lone surrogates. */
const text = fc
  .array(fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00', '\u0301'), { maxLength: 12 })
  .map((signs) => signs.join(''));

describe('maxLength and minLength', () => {
  it('count code points, with the results and messages of Ajv', () => {
    const bound = fc.integer({ min: 0, max: 8 });
    const ajv = new Ajv2020({ allErrors: true });
    fc.assert(
      fc.property(text, bound, bound, (value, minLength, maxLength) => {
        const schema = { type: 'string', minLength, maxLength, pattern: '^[a-zé]*$' };
        const ours = createReportingAjv({}).compile(schema);
        const own = ajv.compile(schema);
        expect(ours(value)).toBe(own(value));
        expect(ours.errors).toEqual(own.errors);
      }),
      { numRuns: 60 },
    );
  });

  it('apply to text only', () => {
    const validate = createReportingAjv({}).compile({ maxLength: 1, minLength: 1 });
    expect([validate(12), validate('12'), validate(['a', 'b'])]).toEqual([true, false, true]);
  });
});
