/**
 * A password verification that several requests wait for. Its signal is aborted when the last of them disconnects, so
 * that it is dropped if it has not begun.
 */
export class SharedVerification {
  readonly #abort = new AbortController();
  #waiting = 0;

  /** For the queue. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** @param signal aborted when the client disconnects; without it, the client waits to the end */
  join(signal: AbortSignal | undefined): void {
    this.#waiting++;
    if (signal === undefined) return;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  #leave(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#abort.abort();
  }
}
