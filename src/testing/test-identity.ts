import { whatIs } from '../framework';
import { AuthenticatedIdentity, guest, isIdentity, type Identity } from '../modules/mvc-auth';

/** A user by name, or an identity as it is. */
export type TestUser = string | Identity;

/**
 * Somebody who makes requests: the guest, or a user who was authenticated.
 *
 * @throws TypeError for groups that are no list of names
 * @example
 * testIdentity('amy', ['editors'])
 */
export function testIdentity(name?: string, groups: readonly string[] = []): Identity {
  if (name === undefined) return guest;
  const given: unknown = groups;
  const isList = Array.isArray(given) && given.every((group) => typeof group === 'string');
  if (typeof name !== 'string' || name === '' || !isList) {
    throw new TypeError(
      `testIdentity(): the name is ${whatIs(name)}, the groups are ${whatIs(given)}. Give the name of a user, and a list of the names of groups.`,
    );
  }
  return new AuthenticatedIdentity(name, groups);
}

/**
 * @param where what was called, for messages
 * @throws TypeError for what is nobody
 */
export function toIdentity(user: TestUser | undefined, where: string): Identity {
  if (user === undefined) return guest;
  if (typeof user === 'string' && user !== '') return testIdentity(user);
  if (isIdentity(user)) return user;
  throw new TypeError(
    `${where}: identity is ${whatIs(user)}. Give the name of a user, or an identity: testIdentity("amy", ["editors"]), testIdentity() for the guest.`,
  );
}
