/** How often the event loop is sampled, in milliseconds. */
const INTERVAL_MS = 250;

/** Late samples in a row that mean overload. A single one may be a pause for garbage collection. */
const LATE_SAMPLES = 2;

/** Decides whether the event loop is overloaded, from how late a timer runs. */
export class EventLoopLag {
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout;
  #due: number;
  #late = 0;

  /** @param limit in seconds, above 0 */
  constructor(limit: number, now = performance.now()) {
    this.#limit = limit * 1_000;
    this.#due = now + INTERVAL_MS;
    this.#timer = setInterval(() => this.sample(), INTERVAL_MS).unref();
  }

  /** Records when the timer ran. */
  sample(now = performance.now()): void {
    this.#late = now - this.#due > this.#limit ? this.#late + 1 : 0;
    this.#due = now + INTERVAL_MS;
  }

  /** The timer may be overdue at the moment: one turn of the event loop can handle many requests. */
  isOverloaded(now = performance.now()): boolean {
    if (this.#late >= LATE_SAMPLES) return true;
    return this.#late === LATE_SAMPLES - 1 && now - this.#due > this.#limit;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
