import type { PasswordHash } from './hashes/password-hash';

/**
 * The stored passwords of users: a password file, a database table, or whatever a module provides.
 * {@link PasswordVerifier} verifies passwords against it.
 */
export interface PasswordStore {
  /**
   * Returns the stored hash of a user; undefined for an unknown one. Called only when it is the client's turn, so that
   * a flood of sign-ins does not reach a database. A lookup must take as long for an unknown user as for a known one.
   */
  find(username: string): PasswordHash | undefined | Promise<PasswordHash | undefined>;
  /** At least as expensive as each hash of the store. Verified for unknown users, so that they take as long as known ones. */
  readonly dummy: PasswordHash;
  /**
   * Calls `listener` after stored hashes have changed: what was verified before is forgotten. Without this method no
   * verification is cached, and each request costs a hash.
   *
   * @returns stops calling it
   */
  onChange?(listener: () => void): () => void;
}
