import { hash } from 'node:crypto';
import { addressKey } from '../../../framework';

/** The user that credentials name, not yet verified. */
export interface ClaimedUser {
  readonly realm: string;
  readonly username: string;
  /** See `AuthenticationAttempt.guess`. */
  readonly guess: string | undefined;
}

interface CountedUser extends ClaimedUser {
  readonly key: string;
}

/** What the failures of a sign-in are counted for. */
export interface CountedKeys {
  readonly address: string;
  readonly users: readonly CountedUser[];
}

/** Longer user names are hashed, to limit memory. */
const MAX_LENGTH = 64;

function userKey({ realm, username }: ClaimedUser, address: string): string {
  const name = username.length > MAX_LENGTH ? `#${hash('sha256', username, 'base64url')}` : `=${username}`;
  return `${address}\0${realm}\0${name}`;
}

/** Returns the keys of a client that claims to be these users, one per adapter that may verify its credentials. */
export function countedKeys(clientAddress: string, users: readonly ClaimedUser[]): CountedKeys {
  const address = addressKey(clientAddress);
  const counted = users.map((user) => ({ ...user, key: userKey(user, address) }));
  if (counted.length < 2) return { address, users: counted };
  // Adapters of one realm count together.
  const byKey = new Map(counted.map((user) => [user.key, user]));
  return { address, users: [...byKey.values()] };
}
