const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 1000;

/**
 * Whether a database is available, as its use shows. After a failure it is probed with exponential backoff and
 * jitter, so that it is available again without a request that fails first.
 */
export class Availability {
  readonly #probe: () => Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  #isAvailable: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delay = FIRST_DELAY_MS;
  #isClosed = false;

  /** @param probe uses the database and reports the result; its rejection is ignored */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  get isAvailable(): boolean | undefined {
    return this.#isAvailable;
  }

  /** @returns a function that removes the listener */
  onAvailable(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reports a successful use. */
  succeeded(): void {
    if (this.#isAvailable === true || this.#isClosed) return;
    const isRecovered = this.#isAvailable === false;
    this.#isAvailable = true;
    this.#delay = FIRST_DELAY_MS;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (isRecovered) for (const listener of [...this.#listeners]) listener();
  }

  /** Reports that the database could not be used. */
  failed(): void {
    this.#isAvailable = false;
    if (this.#timer !== undefined || this.#isClosed) return;
    // Between half of the delay and all of it: the processes of a deployment do not reconnect at once.
    const delay = this.#delay * (0.5 + Math.random() / 2);
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY_MS);
    this.#timer = setTimeout(() => void this.#probeAgain(), delay);
    this.#timer.unref();
  }

  /** Ends the probes. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #probeAgain(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.#probe();
    } catch {
      if (this.#isAvailable === false) this.failed();
    }
  }
}
