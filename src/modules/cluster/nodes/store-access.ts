import { ConfigurationUnavailable, errorMessage, type Log } from '../../../framework';

/** Whether a node can use the configuration store. Changes are logged, until the node stops. */
export class StoreAccess {
  readonly #log: () => Log;
  readonly #stopping: AbortSignal;
  #isAvailable = true;

  constructor(log: () => Log, stopping: AbortSignal) {
    this.#log = log;
    this.#stopping = stopping;
  }

  /** Whether the store could be used when it was last needed. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** Runs what needs the store, and notes whether it can be used. Never rejects. */
  async attempt(task: (stopping: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#stopping.aborted) return;
    try {
      await task(this.#stopping);
      this.report(undefined);
    } catch (error) {
      this.report(errorMessage(error), error instanceof ConfigurationUnavailable ? 'reached' : 'used');
    }
  }

  /**
   * @param reason why the store cannot be used; undefined if it can
   * @param failed what cannot be done: one of another version is reached, but not used
   */
  report(reason: string | undefined, failed: 'reached' | 'used' = 'reached'): void {
    if (this.#stopping.aborted || (reason === undefined) === this.#isAvailable) return;
    this.#isAvailable = reason === undefined;
    if (reason === undefined) this.#log().info({}, 'The configuration store can be used again.');
    else
      this.#log().warn(
        { reason },
        `The configuration store cannot be ${failed}. The configuration stays as it is until it can.`,
      );
  }
}
