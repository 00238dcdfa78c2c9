/** Counts what uses an application: requests in flight, and what holds it. */
export class ApplicationUse {
  #requests = 0;
  #held = 0;
  #onEnd: (() => void) | undefined;

  /** The number of requests in flight. */
  get requests(): number {
    return this.#requests;
  }

  beginRequest(): void {
    this.#requests++;
  }

  endRequest(): void {
    this.#requests--;
    this.#notifyIfUnused();
  }

  /** @returns a function that ends the use; further calls have no effect */
  hold(): () => void {
    let isHeld = true;
    this.#held++;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held--;
      this.#notifyIfUnused();
    };
  }

  /** Waits until nothing uses the application. */
  async end(): Promise<void> {
    if (this.#requests > 0 || this.#held > 0) await new Promise<void>((resolve) => (this.#onEnd = resolve));
  }

  #notifyIfUnused(): void {
    if (this.#requests === 0 && this.#held === 0) this.#onEnd?.();
  }
}
