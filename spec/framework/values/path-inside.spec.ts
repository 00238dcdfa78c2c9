import path from 'node:path';
import { pathInside } from '../../../src/framework';

describe('The path of a file inside a folder', () => {
  it.each([
    ['/a', '/a/b/c', 'b/c'],
    ['/a', '/a', ''],
    ['/a', '/a/..data/c', '..data/c'],
    ['/a', '/a/..', undefined],
    ['/a', '/ab', undefined],
    ['/a/b', '/a', undefined],
    ['/', '/a', 'a'],
    ['.', path.resolve('b'), 'b'],
  ])('in %s, of %s is %s', (folder, file, inside) => {
    expect(pathInside(folder, file)).toBe(inside);
  });
});
