import type { PasswordHash } from '../passwords/hashes/password-hash';
import type { PasswordStore } from '../passwords/password-store';
import { readPasswordTable, type PasswordTable } from './password-table';

/** The users of a password file, replaced as a whole when the file changes. */
export class PasswordTableStore implements PasswordStore {
  #table = readPasswordTable('');
  readonly #listeners = new Set<() => void>();

  get table(): PasswordTable {
    return this.#table;
  }

  get dummy(): PasswordHash {
    return this.#table.dummy;
  }

  find(username: string): PasswordHash | undefined {
    return this.#table.users.get(username);
  }

  replace(table: PasswordTable): void {
    this.#table = table;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
