import fc from 'fast-check';
import { sameText } from '../../../../../src/modules/mvc-auth/password-files/hashes/same-text';

describe('sameText', () => {
  it('says what === says', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(sameText(one, other)).toBe(one === other);
        expect(sameText(one, one)).toBe(true);
      }),
    );
  });

  it('sees a difference in any one character', () => {
    const digest = fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'.split('')),
      minLength: 1,
      maxLength: 64,
    });
    fc.assert(
      fc.property(digest, fc.nat(), (one, at) => {
        const place = at % one.length;
        const other = `${one.slice(0, place)}X${one.slice(place + 1)}`;
        expect(sameText(one, other)).toBe(false);
      }),
    );
  });
});
