import { LONGEST_PASSWORD } from './hashes/password-hash';
import type { HashingQueue } from './hashing-queue';
import type { PasswordTable } from './password-table';
import type { VerifiedCredentials } from './verified-credentials';

/** Tries passwords against the users of a file; an unknown user costs what a known one does. */
export class PasswordVerifier {
  readonly #table: () => PasswordTable;
  readonly #queue: HashingQueue;
  readonly #verified: VerifiedCredentials;
  readonly #trying = new Map<string, Promise<boolean>>();

  /** @param table the users as the file has them now */
  constructor(table: () => PasswordTable, queue: HashingQueue, verified: VerifiedCredentials) {
    this.#table = table;
    this.#queue = queue;
    this.#verified = verified;
  }

  /**
   * Whether the password is the user's. At once where these credentials were verified a moment ago; requests
   * that arrive together with the same credentials share one computation.
   *
   * Rejects with a HashingOverloadError when too many passwords wait.
   */
  verify(username: string, password: string): boolean | Promise<boolean> {
    if (Buffer.byteLength(password) > LONGEST_PASSWORD) return false;
    const table = this.#table();
    // Nothing is ever remembered under an empty hash, so that an unknown user is never a known one's twin.
    const stored = table.users.get(username)?.stored ?? '';
    const key = this.#verified.keyOf(stored, username, password);
    if (this.#verified.has(key)) return true;
    const begun = this.#trying.get(key);
    if (begun) return begun;
    const trial = this.#queue
      .run(() => attempt(table, username, password))
      .then((right) => {
        if (right) this.#verified.remember(key);
        return right;
      })
      .finally(() => this.#trying.delete(key));
    this.#trying.set(key, trial);
    return trial;
  }
}

async function attempt(table: PasswordTable, username: string, password: string): Promise<boolean> {
  const hash = table.users.get(username);
  if (hash !== undefined) {
    if (await hash.verify(password)) return true;
    // In a file of several kinds, a cheap hash would tell by its haste that the user exists.
    if (hash.cost >= table.dummy.cost) return false;
  }
  await table.dummy.verify(password);
  return false;
}
