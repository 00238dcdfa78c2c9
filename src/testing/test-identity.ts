import { describeValue } from '../framework';
import { AuthenticatedIdentity, guest, isIdentity, type Identity } from '../modules/mvc-auth';

/** The name of a user, or an identity. */
export type TestUser = string | Identity;

/**
 * Creates an identity: the guest, or an authenticated user.
 *
 * @throws TypeError for an empty name, or groups that are not an array of names
 * @example
 * testIdentity('amy', ['editors'])
 */
export function testIdentity(name?: string, groups: readonly string[] = []): Identity {
  if (name === undefined) return guest;
  const unchecked: unknown = groups;
  const areNames = Array.isArray(unchecked) && unchecked.every((group) => typeof group === 'string');
  if (typeof name !== 'string' || name === '' || !areNames) {
    throw new TypeError(
      `testIdentity(): the name is ${describeValue(name)}, the groups are ${describeValue(groups)}. Pass the name of a user, and an array of group names.`,
    );
  }
  return new AuthenticatedIdentity(name, groups);
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
