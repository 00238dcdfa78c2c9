import { hasPathPrefix } from '../../../src/framework/text/path-prefix';

describe('hasPathPrefix', () => {
  it.each([
    ['the prefix itself', '/v1/books', '/v1/books', true],
    ['the prefix with a slash', '/v1/books/', '/v1/books', true],
    ['a path below the prefix', '/v1/books/1', '/v1/books', true],
    ['every absolute path below the empty prefix', '/v1', '', true],
    ['a longer segment', '/v1/bookshops', '/v1/books', false],
    ['a path above the prefix', '/v1', '/v1/books', false],
    ['a target that is not a path', '*', '', false],
  ])('compares whole segments: %s', (_, path, prefix, expected) => {
    expect(hasPathPrefix(path, prefix)).toBe(expected);
  });
});
