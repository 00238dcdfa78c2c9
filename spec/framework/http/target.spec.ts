import fc from 'fast-check';
import { joinTarget, splitTarget } from '../../../src/framework/http/target';
import { urlPath, urlText } from '../../factories/http/any-url';

describe('A request target', () => {
  it.each([
    ['/', '/', ''],
    ['/a/b', '/a/b', ''],
    ['/a?b=c&d', '/a', 'b=c&d'],
    ['/a?', '/a', ''],
    ['/a?b?c', '/a', 'b?c'],
    ['/a#f', '/a', ''],
    ['/a?b#f?g', '/a', 'b'],
    ['/a%20b?c%20d', '/a%20b', 'c%20d'],
    ['//host/a', '//host/a', ''],
    ['*', '*', ''],
    ['http://example.org/a?b', '/a', 'b'],
    ['HTTPS://user@example.org:8443/a', '/a', ''],
    ['http://example.org', '/', ''],
    ['http://example.org?b', '/', 'b'],
    ['http://[::1]:80/a', '/a', ''],
    ['a/b', '/a/b', ''],
    ['', '/', ''],
  ])('%j has the path %j and the query %j', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });

  it.each(['/a', '/a?b=c', '/a?b?c', '/?%C3%A9'])('is %j again when its parts are joined', (target) => {
    const { path, query } = splitTarget(target);
    expect(joinTarget(path, query)).toBe(target);
  });

  it('always has a path that begins with a slash, or is an asterisk', () => {
    fc.assert(
      fc.property(fc.string(), (target) => {
        const { path } = splitTarget(target);
        expect(path === '*' || path.startsWith('/')).toBe(true);
        expect(path).not.toMatch(/[?#]/);
      }),
    );
  });

  it('is the same in absolute-form and in origin-form', () => {
    fc.assert(
      fc.property(urlPath(), urlText('/?&'), (path, query) => {
        const origin = `${path === '' ? '/' : path}?${query}`;
        fc.pre(origin.startsWith('/'));
        expect(splitTarget(`http://example.org${origin}`)).toEqual(splitTarget(origin));
      }),
    );
  });
});
