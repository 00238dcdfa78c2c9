const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 2000;

/** Tries to connect again until it succeeds, at growing intervals with jitter. */
export class ConnectionRetry {
  readonly #connect: () => Promise<unknown>;
  readonly #connected: () => Promise<unknown> | undefined;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /**
   * @param connect rejects while there is no connection
   * @param connected called once, after the first success
   * @param failed called with the error of `connected`
   */
  constructor(
    connect: () => Promise<unknown>,
    connected: () => Promise<unknown> | undefined,
    failed: (error: unknown) => void,
  ) {
    this.#connect = connect;
    this.#connected = connected;
    this.#failed = failed;
    this.#schedule(FIRST_DELAY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    // Nodes that lost the same database do not return at the same moment.
    const jitter = 0.5 + Math.random() / 2;
    this.#timer = setTimeout(() => void this.#try(delay), delay * jitter).unref();
  }

  async #try(delay: number): Promise<void> {
    try {
      await this.#connect();
    } catch {
      if (!this.#isStopped) this.#schedule(Math.min(delay * 2, MAX_DELAY_MS));
      return;
    }
    if (this.#isStopped) return;
    try {
      await this.#connected();
    } catch (error) {
      this.#failed(error);
    }
  }
}
