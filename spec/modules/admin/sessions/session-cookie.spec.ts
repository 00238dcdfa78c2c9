import {
  expiredCookie,
  readSessionCookie,
  sessionCookie,
} from '../../../../src/modules/admin/sessions/session-cookie';

const path = '/gateway/platform/admin';

describe('the session cookie', () => {
  it('is for the admin alone, and for no script', () => {
    expect(sessionCookie('abc', { path, secure: false })).toBe(
      `platform_admin=abc; Path=${path}; HttpOnly; SameSite=Strict`,
    );
  });

  it('is for TLS only where that is spoken', () => {
    expect(sessionCookie('abc', { path, secure: true })).toMatch(/; Secure$/);
  });

  it('is taken away by another of the same path', () => {
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
    expect(readSessionCookie(field)).toBe(token);
  });

  it.each([undefined, '', 'platform_admin', 'xplatform_admin=abc', 'Platform_Admin=abc'])(
    'is not in %j',
    (field) => {
      expect(readSessionCookie(field)).toBeUndefined();
    },
  );

  it('counts for nothing beside another of its name, which somebody else may have set', () => {
    expect(readSessionCookie('platform_admin=mine; platform_admin=theirs')).toBeUndefined();
  });
});
