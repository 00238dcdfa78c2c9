import type { ConfigurationSnapshot, PreparedReplicas, Replicas } from '../../framework';
import type { WorkerProcess } from './worker-process';

/** More milliseconds than a worker may take to build an application: one that takes longer is blocked. */
const TIMEOUT_MS = 65_000;

/** Activates a configuration in all workers or in none. */
export class WorkerReplicas implements Replicas {
  readonly #ready: () => readonly WorkerProcess[];
  readonly #timeout: number;

  /**
   * @param ready the workers that serve; none starts while a configuration is prepared
   * @param timeout milliseconds after which a worker that does not respond is killed, as no change is possible meanwhile
   */
  constructor(ready: () => readonly WorkerProcess[], timeout = TIMEOUT_MS) {
    this.#ready = ready;
    this.#timeout = timeout;
  }

  async prepare(snapshot: ConfigurationSnapshot): Promise<PreparedReplicas> {
    const workers = this.#ready();
    const results = await Promise.allSettled(
      workers.map((worker) => this.#within(worker, worker.channel.call('prepare', snapshot))),
    );
    // One that has ended is started again with the configuration that is active then.
    const refusals = results.flatMap((result, at) =>
      result.status === 'rejected' && workers[at]?.state !== 'ended' ? [result.reason as unknown] : [],
    );
    if (refusals.length > 0) {
      discard(workers);
      throw refusals[0];
    }
    return {
      activate: async () => {
        await Promise.allSettled(
          workers.map((worker) =>
            this.#within(worker, worker.channel.call('activate', null)).catch((error: unknown) => {
              // It would serve another configuration than the others.
              worker.kill();
              throw error;
            }),
          ),
        );
      },
      discard: () => discard(workers),
    };
  }

  async #within(worker: WorkerProcess, call: Promise<unknown>): Promise<void> {
    const timer = setTimeout(
      () => worker.kill(`it did not respond within ${this.#timeout / 1_000} s`),
      this.#timeout,
    );
    await call.finally(() => clearTimeout(timer));
  }
}

function discard(workers: readonly WorkerProcess[]): void {
  for (const { channel } of workers) channel.notify('discard', null);
}
