import { setTimeout as delay } from 'node:timers/promises';
import type { Measurement } from '../../framework';
import type { WorkerMetrics } from '../../modules/operations';
import type { WorkerPool } from './worker-pool';
import type { WorkerProcess } from './worker-process';

/** How long a busy worker delays metrics, in milliseconds: its latest report is used then. */
const TIMEOUT_MS = 2_000;

/** Asks all workers what they have counted. */
export async function measureAll(workers: readonly WorkerProcess[], metrics: WorkerMetrics): Promise<void> {
  const timeout = new AbortController();
  const all = Promise.allSettled(
    workers.map(async (worker) => {
      const values = await worker.channel.call('measure', null);
      // The predecessor of a worker has the same number.
      if (worker.state === 'ready') metrics.addProcess(worker, String(worker.number), values);
    }),
  );
  await Promise.race([all, delay(TIMEOUT_MS, undefined, timeout).catch(() => undefined)]);
  timeout.abort();
}

/** The metrics of the workers as such. */
export function workerMeasurements(pool: WorkerPool): readonly Measurement[] {
  return [
    {
      name: 'apidesc_workers',
      help: 'Worker processes by whether they accept connections.',
      type: 'gauge',
      values: () => [
        [{ state: 'ready' }, pool.ready.length],
        [{ state: 'other' }, pool.running.length - pool.ready.length],
      ],
    },
    {
      name: 'apidesc_worker_restarts_total',
      help: 'Workers that ended unexpectedly.',
      type: 'counter',
      values: () => [[{}, pool.restarts]],
    },
  ];
}
