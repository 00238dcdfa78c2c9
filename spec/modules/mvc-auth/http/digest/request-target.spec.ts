import fc from 'fast-check';
import { matchesTarget } from '../../../../../src/modules/mvc-auth/http/digest/request-target';

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
    ['http://other.example/a', '/a', false],
    ['http://user@api.example/a', '/a', false],
    ['http://api.example:8080/a', '/a', false],
    ['http://api.example:80/a', '/a', true],
    ['https://api.example:443/a', '/a', true],
    ['https://api.example:80/a', '/a', false],
    ['https://API.example/a', '/a', true],
    ['ftp://api.example/a', '/a', false],
    ['http://api.example:80/a', 'http://api.example/a', true],
    ['http://api.example', '/', true],
    ['http://api.example?b', '/?b', true],
    ['HTTPS://api.example:443/a', '/a', true],
    ['/b', 'http://api.example/a', false],
    ['/b?c=http://api.example/a', '/a', false],
    ['/a', '/b?c=http://api.example/a', false],
  ])('%s for the target %s: %s', (uri, target, expected) => {
    expect(matchesTarget(uri, { target, host: 'api.example' })).toBe(expected);
  });

  it('is compared with the authority of a target in absolute form, rather than with Host', () => {
    const request = { target: 'http://api.example/a', host: 'other.example' };
    expect(matchesTarget('http://api.example:80/a', request)).toBe(true);
    expect(matchesTarget('http://other.example/a', request)).toBe(false);
  });

  it('has no authority to compare when the request has none', () => {
    expect(matchesTarget('http://api.example/a', { target: '/a' })).toBe(false);
  });

  it('never matches two different targets in origin form', () => {
    const path = fc.string().map((text) => `/${text}`);
    fc.assert(fc.property(path, path, (uri, target) => matchesTarget(uri, { target }) === (uri === target)));
  });
});
