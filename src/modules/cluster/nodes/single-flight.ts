/** Runs a task one at a time; calls while it runs lead to one more run. */
export class SingleFlight {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isAgain = false;

  /** @param task must not reject */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** @returns the end of the runs */
  run(): Promise<void> {
    if (this.#running !== undefined) {
      this.#isAgain = true;
      return this.#running;
    }
    this.#running = this.#loop();
    return this.#running;
  }

  async #loop(): Promise<void> {
    do {
      this.#isAgain = false;
      await this.#task();
    } while (this.#isAgain);
    this.#running = undefined;
  }
}
