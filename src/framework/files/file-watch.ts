import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Polling interval, for where file system events are missing (network folders, replaced links). */
const INTERVAL = 1000;

/** How long a file must stay unchanged before it is read, so that it is not read half written. */
const SETTLE = 25;

/**
 * Watches a file for changes: written, replaced by a rename, deleted, created. Watches its folder, since the watch of a
 * file stays with the old one after a rename, and polls every second. Does not keep the process alive.
 */
export class FileWatch {
  readonly #path: string;
  readonly #changed: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  #names: ReadonlySet<string>;
  #seen: string;
  /** Events since the last check was finished. */
  #events = 0;
  #checking: Promise<void> | undefined;
  readonly #closing = new AbortController();
  readonly #closed = this.#closing.signal;

  /**
   * @param seen the {@link fileMark} when the file was last read
   * @param changed called one at a time; must not reject
   */
  constructor(path: string, seen: string, changed: () => Promise<void>) {
    this.#path = path;
    this.#seen = seen;
    this.#changed = changed;
    this.#names = namesOf(path);
    this.#timer = setInterval(() => void this.check(), INTERVAL).unref();
    this.#listen();
  }

  close(): void {
    this.#closing.abort();
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  #listen(): void {
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (type, name) => {
        // Another file of the folder may be written often, such as a log. A rename of another name may concern this
        // file: that of a link on the way to it.
        if (type === 'rename' || name === null || this.#names.has(name.toLowerCase())) void this.check();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The timer detects changes without events.
    }
  }

  /** Checks the file now, without waiting for an event. Resolves when a change has been handled. */
  check(): Promise<void> {
    this.#events++;
    return (this.#checking ??= this.#checkAll());
  }

  /** Checks the file, and again after events that arrive meanwhile. */
  async #checkAll(): Promise<void> {
    for (let handled = 0; handled < this.#events;) {
      handled = this.#events;
      await this.#checkOnce();
    }
    this.#events = 0;
    this.#checking = undefined;
  }

  async #checkOnce(): Promise<void> {
    const mark = await fileMark(this.#path);
    if (mark === this.#seen) return;
    this.#seen = await settledMark(this.#path, mark);
    this.#names = namesOf(this.#path);
    if (!this.#closed.aborted) await this.#changed();
  }
}

/** The names of a file in lower case, as some systems report another case: its own, and that of the file it links to. */
function namesOf(path: string): ReadonlySet<string> {
  const names = [path];
  try {
    names.push(realpathSync(path));
  } catch {
    // The file does not exist now.
  }
  return new Set(names.map((name) => basename(name).toLowerCase()));
}

async function settledMark(path: string, mark: string): Promise<string> {
  const next = await laterMark(path, SETTLE);
  return next === mark ? mark : settledMark(path, next);
}

/** The {@link fileMark} after some milliseconds: another one than before while a program writes the file. */
export async function laterMark(path: string, milliseconds: number): Promise<string> {
  await delay(milliseconds, undefined, { ref: false });
  return fileMark(path);
}

/** Identifies a state of a file; empty for a missing file. */
export async function fileMark(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return '';
  }
}
