import fc from 'fast-check';
import { AdminPaths } from '../../../../src/modules/admin/pages/admin-paths';

const paths = new AdminPaths('/gateway');
const HOME = '/gateway/platform/admin';

describe('The paths of admin pages', () => {
  it('start with the base path', () => {
    expect(paths.home).toBe(HOME);
    expect(paths.url('/')).toBe(HOME);
    expect(paths.url('/adapters')).toBe(`${HOME}/adapters`);
    expect(paths.below(`${HOME}/adapters?x=y`)).toBe('/adapters?x=y');
    expect(paths.below(HOME)).toBe('/');
  });

  it('include the requested page', () => {
    expect(paths.safe('/adapters/a%2Fb?x=%20y')).toBe(`${HOME}/adapters/a%2Fb?x=%20y`);
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/../../../evil',
    '/%2e%2e/%2e%2e/%2e%2e/x',
    '/..',
    '',
    'adapters',
    null,
    undefined,
  ])('do not lead outside the admin: %j', (target) => {
    const safe = paths.safe(target);
    expect(safe === HOME || safe.startsWith(`${HOME}/`)).toBe(true);
    expect(new URL(safe, 'http://here.example').origin).toBe('http://here.example');
  });

  it('stay below the admin and on one line for every input', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '/',
        '..',
        '.',
        '%2e',
        '%2E',
        '\\',
        '//',
        '@',
        ':',
        '?',
        '#',
        '\r\n',
        '\t',
        'x',
        'é',
        '%0d%0a',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((all) => all.join('')),
          pieces.map((all) => `/${all.join('')}`),
        ),
        (target) => {
          const safe = paths.safe(target);
          const { origin, pathname } = new URL(safe, 'http://here.example');
          expect(origin).toBe('http://here.example');
          expect(pathname === HOME || pathname.startsWith(`${HOME}/`)).toBe(true);
          expect(safe).toMatch(/^[\x21-\x7e]+$/);
        },
      ),
    );
  });
});
