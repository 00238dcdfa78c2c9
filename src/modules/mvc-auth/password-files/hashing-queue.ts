import { availableParallelism } from 'node:os';

/** More passwords wait to be hashed than may wait: the service is overloaded, the credentials are unjudged. */
export class HashingOverloadError extends Error {
  override readonly name = 'HashingOverloadError';
  /** When to try again, in seconds. */
  readonly retryAfter: number;

  constructor(waiting: number, retryAfter: number) {
    super(`${waiting} passwords wait to be verified already; try again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/**
 * Lets a few password hashes be computed at a time and a bounded number wait, in the order of arrival: hashing
 * is the one thing that strangers can make expensive, and it may not take all threads that files need too.
 */
export class HashingQueue {
  readonly #atOnce: number;
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param options `atOnce`: computed at a time, by default 1 to 3; `limit`: waiting, by default 256 */
  constructor(options: { readonly atOnce?: number; readonly limit?: number } = {}) {
    this.#atOnce = options.atOnce ?? Math.min(3, Math.max(1, availableParallelism() - 1));
    this.#limit = options.limit ?? 256;
  }

  /** Runs a task when its turn comes. Rejects with {@link HashingOverloadError} when too many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#turn();
    else this.#running++;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed over, not freed: a newcomer can't overtake.
      if (next) next();
      else this.#running--;
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= this.#limit) throw new HashingOverloadError(this.#waiting.length, 5);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
