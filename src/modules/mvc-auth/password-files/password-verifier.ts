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
   * Whose credentials were sent in this very text, and verified a moment ago: nothing of it is read for that.
   * @param sent see {@link verify}
   */
  recall(sent: string): string | undefined {
    return this.#known(this.#verified.keyOf(sent));
  }

  /**
   * Whether the password is the user's. At once where these credentials were verified a moment ago; requests
   * that arrive together with the same credentials share one computation.
   *
   * Rejects with a HashingOverloadError when too many passwords wait.
   *
   * @param sent the text in which both came, by which they are remembered
   */
  verify(username: string, password: string, sent = `${username}\0${password}`): boolean | Promise<boolean> {
    if (Buffer.byteLength(password) > LONGEST_PASSWORD) return false;
    const key = this.#verified.keyOf(sent);
    if (this.#known(key) === username) return true;
    const table = this.#table();
    const stored = table.users.get(username)?.stored ?? '';
    const begun = this.#trying.get(key + stored);
    if (begun) return begun;
    const trial = this.#queue
      .run(() => attempt(table, username, password))
      .then((right) => {
        if (right) this.#verified.remember(key, { username, stored });
        return right;
      })
      .finally(() => this.#trying.delete(key + stored));
    this.#trying.set(key + stored, trial);
    return trial;
  }

  /** Nothing is known of credentials any more once the file has another hash for their user. */
  #known(key: string): string | undefined {
    const known = this.#verified.get(key);
    if (known === undefined) return undefined;
    const { username, stored } = known;
    return this.#table().users.get(username)?.stored === stored ? username : undefined;
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
