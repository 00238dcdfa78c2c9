import type { Log, SharedDocuments } from '../../../framework';

/** Milliseconds after which the end of a session is tried again. */
const RETRY_MS = 500;
/** Ends that are remembered. */
const MAX_ENTRIES = 1_000;

/** Ends of sessions that the other nodes must learn of, also if the store is out of reach when they happen. */
export class PendingEnds {
  readonly #documents: SharedDocuments;
  readonly #log: Log;
  /** By the name of a session or an epoch: how to end it in the store. */
  readonly #pending = new Map<string, () => Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(documents: SharedDocuments, log: Log) {
    this.#documents = documents;
    this.#log = log;
  }

  /** Whether a session was ended here, although the store may still have it. */
  hasEnded(id: string): boolean {
    return this.#pending.has(id);
  }

  /** @param names of its documents */
  async session(id: string, names: readonly string[]): Promise<void> {
    await this.#apply(id, () => Promise.all(names.map((name) => this.#documents.remove(name))));
  }

  /** Raises the epoch of an administrator. */
  async user(epochName: string): Promise<void> {
    await this.#apply(epochName, () => this.#documents.increment(epochName));
  }

  async #apply(key: string, end: () => Promise<unknown>): Promise<void> {
    try {
      await end();
      this.#pending.delete(key);
    } catch {
      if (this.#pending.size >= MAX_ENTRIES) {
        this.#log.error(
          {},
          'Redis is unreachable, and too many sessions were ended in the meantime: other nodes may continue some of them.',
        );
        return;
      }
      this.#pending.set(key, end);
      this.#timer ??= setInterval(() => void this.#retry(), RETRY_MS).unref();
    }
  }

  async #retry(): Promise<void> {
    if (this.#documents.isAvailable) for (const [key, end] of this.#pending) await this.#apply(key, end);
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
