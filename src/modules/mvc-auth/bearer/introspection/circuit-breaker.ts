/** After so many failures in a row, nothing is tried for a while. */
const MAX_FAILURES = 3;

/** In milliseconds. */
const OPEN_FOR = 10_000;

/**
 * Stops asking a service that fails, so that requests do not wait for it: after three failures in a row, it is asked again
 * after ten seconds, by one request. Its success closes the circuit.
 */
export class CircuitBreaker {
  readonly #clock: () => number;
  #failures = 0;
  #openUntil = 0;

  /** @param clock milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Milliseconds until the service may be asked; 0 for now, which each caller must follow by `succeeded` or `failed`. */
  waitingTime(): number {
    if (this.#failures < MAX_FAILURES) return 0;
    const now = this.#clock();
    if (now < this.#openUntil) return this.#openUntil - now;
    // Others wait for the outcome of this one.
    this.#openUntil = now + OPEN_FOR;
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures++;
    this.#openUntil = this.#clock() + OPEN_FOR;
  }
}
