import fc from 'fast-check';
import { hasUtf8Escapes } from '../../../src/framework/text/utf8-escapes';

describe('Percent-encoded text', () => {
  it.each(['', 'a=b', 'caf%C3%A9', '100%', '%zz', '%', 'a%20b', '%F0%9F%98%80'])('%j is UTF-8', (text) => {
    expect(hasUtf8Escapes(text)).toBe(true);
  });

  it.each(['caf%E9', '%ff', '%C3', '%c3%28', 'a=%C3%A9&b=%E9', '%ED%A0%80', '%C0%AF'])(
    '%j is not UTF-8',
    (text) => {
      expect(hasUtf8Escapes(text)).toBe(false);
    },
  );

  it('is UTF-8 exactly when URLSearchParams reads it without replacement characters', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 });
    fc.assert(
      fc.property(bytes, (all) => {
        const text = all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const [value = ''] = new URLSearchParams(`a=${text}`).values();
        const isReplaced = value.includes('\uFFFD') && !Buffer.from(all).includes('\uFFFD');
        expect(hasUtf8Escapes(text)).toBe(!isReplaced);
      }),
    );
  });
});
