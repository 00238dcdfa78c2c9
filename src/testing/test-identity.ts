import { AuthenticatedIdentity, guest, type Identity } from '../modules/mvc-auth';

/** A user by name, or an identity as it is. */
export type TestUser = string | Identity;

/**
 * Somebody who makes requests: the guest, or a user who was authenticated.
 *
 * @example
 * testIdentity('amy', ['editors'])
 */
export function testIdentity(name?: string, groups: readonly string[] = []): Identity {
  return name === undefined ? guest : new AuthenticatedIdentity(name, groups);
}

export function toIdentity(user: TestUser | undefined): Identity {
  return typeof user === 'object' ? user : testIdentity(user);
}
