import type { UserTable } from '../../mvc-auth';
import { DatabaseError } from '../adapters/database-error';

/** The users of a database that has not been reached since the start. */
export class UnreadUserTable implements UserTable {
  readonly title: string;
  readonly warnings: readonly string[] = [];

  constructor(title: string) {
    this.title = title;
  }

  readonly #refuse = (): Promise<never> =>
    Promise.reject(new DatabaseError('unavailable', 'the database cannot be reached'));

  readonly find = this.#refuse;
  readonly sampleHashes = this.#refuse;
  readonly add = this.#refuse;
  readonly change = this.#refuse;

  onChange(): () => void {
    return () => undefined;
  }
}
