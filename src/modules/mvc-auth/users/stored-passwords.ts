import type { PasswordClient, PasswordSource } from '../http/credential-source';
import { DUMMY_BCRYPT } from '../passwords/hashes/bcrypt-hash';
import type { PasswordHash } from '../passwords/hashes/password-hash';
import { readPasswordHash } from '../passwords/hashes/read-password-hash';
import type { WeakKind } from '../passwords/hashes/weak-hash';
import type { PasswordHashing } from '../passwords/password-hashing';
import { PasswordVerifier } from '../passwords/password-verifier';
import { VerifiedCredentials } from '../passwords/verified-credentials';
import type { CachedUsers } from './cached-users';
import type { StoredUser } from './user-table';

/** Users whose hashes are reported, at most. */
const MAX_REPORTED = 20;

export interface StoredPasswordsOptions {
  /** Kinds of hashes to accept though they offer no protection. */
  readonly weak: readonly WeakKind[];
  readonly hashing: PasswordHashing;
  /** Some hashes of the table: unknown users cost what the most expensive one costs. */
  readonly sample: readonly string[];
  readonly clock: () => number;
  /** Receives the names of users whose hash is not supported. */
  readonly unsupported: (name: string) => void;
}

/**
 * Verifies passwords against the hashes of a table. A verified password is remembered together with its hash: it counts
 * as long as the user is enabled and has this hash.
 */
export class StoredPasswords implements PasswordSource {
  readonly #users: CachedUsers;
  readonly #options: StoredPasswordsOptions;
  readonly #verified: VerifiedCredentials;
  readonly #verifier: PasswordVerifier;
  readonly #reported = new Set<string>();
  #dummy: PasswordHash;

  constructor(users: CachedUsers, options: StoredPasswordsOptions) {
    this.#users = users;
    this.#options = options;
    this.#verified = new VerifiedCredentials({ clock: options.clock });
    const hashes = options.sample.flatMap((stored) => readPasswordHash(stored, options.weak) ?? []);
    this.#dummy = hashes.reduce(
      (most, hash) => (hash.cost > most.cost ? hash : most),
      hashes[0] ?? DUMMY_BCRYPT,
    );
    const dummy = (): PasswordHash => this.#dummy;
    this.#verifier = new PasswordVerifier(
      {
        find: async (username) => this.#hashOf(username, await users.find(username)),
        get dummy() {
          return dummy();
        },
      },
      options.hashing,
    );
  }

  verify(
    username: string,
    password: string,
    client: PasswordClient,
    field: string,
  ): boolean | Promise<boolean> {
    const found = this.#users.find(username, client);
    return found instanceof Promise
      ? found.then((user) => this.#verify(user, username, password, client, field))
      : this.#verify(found, username, password, client, field);
  }

  #verify(
    user: StoredUser | undefined,
    username: string,
    password: string,
    client: PasswordClient,
    field: string,
  ): boolean | Promise<boolean> {
    return user?.hash !== undefined && this.#isVerified(username, user.hash, password)
      ? true
      : this.#verifier.verify(username, password, client, field);
  }

  #isVerified(username: string, stored: string, password: string): boolean {
    return this.#verified.get(this.#keyOf(stored, password))?.username === username;
  }

  #keyOf(stored: string, password: string): string {
    return this.#verified.keyOf(`${stored}\0${password}`);
  }

  #hashOf(username: string, user: StoredUser | undefined): PasswordHash | undefined {
    if (user?.hash === undefined) return undefined;
    const hash = readPasswordHash(user.hash, this.#options.weak);
    if (hash === undefined) {
      this.#report(username);
      return undefined;
    }
    const { stored, cost } = hash;
    if (cost > this.#dummy.cost) this.#dummy = hash;
    return {
      stored,
      cost,
      verify: async (password) => {
        if (this.#isVerified(username, stored, password)) return true;
        const isCorrect = await hash.verify(password);
        if (isCorrect) this.#verified.remember(this.#keyOf(stored, password), { username, stored });
        return isCorrect;
      },
    };
  }

  #report(username: string): void {
    if (this.#reported.size >= MAX_REPORTED || this.#reported.has(username)) return;
    this.#reported.add(username);
    this.#options.unsupported(username);
  }
}
