import { isClass } from '../../../src/framework/values/is-class';

describe('A class', () => {
  it.each([class {}, class Named extends Map {}])('is %p', (value) => {
    expect(isClass(value)).toBe(true);
  });

  it.each([
    () => null,
    async () => Promise.resolve(null),
    function named() {
      return null;
    },
    function* generated(): Generator<number> {
      yield 1;
    },
    { method: () => null }.method,
    {
      class() {
        return null;
      },
    }.class,
    Map.prototype.get.bind(new Map()),
    new Map(),
    String,
    Map,
    {},
    'Map',
    undefined,
    null,
  ])('is not %p', (value) => {
    expect(isClass(value)).toBe(false);
  });
});
