import type { PasswordClient, PasswordSource } from '../http/credential-source';
import { MAX_PASSWORD_LENGTH } from './hashes/password-hash';
import type { PasswordHashing } from './password-hashing';
import type { PasswordStore } from './password-store';
import { SharedTurns } from './shared-turns';
import { VerifiedCredentials } from './verified-credentials';

/** Verifies passwords against a store, at the same cost for unknown users. Caches what it verified until it changes. */
export class PasswordVerifier implements PasswordSource {
  readonly #store: PasswordStore;
  readonly #turns: SharedTurns<string | undefined>;
  readonly #verified: VerifiedCredentials;
  readonly #unsubscribe: (() => void) | undefined;

  constructor(store: PasswordStore, hashing: PasswordHashing, verified = new VerifiedCredentials()) {
    this.#store = store;
    this.#turns = new SharedTurns(hashing);
    this.#verified = verified;
    this.#unsubscribe = store.onChange?.(() => {
      // Those that are running compare with old hashes: nobody else joins them, and their outcome is not cached.
      verified.clear();
      this.#turns.clear();
    });
  }

  recall(field: string): string | undefined {
    return this.#verified.get(this.#verified.keyOf(field))?.username;
  }

  /**
   * Resolves to whether the password is the user's; synchronous for credentials that were verified recently. Concurrent
   * requests of one address with the same credentials share one computation.
   *
   * Rejects with a HashingOverloadError when too many verifications are pending, and with a HashingAbortedError when
   * all clients that waited for it have disconnected.
   */
  verify(
    username: string,
    password: string,
    client: PasswordClient,
    field?: string,
  ): boolean | Promise<boolean> {
    const matching = this.matching(username, password, client, field);
    return matching instanceof Promise
      ? matching.then((stored) => stored !== undefined)
      : matching !== undefined;
  }

  /**
   * As {@link verify}, with the stored hash that the password matches; undefined for a wrong password. The store may have
   * another hash when a verification ends: what is bound to a hash has to be bound to this one.
   */
  matching(
    username: string,
    password: string,
    client: PasswordClient,
    field = `${username}\0${password}`,
  ): string | undefined | Promise<string | undefined> {
    if (Buffer.byteLength(password) > MAX_PASSWORD_LENGTH) return undefined;
    const key = this.#verified.keyOf(field);
    const known = this.#verified.get(key);
    if (known?.username === username) return known.stored;
    const { generation } = this.#verified;
    const verify = async (): Promise<string | undefined> => {
      const stored = await matchingHash(this.#store, username, password);
      if (stored !== undefined && generation === this.#verified.generation && this.#unsubscribe !== undefined)
        this.#verified.remember(key, { username, stored });
      return stored;
    };
    return this.#turns.run(key, verify, client);
  }

  /** Stops observing the store. */
  dispose(): void {
    this.#unsubscribe?.();
  }
}

async function matchingHash(
  store: PasswordStore,
  username: string,
  password: string,
): Promise<string | undefined> {
  const found = store.find(username);
  const hash = found instanceof Promise ? await found : found;
  const { dummy } = store;
  if (hash !== undefined) {
    if (await hash.verify(password)) return hash.stored;
    // A hash that is cheaper than others would reveal by its speed that the user exists.
    if (hash.cost >= dummy.cost) return undefined;
  }
  await dummy.verify(password);
  return undefined;
}
