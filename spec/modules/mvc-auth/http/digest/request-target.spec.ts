import fc from 'fast-check';
import { namesTarget } from '../../../../../src/modules/mvc-auth/http/digest/request-target';

describe('the uri of a Digest response', () => {
  it.each([
    ['/a?b=1', '/a?b=1', true],
    ['/a', '/a?b=1', false],
    ['/a?b=1', '/a', false],
    ['/A', '/a', false],
    ['/%61', '/a', false],
    ['*', '*', true],
    ['*', '/*', false],
    ['http://api.example/a?b', '/a?b', true],
    ['http://api.example/a', '/a?b', false],
    ['/a?b', 'http://api.example/a?b', true],
    ['/', 'http://api.example', true],
    ['HTTP://API.example/a', 'http://api.example/a', true],
    ['http://other.example/a', 'http://api.example/a', false],
    ['https://api.example/a', 'http://api.example/a', false],
    ['', '/', false],
    ['//api.example/a', '/a', false],
  ])('%s for the target %s: %s', (uri, target, expected) => {
    expect(namesTarget(uri, target)).toBe(expected);
  });

  it('is never one of two different targets in origin form', () => {
    const path = fc.string().map((text) => `/${text}`);
    fc.assert(fc.property(path, path, (uri, target) => namesTarget(uri, target) === (uri === target)));
  });
});
