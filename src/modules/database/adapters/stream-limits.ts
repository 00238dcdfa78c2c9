import { DatabaseError } from './database-error';
import type { Row } from './database-adapter';

/** Seconds after which a stream ends whose reader takes nothing. */
const DEFAULT_STALL_SECONDS = 30;

/**
 * Limits the streams of a database: their number, since each holds a connection, and how long a reader may take
 * nothing, since an open stream also keeps the database from reclaiming space.
 */
export class StreamLimits {
  readonly #maximum: number;
  readonly #stallTimeout: number;
  #open = 0;

  /**
   * @param maximum at least one is possible
   * @param stallSeconds of a reader; defaults to 30
   */
  constructor(maximum: number, stallSeconds: number = DEFAULT_STALL_SECONDS) {
    this.#maximum = Math.max(1, Math.floor(maximum));
    this.#stallTimeout = stallSeconds * 1000;
  }

  /**
   * Passes on the batches of a stream.
   * @param open begins to read; ending the iteration releases the connection
   * @throws DatabaseError if too many streams are open, or the reader took nothing for too long
   */
  async *limit(open: () => AsyncGenerator<readonly Row[], void>): AsyncGenerator<readonly Row[], void> {
    if (this.#open >= this.#maximum)
      throw new DatabaseError('unavailable', `All ${this.#maximum} connections for streams are in use.`);
    const source = open();
    this.#open++;
    const stalled = new AbortController();
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (isReleased) return;
      isReleased = true;
      this.#open--;
      await source.return();
    };
    const onStall = (): void => {
      stalled.abort();
      // What fails now is of no use to anyone.
      release().catch(() => undefined);
    };
    try {
      for await (const batch of source) {
        const timer = setTimeout(onStall, this.#stallTimeout).unref();
        try {
          yield batch;
        } finally {
          clearTimeout(timer);
        }
        if (stalled.signal.aborted)
          throw new DatabaseError('timeout', 'The reader of a stream has read nothing for too long.');
      }
    } finally {
      await release();
    }
  }
}
