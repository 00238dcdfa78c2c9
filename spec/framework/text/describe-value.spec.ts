import { describeValue } from '../../../src/framework';

class Books {}

describe('What a value is', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, '5'],
    [true, 'true'],
    [1n, 'a bigint'],
    [Symbol('a'), 'a symbol'],
    ['Milk "and" bread', String.raw`the text "Milk \"and\" bread"`],
    ['x'.repeat(41), `the text "${'x'.repeat(40)}…"`],
    [[1], 'a list'],
    [{ a: 1 }, 'an object'],
    [Object.create(null), 'an object'],
    [{ constructor: 7 }, 'an object'],
    [new Map(), 'an object of the class Map'],
    [new Books(), 'an object of the class Books'],
    [Books, 'the class Books'],
    [class {}, 'the class'],
    [String, 'a function String'],
    [() => 1, 'a function'],
  ])('is told of %p', (value, told) => {
    expect(describeValue(value)).toBe(told);
  });
});
