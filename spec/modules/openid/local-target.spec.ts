import fc from 'fast-check';
import { localTarget } from '../../../src/modules/openid/flow/local-target';
import { anyText } from '../../factories/any-text';
import { urlOrigin, urlPath, urlText } from '../../factories/http/any-url';

const parts = fc.constantFrom(
  ...['/', '//', '\\', '..', '.', '%2e', '%2F', 'platform', 'documentation', 'sign-in', 'evil.example'],
  ...['@', ':', '?', '#', '\t', '\n', ' ', '"', '<', 'https:', 'javascript:', 'é', '\u0000', '&'],
);

describe('The target of a sign-in', () => {
  it('is always a page of this service, whatever is requested', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(parts).map((list) => list.join('')),
          anyText(),
          fc.tuple(urlOrigin(), urlPath(), urlText('/?&#')).map((components) => components.join('')),
        ),
        fc.constantFrom('', '/base'),
        (target, base) => {
          const { origin, pathname } = new URL(localTarget(base, target), 'https://own.example');
          expect(origin).toBe('https://own.example');
          expect(pathname.startsWith(`${base}/platform/`)).toBe(true);
          expect(pathname.startsWith(`${base}/platform/sign-in`)).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is the documentation if it is too long when it is percent-encoded, as it is sent', () => {
    const page = '/platform/documentation';
    expect(localTarget('', `${page}?q=${'a'.repeat(900)}`)).toContain('aaa');
    expect(localTarget('', `${page}?q=${'a'.repeat(1_000)}`)).toBe(page);
    expect(localTarget('', `${page}?q=${'日'.repeat(400)}`)).toBe(page);
  });

  it.each([
    ['/platform/documentation/Club?format=html#top'],
    ['/platform/admin/adapters/a%2Fb'],
    ['/platform/search?q=%26'],
  ])('keeps %s', (target) => {
    expect(localTarget('', target)).toBe(target);
  });
});
