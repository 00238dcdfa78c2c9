import { describeValue } from '../framework';
import { AuthenticatedIdentity, guest, isIdentity, type Identity } from '../modules/mvc-auth';

/** The name of a user, or an identity. */
export type TestUser = string | Identity;

/**
 * Creates an identity: the guest, or an authenticated user.
 *
 * @throws TypeError for an empty name, and groups or scopes that are not an array of names
 * @example
 * testIdentity('amy', ['editors'])
 */
export function testIdentity(
  name?: string,
  groups: readonly string[] = [],
  scopes: readonly string[] = [],
): Identity {
  if (name === undefined) return guest;
  if (typeof name !== 'string' || name === '' || !areNames(groups)) {
    throw new TypeError(
      `testIdentity(): the name is ${describeValue(name)}, the groups are ${describeValue(groups)}. Pass the name of a user, and an array of group names.`,
    );
  }
  if (!areNames(scopes))
    throw new TypeError(`testIdentity(): the scopes are ${describeValue(scopes)}. Pass an array of scopes.`);
  return new AuthenticatedIdentity(name, groups, scopes);
}

function areNames(list: unknown): boolean {
  return Array.isArray(list) && list.every((name) => typeof name === 'string');
}

/**
 * @param where the function that was called, for messages
 * @throws TypeError for anything else
 */
export function toIdentity(user: TestUser | undefined, where: string): Identity {
  if (user === undefined) return guest;
  if (typeof user === 'string' && user !== '') return testIdentity(user);
  if (isIdentity(user)) return user;
  throw new TypeError(
    `${where}: identity is ${describeValue(user)}. Pass the name of a user, or an identity: testIdentity("amy", ["editors"]), or testIdentity() for the guest.`,
  );
}
