import { performance } from 'node:perf_hooks';
import { DatabaseError } from '../database-error';

/** How long a transaction may hold its locks, or its connection: as long as one statement may take. */
export class HeldLocks {
  readonly #timeout: number;
  /** Rejected when no statement runs at the end of the time; one that runs is cancelled by its own deadline. */
  readonly expired: Promise<never>;
  #reject: (error: DatabaseError) => void = () => undefined;
  #until: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #failure: DatabaseError | undefined;

  /** @param timeout in milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.expired = new Promise((_, reject) => (this.#reject = reject));
    // The transaction may have ended.
    this.expired.catch(() => undefined);
  }

  /** Milliseconds that the next statement may take. */
  get remaining(): number {
    return this.#until === undefined ? this.#timeout : Math.max(this.#until - performance.now(), 0);
  }

  /** Set when the time is over. */
  get failure(): DatabaseError | undefined {
    return this.#failure;
  }

  /** Begins with the first write, or the transaction. */
  begin(): void {
    if (this.#until !== undefined) return;
    this.#until = performance.now() + this.#timeout;
    this.#timer = setTimeout(() => this.#expire(), this.#timeout);
  }

  /** Waits for a statement. */
  async during<T>(running: Promise<T>): Promise<T> {
    this.#isRunning = true;
    try {
      return await running;
    } finally {
      this.#isRunning = false;
      if (this.#until !== undefined && this.remaining === 0) this.#expire();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    if (this.#isRunning) return;
    this.#failure ??= new DatabaseError('timeout', 'The transaction held its locks for too long.', {
      limit: this.#timeout,
    });
    this.#reject(this.#failure);
  }
}
