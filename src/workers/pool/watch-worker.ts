import type { WorkerProcess } from './worker-process';

/** Milliseconds between two questions. */
const INTERVAL_MS = 10_000;
/** Intervals that a worker has for the answer. */
const MAX_MISSED = 7;

/**
 * Kills a worker that does not respond any more, such as one in an endless loop: its clients wait for nothing, and what it is
 * sent stays in the memory of the primary. Intervals are counted, since the primary may have been stopped at the same time.
 */
export function watchWorker(worker: WorkerProcess, interval = INTERVAL_MS): void {
  let missed: number | undefined;
  const ask = (): void => {
    missed = 0;
    worker.channel.call('merge', []).then(
      () => (missed = undefined),
      // It has ended.
      () => undefined,
    );
  };
  const timer = setInterval(() => {
    if (missed === undefined) ask();
    else if (++missed === MAX_MISSED)
      worker.kill(`it did not respond within ${(MAX_MISSED * interval) / 1_000} s`);
  }, interval).unref();
  void worker.ended.then(() => clearInterval(timer));
}
