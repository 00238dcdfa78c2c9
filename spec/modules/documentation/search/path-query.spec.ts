import fc from 'fast-check';
import { matchPath, pathQueryOf, segmentsOf } from '../../../../src/modules/documentation/search/path-query';

const match = (query: string, path: string): unknown => {
  const parsed = pathQueryOf(query);
  return parsed && matchPath(parsed, segmentsOf(path));
};

describe('queries for a path', () => {
  it('may have a method, a host and a query string', () => {
    expect(pathQueryOf('get /users/{username}')).toEqual({
      method: 'GET',
      segments: ['users', '{username}'],
      isRooted: true,
    });
    expect(pathQueryOf('https://api.example.com/v1/users?page=2#top')).toEqual({
      segments: ['v1', 'users'],
      isRooted: true,
    });
    expect(pathQueryOf('repos/get')).toEqual({ segments: ['repos', 'get'], isRooted: false });
  });

  it.each(['', 'users', '/', '//', 'read/write access', 'a b /c'])('are not %j', (query) => {
    expect(pathQueryOf(query)).toBeUndefined();
  });

  it('match parameters in any notation, values of parameters, and the beginning of the last segment', () => {
    const path = '/v1/repos/:owner/:repo/issues';
    expect(match('/repos/{owner}/:repo/issues', path)).toEqual([0, 0, 1]);
    expect(match('/repos/octocat/hello/issues', path)).toEqual([2, 0, 1]);
    expect(match('/repos/<owner>', path)).toEqual([0, 2, 1]);
    expect(match('/repos/x/y/iss', path)).toEqual([2.5, 0, 1]);
    expect(match('/repos/x/y/pulls', path)).toBeUndefined();
    expect(match('/anything/issues', path)).toBeUndefined();
    expect(match('repos/get', path)).toBeUndefined();
    expect(match('/v1/repos/a/b/issues/7', path)).toBeUndefined();
  });

  it('match every path by the path itself', () => {
    const segment = fc.stringMatching(/^:?[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const path = `/${segments.join('/')}`;
        expect(match(path, path)).toEqual([0, 0, 0]);
      }),
    );
  });
});
