import fc from 'fast-check';
import { clientTarget, containsPath } from '../../src/mount/host-request';

const path = fc
  .array(fc.stringMatching(/^[\w%.~-]{1,5}$/), { maxLength: 3 })
  .map((all) => all.map((one) => `/${one}`).join(''));
const query = fc.option(fc.stringMatching(/^[\w/?=&%]{0,8}$/), { nil: undefined });
const authority = fc.constantFrom('', 'http://a', 'HTTPS://b:8443');

/** What Express passes to a handler at a path. */
function mounted(
  sent: string,
  mountPath: string,
  origin: string,
): { url: string; originalUrl: string; baseUrl: string } {
  const rest = sent.slice(origin.length + mountPath.length);
  return { url: `${origin}${rest.startsWith('/') ? '' : '/'}${rest}`, originalUrl: sent, baseUrl: mountPath };
}

describe('the target of a mounted request', () => {
  it('is the one that the client sent, exactly', () => {
    fc.assert(
      fc.property(path, path, query, authority, (mountPath, rest, search, origin) => {
        const sent = `${origin}${mountPath}${rest}${search === undefined ? '' : `?${search}`}`;
        expect(clientTarget(mounted(sent, mountPath, origin))).toBe(sent);
      }),
    );
  });

  it('has the path that a program has written since', () => {
    fc.assert(
      fc.property(path, path, authority, (mountPath, rest, origin) => {
        const before = mounted(`${origin}${mountPath}/before`, mountPath, origin);
        expect(clientTarget({ ...before, url: `${origin}/after${rest}` })).toBe(
          `${origin}${mountPath}/after${rest}`,
        );
      }),
    );
  });

  it('is the url that a server without mount paths has written', () => {
    expect(clientTarget({ url: '/api/notes/1', originalUrl: '/old/notes/1' })).toBe('/api/notes/1');
    expect(clientTarget({ url: '/api/notes?a', originalUrl: '/api/notes' })).toBe('/api/notes?a');
    expect(clientTarget({ url: '/b', originalUrl: '/ab' })).toBe('/b');
  });

  it('has the path that Connect removed', () => {
    fc.assert(
      fc.property(path, path, query, authority, (mountPath, rest, search, origin) => {
        const sent = `${origin}${mountPath}${rest}${search === undefined ? '' : `?${search}`}`;
        const { url, originalUrl } = mounted(sent, mountPath, origin);
        expect(clientTarget({ url, originalUrl })).toBe(sent);
      }),
    );
  });

  it('is the url of a server that does not mount handlers', () => {
    expect(clientTarget({ url: '/api/a?b' })).toBe('/api/a?b');
    expect(clientTarget({ url: '/a', originalUrl: '/api/a' })).toBe('/api/a');
  });
});

describe('containsPath', () => {
  it.each([
    ['/api/notes[/:id]', '/api', true],
    ['[/v:version]/API/notes', '/api', true],
    ['/notes/api', '/api', true],
    ['/api[/:id]', '/api', true],
    ['/.well-known/api-catalog', '/api', false],
    ['/notes', '/api', false],
  ])('of %j and %j is %j', (pattern, target, expected) => {
    expect(containsPath(pattern, target)).toBe(expected);
  });
});
