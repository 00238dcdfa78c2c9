import fc from 'fast-check';
import { canonicalPath, hasUtf8Escapes, percentDecoded } from '../../../src/framework/text/percent-encoding';
import { anyText } from '../../factories/any-text';

describe('A canonical path', () => {
  it.each([
    ['/%61%2D%5F/%7eb', '/a-_/~b'],
    ['/a%2Fb%25%20%C3%A9%00%7F', '/a%2Fb%25%20%C3%A9%00%7F'],
    ['/%zz%6%61', '/%zz%6%61'],
    ['/%%361', '/%%361'],
  ])('of %s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });

  it('names the same, and is canonical itself', () => {
    const part = fc.oneof(fc.constantFrom('/', '%', '%2', 'a', '%61', '%2f', '%C3%A9'), fc.string());
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const canonical = canonicalPath(parts.join(''));
        expect(percentDecoded(canonical)).toBe(percentDecoded(parts.join('')));
        expect(canonicalPath(canonical)).toBe(canonical);
      }),
    );
  });
});

describe('Percent-encoded text', () => {
  it.each(['%zz', '%', 'caf%E9', '%C3'])('%j cannot be decoded', (text) => {
    expect(percentDecoded(text)).toBeUndefined();
  });

  it('is decoded to what was encoded', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(percentDecoded(encodeURIComponent(text))).toBe(text);
      }),
    );
  });

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
