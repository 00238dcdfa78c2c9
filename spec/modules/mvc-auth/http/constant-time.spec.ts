import fc from 'fast-check';
import { equalInConstantTime } from '../../../../src/modules/mvc-auth/http/constant-time';
import { anyText } from '../../../factories/any-text';

describe('sameText', () => {
  it('equals ===', () => {
    const text = anyText({ maxLength: 6 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(equalInConstantTime(one, other)).toBe(one === other);
        expect(equalInConstantTime(one, one)).toBe(true);
      }),
    );
  });

  it('detects a difference in any one character', () => {
    const digest = fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'.split('')),
      minLength: 1,
      maxLength: 64,
    });
    fc.assert(
      fc.property(digest, fc.nat(), (one, at) => {
        const place = at % one.length;
        const other = `${one.slice(0, place)}X${one.slice(place + 1)}`;
        expect(equalInConstantTime(one, other)).toBe(false);
      }),
    );
  });
});
