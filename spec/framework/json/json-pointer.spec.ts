import fc from 'fast-check';
import { parsePointer, formatPointer } from '../../../src/framework';

describe('A JSON Pointer', () => {
  it('resolves the examples of RFC 6901, 5', () => {
    expect(formatPointer([])).toBe('');
    expect(formatPointer(['foo', 0])).toBe('/foo/0');
    expect(formatPointer([''])).toBe('/');
    expect(formatPointer(['a/b'])).toBe('/a~1b');
    expect(formatPointer(['m~n'])).toBe('/m~0n');
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/~01')).toEqual(['~1']);
  });

  it('is parsed to its original keys, for any keys', () => {
    const key = fc.oneof(fc.constantFrom('~', '/', '~1', '~0', '~01', '', 'a b', '__proto__'), fc.string());
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        expect(parsePointer(formatPointer(keys))).toEqual(keys);
      }),
    );
  });
});
