import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a file is looked at where the system's own notice fails (network folders, swapped links). */
const INTERVAL = 1000;

/** A file that was touched is left alone for so long, lest it be read half written. */
const SETTLE = 25;

/**
 * Tells when a file has become another: written, replaced by a rename, taken away, come back. Listens to the
 * folder, since a rename leaves the watch of a file with the old one, and looks at the file every second
 * besides. Keeps no process alive.
 */
export class FileWatch {
  readonly #path: string;
  readonly #changed: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  #seen: string;
  /** Notices since the file was last left alone. */
  #notices = 0;
  readonly #closing = new AbortController();
  readonly #closed = this.#closing.signal;

  /**
   * @param seen the {@link fileMark} of what was read last
   * @param changed called one at a time; must not reject
   */
  constructor(path: string, seen: string, changed: () => Promise<void>) {
    this.#path = path;
    this.#seen = seen;
    this.#changed = changed;
    this.#timer = setInterval(() => void this.#look(), INTERVAL).unref();
    this.#listen();
  }

  close(): void {
    this.#closing.abort();
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  #listen(): void {
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, () => void this.#look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Without notices of the system the timer finds the change, a second later.
    }
  }

  /** Looks at the file; what happens meanwhile is looked at afterwards. */
  async #look(): Promise<void> {
    this.#notices++;
    if (this.#notices > 1) return;
    for (let answered = 0; answered < this.#notices;) {
      answered = this.#notices;
      await this.#lookOnce();
    }
    this.#notices = 0;
  }

  async #lookOnce(): Promise<void> {
    const mark = await fileMark(this.#path);
    if (mark === this.#seen) return;
    this.#seen = await settledMark(this.#path, mark);
    if (!this.#closed.aborted) await this.#changed();
  }
}

async function settledMark(path: string, mark: string): Promise<string> {
  await delay(SETTLE, undefined, { ref: false });
  const next = await fileMark(path);
  return next === mark ? mark : settledMark(path, next);
}

/** What tells one state of a file from another; empty when there is no such file. */
export async function fileMark(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return '';
  }
}
