/** Runs a task one at a time; calls while it runs lead to one more run. */
export class SingleFlight {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  /** Calls since the last run began. */
  #calls = 0;

  /** @param task must not reject */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** @returns the end of the runs */
  run(): Promise<void> {
    this.#calls++;
    this.#running ??= this.#loop();
    return this.#running;
  }

  async #loop(): Promise<void> {
    while (this.#calls > 0) {
      this.#calls = 0;
      await this.#task();
    }
    this.#running = undefined;
  }
}
