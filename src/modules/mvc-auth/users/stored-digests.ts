import type { DigestSource, GroupSource, PasswordClient } from '../http/credential-source';
import { DIGEST_ALGORITHMS, readDigestSecret } from '../http/digest/digest-algorithm';
import type { CachedUsers } from './cached-users';
import type { StoredUser } from './user-table';
import type { UserTableSettings } from './user-table-settings';

/** The Digest secrets of a table. Offers the algorithms that have a column. */
export function storedDigests(users: CachedUsers, { ha1 = {} }: UserTableSettings): DigestSource {
  return {
    algorithms: DIGEST_ALGORITHMS.filter((algorithm) => ha1[algorithm] !== undefined),
    secretOf: (username, algorithm, client) =>
      ofUser(users, username, (user) => readDigestSecret(user?.ha1[algorithm] ?? '', algorithm), client),
  };
}

const NONE: readonly string[] = Object.freeze([]);

/** The groups of a table. */
export function storedGroups(users: CachedUsers): GroupSource {
  return { groupsOf: (username) => ofUser(users, username, (user) => user?.groups ?? NONE) };
}

/** Synchronous for a user who was read recently. */
function ofUser<T>(
  users: CachedUsers,
  username: string,
  read: (user: StoredUser | undefined) => T,
  client?: PasswordClient,
): T | Promise<T> {
  const found = users.find(username, client);
  return found instanceof Promise ? found.then(read) : read(found);
}
