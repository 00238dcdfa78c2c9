import { describeValue } from '../../../src/framework';

class Books {}

describe('describeValue()', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, '5'],
    [true, 'true'],
    [1n, 'a bigint'],
    [Symbol('a'), 'a symbol'],
    ['Milk "and" bread', String.raw`the string "Milk \"and\" bread"`],
    ['x'.repeat(41), `the string "${'x'.repeat(40)}…"`],
    [[1], 'an array'],
    [{ a: 1 }, 'an object'],
    [Object.create(null), 'an object'],
    [{ constructor: 7 }, 'an object'],
    [new Map(), 'an instance of Map'],
    [new Books(), 'an instance of Books'],
    [Books, 'the class Books'],
    [class {}, 'the class'],
    [String, 'a function String'],
    [() => 1, 'a function'],
  ])('describes %p as %s', (value, description) => {
    expect(describeValue(value)).toBe(description);
  });
});
