import { isThenable, steadyNow, errorMessage } from '../../../framework';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import type { PasswordClient } from '../http/credential-source';
import { detachString } from '../http/detach-string';
import { HashingQueue } from '../passwords/hashing-queue';
import { PasswordHashing } from '../passwords/password-hashing';
import { SharedTurns } from '../passwords/shared-turns';
import type { StoredUser, UserTable } from './user-table';

/** Milliseconds after which another process's change takes effect. */
const LIFETIME_MS = 5000;

/** Users in memory; as many unknown names besides, so that guesses do not evict users. */
const MAX_USERS = 1000;

/** Lookups for clients that run at once: a flood of sign-ins does not occupy all connections of a database. */
const MAX_LOOKUPS = 4;

/** The limit of password files, in bytes. Longer names are not looked up. */
const MAX_NAME_BYTES = 255;

/** Seconds. */
const RETRY_AFTER = 2;

interface Entry {
  readonly user: StoredUser | undefined;
  readonly expiresAt: number;
}

export interface CachedUsersOptions {
  /** Milliseconds. */
  readonly clock?: () => number;
  /** Receives that the database is down, and that it is available again. */
  readonly warn: (message: string) => void;
  /** Its limit of what is pending for an address applies to lookups, too. */
  readonly hashing?: PasswordHashing;
}

/**
 * The users of a table, each read again after a few seconds, and at once after this process has written to the table.
 * Concurrent lookups of one name share one query. A disabled user is unknown.
 */
export class CachedUsers {
  readonly #table: Pick<UserTable, 'find' | 'onChange' | 'title'>;
  readonly #clock: () => number;
  readonly #warn: (message: string) => void;
  readonly #known = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<StoredUser | undefined>>();
  /** Apart from the queue of hashes, which a database that does not respond would block for all other adapters. */
  readonly #turns: SharedTurns<StoredUser | undefined>;
  readonly #unsubscribe: () => void;
  /** Lookups that began before a change are not cached. */
  #generation = 0;
  #isDown = false;

  constructor(
    table: Pick<UserTable, 'find' | 'onChange' | 'title'>,
    { clock = steadyNow, warn, hashing = new PasswordHashing() }: CachedUsersOptions,
  ) {
    this.#turns = new SharedTurns(hashing.over(new HashingQueue({ concurrency: MAX_LOOKUPS })));
    this.#table = table;
    this.#clock = clock;
    this.#warn = warn;
    this.#unsubscribe = table.onChange(() => this.#clear());
  }

  /**
   * @param client of a sign-in: what has to be read waits for the turn of its address
   * @throws AuthenticationUnavailable, or rejects with it, if the table cannot be read; also rejects as
   * {@link PasswordHashing.run}
   */
  find(name: string, client?: PasswordClient): StoredUser | undefined | Promise<StoredUser | undefined> {
    const recent = this.#recent(name);
    if (recent !== undefined) return recent.user;
    if (Buffer.byteLength(name) > MAX_NAME_BYTES || name.includes('\0')) return undefined;
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    return client === undefined
      ? this.#read(name)
      : this.#turns.run(name, async () => this.find(name), client);
  }

  #read(name: string): StoredUser | undefined | Promise<StoredUser | undefined> {
    const generation = this.#generation;
    try {
      const found = this.#table.find(name);
      return isThenable(found) ? this.#share(name, found, generation) : this.#add(name, found, generation);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #recent(name: string): Entry | undefined {
    const entry = this.#known.get(name) ?? this.#unknown.get(name);
    return entry !== undefined && entry.expiresAt > this.#clock() ? entry : undefined;
  }

  #share(
    name: string,
    found: PromiseLike<StoredUser | undefined>,
    generation: number,
  ): Promise<StoredUser | undefined> {
    const reading = Promise.resolve(found)
      .then(
        (user) => this.#add(name, user, generation),
        (error: unknown) => {
          throw this.#unavailable(error);
        },
      )
      .finally(() => {
        if (this.#pending.get(name) === reading) this.#pending.delete(name);
      });
    this.#pending.set(name, reading);
    return reading;
  }

  #add(name: string, found: StoredUser | undefined, generation: number): StoredUser | undefined {
    if (this.#isDown) {
      this.#isDown = false;
      this.#warn(`${this.#table.title} can be read again`);
    }
    const user = found?.isEnabled === true ? found : undefined;
    if (generation !== this.#generation) return user;
    this.#known.delete(name);
    this.#unknown.delete(name);
    const entries = user === undefined ? this.#unknown : this.#known;
    entries.set(detachString(name), { user, expiresAt: this.#clock() + LIFETIME_MS });
    const [oldest] = entries.keys();
    if (entries.size > MAX_USERS && oldest !== undefined) entries.delete(oldest);
    return user;
  }

  #unavailable(error: unknown): AuthenticationUnavailable {
    const reason = errorMessage(error);
    const message = `${this.#table.title} cannot be read (${reason})`;
    if (!this.#isDown) {
      this.#isDown = true;
      this.#warn(`${message}; requests with credentials receive 503 until it can`);
    }
    return new AuthenticationUnavailable(message, RETRY_AFTER, { cause: error });
  }

  #clear(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
    this.#pending.clear();
    this.#turns.clear();
  }
}
