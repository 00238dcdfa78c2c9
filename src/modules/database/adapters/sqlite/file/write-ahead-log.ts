import { statSync } from 'node:fs';
import type { DatabaseFile } from './database-file';

/** Writes of the main thread after which a thread copies the log into the database. */
const CHECKPOINT_WRITES = 500;

/** The write-ahead log of a database file. A thread copies it into the database. */
export class WriteAheadLog {
  readonly #file: DatabaseFile;
  #writesSinceCheckpoint = 0;

  constructor(file: DatabaseFile) {
    this.#file = file;
  }

  /** Counts a write of the main thread. A commit that copies the log waits for the disk: the thread does that. */
  written(): void {
    if (++this.#writesSinceCheckpoint < CHECKPOINT_WRITES) return;
    this.#writesSinceCheckpoint = 0;
    this.#file.threads.writer.request({ type: 'checkpoint', mode: 'PASSIVE' }).catch(() => undefined);
  }

  /**
   * Moves everything from the log into the file, so that the file alone is the database. SQLite does so when the last
   * connection closes, but the package keeps connections open whose statements are not collected yet.
   */
  async empty(): Promise<void> {
    if (!this.#file.isOpen) return;
    const size = statSync(`${this.#file.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) return;
    await this.#file.threads.writer.request({ type: 'checkpoint', mode: 'TRUNCATE' }).catch(() => undefined);
  }
}
