import fc from 'fast-check';
import { BoundedCache } from '../../../src/framework/http/bounded-cache';

describe('A bounded cache', () => {
  it('always returns the computed value, in any order of keys', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 3 })),
        fc.integer({ min: 1, max: 4 }),
        (texts, maxEntries) => {
          const lengths = new BoundedCache((text) => (text === '' ? undefined : text.length), maxEntries);
          for (const text of texts) expect(lengths.get(text)).toBe(text === '' ? undefined : text.length);
        },
      ),
    );
  });

  it('computes each value once, even undefined', () => {
    const compute = jest.fn((text: string): string | undefined => (text === 'a' ? undefined : text));
    const cache = new BoundedCache(compute);
    for (let times = 0; times < 3; times++) for (const text of ['a', 'b']) cache.get(text);
    expect(compute.mock.calls).toEqual([['a'], ['b']]);
  });

  it('limits the number of entries and the length of keys', () => {
    const compute = jest.fn((text: string) => text);
    const cache = new BoundedCache(compute, 2);
    for (const text of ['a', 'b', 'c', 'a', 'c']) cache.get(text);
    expect(compute.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
    const long = 'x'.repeat(600);
    for (let times = 0; times < 3; times++) cache.get(long);
    expect(compute.mock.calls.flat().filter((text) => text === long)).toHaveLength(3);
  });

  it('does not cache errors', () => {
    const cache = new BoundedCache((): string => {
      throw new RangeError('no');
    });
    expect(() => cache.get('a')).toThrow('no');
    expect(() => cache.get('a')).toThrow('no');
  });
});
