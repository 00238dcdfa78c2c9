import type { PasswordClient, PasswordSource } from '../http/credential-source';
import { addressKey } from '../../../framework';
import { MAX_PASSWORD_LENGTH } from './hashes/password-hash';
import type { PasswordHashing } from './password-hashing';
import type { PasswordStore } from './password-store';
import { SharedVerification } from './shared-verification';
import { VerifiedCredentials } from './verified-credentials';

interface PendingVerification {
  readonly shared: SharedVerification;
  readonly matching: Promise<string | undefined>;
}

/** Verifies passwords against a store, at the same cost for unknown users. Caches what it verified until it changes. */
export class PasswordVerifier implements PasswordSource {
  readonly #store: PasswordStore;
  readonly #hashing: PasswordHashing;
  readonly #verified: VerifiedCredentials;
  readonly #pending = new Map<string, PendingVerification>();
  readonly #unsubscribe: (() => void) | undefined;

  constructor(store: PasswordStore, hashing: PasswordHashing, verified = new VerifiedCredentials()) {
    this.#store = store;
    this.#hashing = hashing;
    this.#verified = verified;
    this.#unsubscribe = store.onChange?.(() => {
      verified.clear();
      // Those that are running compare with old hashes: nobody else joins them, and their outcome is not cached.
      this.#pending.clear();
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
    // Not shared between addresses, so that nobody waits for the turn of another client.
    const sharedKey = `${key}\0${addressKey(client.address)}`;
    const pending = this.#pending.get(sharedKey);
    if (pending !== undefined && !pending.shared.signal.aborted) {
      pending.shared.join(client.signal);
      return pending.matching;
    }
    const shared = new SharedVerification();
    shared.join(client.signal);
    const isPending = (): boolean => this.#pending.get(sharedKey)?.shared === shared;
    const matching = this.#hashing
      .run(() => matchingHash(this.#store, username, password), {
        address: client.address,
        signal: shared.signal,
      })
      .then((stored) => {
        if (stored !== undefined && isPending() && this.#unsubscribe !== undefined)
          this.#verified.add(key, { username, stored });
        return stored;
      })
      .finally(() => {
        if (isPending()) this.#pending.delete(sharedKey);
      });
    this.#pending.set(sharedKey, { shared, matching });
    return matching;
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
