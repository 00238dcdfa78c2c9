import fc from 'fast-check';
import { BoundedCache } from '../../../src/framework/http/bounded-cache';

describe('what is remembered', () => {
  it('is always what would have been made, in whatever order texts come', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), fc.integer({ min: 1, max: 4 }), (texts, most) => {
        const lengths = new BoundedCache((text) => (text === '' ? undefined : text.length), most);
        for (const text of texts) expect(lengths.get(text)).toBe(text === '' ? undefined : text.length);
      }),
    );
  });

  it('is made once, undefined too', () => {
    const make = jest.fn((text: string): string | undefined => (text === 'a' ? undefined : text));
    const remembered = new BoundedCache(make);
    for (let times = 0; times < 3; times++) for (const text of ['a', 'b']) remembered.get(text);
    expect(make.mock.calls).toEqual([['a'], ['b']]);
  });

  it('is bounded in number and in length', () => {
    const make = jest.fn((text: string) => text);
    const remembered = new BoundedCache(make, 2);
    for (const text of ['a', 'b', 'c', 'a', 'c']) remembered.get(text);
    expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
    const long = 'x'.repeat(600);
    for (let times = 0; times < 3; times++) remembered.get(long);
    expect(make.mock.calls.flat().filter((text) => text === long)).toHaveLength(3);
  });

  it('is nothing that failed', () => {
    const remembered = new BoundedCache((): string => {
      throw new RangeError('no');
    });
    expect(() => remembered.get('a')).toThrow('no');
    expect(() => remembered.get('a')).toThrow('no');
  });
});
