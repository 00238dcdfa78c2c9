import {
  expiredCookie,
  readSessionCookies,
  sessionCookie,
} from '../../../../src/modules/admin/sessions/session-cookie';

const path = '/gateway/platform/admin';

describe('The session cookie', () => {
  it('is limited to the admin and unavailable to scripts', () => {
    expect(sessionCookie('abc', { path, secure: false })).toBe(
      `platform_admin=abc; Path=${path}; HttpOnly; SameSite=Strict`,
    );
  });

  it('is Secure over TLS', () => {
    expect(sessionCookie('abc', { path, secure: true })).toMatch(/; Secure$/);
  });

  it('is removed by an expired cookie with the same path', () => {
    expect(expiredCookie({ path, secure: true })).toBe(
      `platform_admin=; Path=${path}; HttpOnly; SameSite=Strict; Secure; Max-Age=0`,
    );
  });

  it.each([
    ['platform_admin=abc', 'abc'],
    ['a=b; platform_admin=abc; c=d', 'abc'],
    [' platform_admin = abc ', 'abc'],
    ['platform_admin=a=b', 'a=b'],
  ])('is read from %j', (field, token) => {
    expect(readSessionCookies(field)).toEqual([token]);
  });

  it.each([undefined, '', 'platform_admin', 'xplatform_admin=abc', 'Platform_Admin=abc'])(
    'is not found in %j',
    (field) => {
      expect(readSessionCookies(field)).toEqual([]);
    },
  );

  it('may be several, but not so many that looking them up takes long', () => {
    expect(readSessionCookies('platform_admin=a; platform_admin=b; platform_admin=a')).toEqual(['a', 'b']);
    const many = Array.from({ length: 21 }, (_, at) => `platform_admin=${at}`);
    expect(readSessionCookies(many.join('; '))).toEqual([]);
    expect(readSessionCookies(many.slice(1).join('; '))).toHaveLength(20);
  });
});
