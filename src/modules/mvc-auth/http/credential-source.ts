import type { DigestAlgorithm } from './digest/digest-algorithm';

/** The client that signs in. */
export interface PasswordClient {
  /** Its network address, for limits on pending verifications. */
  readonly address: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies the passwords of Basic. `PasswordVerifier` implements it over stored hashes; implement it directly where
 * another service verifies passwords.
 */
export interface PasswordSource {
  /**
   * Resolves to whether the password is the user's. It must take as long for a user who does not exist as for one who
   * does. Rejects only when it cannot decide now, e.g. because too many verifications are pending.
   *
   * @param field the `Authorization` field that carried both, as a cache key
   */
  verify(
    username: string,
    password: string,
    client: PasswordClient,
    field: string,
  ): boolean | Promise<boolean>;
  /** The user of a field that was verified recently; undefined for any other field. */
  recall?(field: string): string | undefined;
}

/**
 * Looks up the users of one realm for Digest. It is asked at every request, so that a change takes effect at once. A
 * lookup must take as long for a user who does not exist as for one who does; the scheme then computes the same digests
 * for both.
 */
export interface DigestSource {
  /** The algorithms to offer, strongest first: those for which users have secrets. */
  readonly algorithms: readonly DigestAlgorithm[];
  /**
   * H(username ":" realm ":" password) in lower-case hexadecimal; undefined where the user has no such secret.
   *
   * @param client that signs in, for limits on pending lookups
   */
  secretOf(
    username: string,
    algorithm: DigestAlgorithm,
    client: PasswordClient,
  ): string | undefined | Promise<string | undefined>;
  /**
   * The user whose name and realm have this hash (RFC 7616, 3.4.4), from an index in memory. Without it, challenges do
   * not offer `userhash`.
   */
  usernameOf?(userhash: string, algorithm: DigestAlgorithm): string | undefined;
}

/** Looks up the groups of users. */
export interface GroupSource {
  groupsOf(username: string): readonly string[] | Promise<readonly string[]>;
}
