import type { ConfigurationSnapshot, PreparedReplicas, Replicas } from '../../framework';
import type { WorkerProcess } from './worker-process';

/** Activates a configuration in all workers or in none. */
export class WorkerReplicas implements Replicas {
  readonly #ready: () => readonly WorkerProcess[];

  /** @param ready the workers that serve; none starts while a configuration is prepared */
  constructor(ready: () => readonly WorkerProcess[]) {
    this.#ready = ready;
  }

  async prepare(snapshot: ConfigurationSnapshot): Promise<PreparedReplicas> {
    const workers = this.#ready();
    const results = await Promise.allSettled(workers.map(({ channel }) => channel.call('prepare', snapshot)));
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
            worker.channel.call('activate', null).catch((error: unknown) => {
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
}

function discard(workers: readonly WorkerProcess[]): void {
  for (const { channel } of workers) channel.notify('discard', null);
}
