import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError, type Log, errorMessage } from '../../framework';
import { restartDelay, STABLE_MS } from './backoff';
import { watchWorker } from './watch-worker';
import type { WorkerProcess } from './worker-process';

/** How long a worker may take until it listens, while others serve; in seconds. */
const START_TIMEOUT = 60;

export interface PoolOptions {
  readonly size: number;
  /** Forks a worker, which then waits for `start`. */
  readonly fork: (number: number) => WorkerProcess;
  /** Starts a worker with the active configuration. */
  readonly start: (worker: WorkerProcess) => Promise<void>;
  /** Runs an action while the configuration does not change. */
  readonly exclusively: <T>(action: () => Promise<T>) => Promise<T>;
  /** Seconds that a worker may take to stop. */
  readonly stopTimeout: () => number;
  readonly log: () => Log;
}

/** Keeps a number of workers running: starts dead ones again, and replaces all of them one after the other. */
export class WorkerPool {
  readonly #options: PoolOptions;
  /** By number; during a replacement, the successor. */
  readonly #workers = new Map<number, WorkerProcess>();
  /** All that have not ended. */
  readonly #running = new Set<WorkerProcess>();
  /** How often the worker of a number has ended early in a row. */
  readonly #failures = new Map<number, number>();
  readonly #stopped = new AbortController();
  #restarts = 0;
  #replacing: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#options.size;
  }

  /** Those that accept connections. */
  get ready(): readonly WorkerProcess[] {
    return [...this.#workers.values()].filter(({ state }) => state === 'ready');
  }

  /** All that have not ended, with those that are being replaced. */
  get running(): readonly WorkerProcess[] {
    return [...this.#running];
  }

  /** How many workers ended unexpectedly. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Starts all workers, and waits until they listen.
   * @throws the error of the first that cannot; all others have ended
   */
  async start(): Promise<void> {
    const numbers = Array.from({ length: this.#options.size }, (_, at) => at + 1);
    const workers = numbers.map((number) => this.#fork(number));
    try {
      await Promise.all(workers.map((worker) => this.#options.start(worker)));
    } catch (error) {
      this.#stopped.abort();
      await this.#killAll();
      throw error;
    }
    for (const worker of workers) this.#adopt(worker);
  }

  /**
   * Replaces the workers one after the other: each successor listens before its predecessor stops. Calls during a
   * replacement share it.
   * @throws ConfigurationError if a successor cannot start; the remaining workers stay
   */
  replaceAll(): Promise<void> {
    this.#replacing ??= this.#replaceAll().finally(() => (this.#replacing = undefined));
    return this.#replacing;
  }

  /** Stops all workers at the same time, and starts none again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const timeout = this.#options.stopTimeout();
    await Promise.all(
      this.running.map((worker) => {
        if (worker.state === 'starting') worker.kill();
        return worker.stop(false, timeout);
      }),
    );
  }

  /** Kills all workers. */
  async #killAll(): Promise<void> {
    for (const worker of this.running) worker.kill();
    await Promise.all(this.running.map(({ ended }) => ended));
  }

  async #replaceAll(): Promise<void> {
    for (const [number, old] of this.#workers) {
      if (this.#stopped.signal.aborted) return;
      // One that is being started again is new already.
      if (old.state !== 'ready') continue;
      const next = await this.#replace(old).catch((error: unknown) => {
        if (this.#stopped.signal.aborted) return undefined;
        throw new ConfigurationError(
          `Worker ${number} was not replaced, and the rolling restart ended: ${errorMessage(error)}`,
        );
      });
      if (next === undefined) return;
      await old.stop(true, this.#options.stopTimeout());
    }
  }

  /**
   * Starts a worker, and uses it in place of another one. While the configuration does not change: it has the same as all
   * others once it listens, and the next change concerns it too.
   * @returns the worker in that place, which is another one if the old one ended while a rolling restart replaced it
   */
  #replace(old: WorkerProcess): Promise<WorkerProcess> {
    return this.#options.exclusively(async () => {
      this.#stopped.signal.throwIfAborted();
      const current = this.#workers.get(old.number);
      if (current !== undefined && current !== old) return current;
      const worker = this.#fork(old.number);
      const timer = setTimeout(() => worker.kill(), START_TIMEOUT * 1_000);
      try {
        await this.#options.start(worker);
        this.#adopt(worker);
        return worker;
      } catch (error) {
        worker.kill();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    });
  }

  #fork(number: number): WorkerProcess {
    const worker = this.#options.fork(number);
    this.#running.add(worker);
    void worker.ended.then(() => this.#running.delete(worker));
    return worker;
  }

  /** Uses a worker that listens, and starts another one when it ends, or says that it will. */
  #adopt(worker: WorkerProcess): void {
    this.#workers.set(worker.number, worker);
    watchWorker(worker);
    void worker.left.then((reason) => {
      // A predecessor, or the end of all.
      if (this.#workers.get(worker.number) !== worker || this.#stopped.signal.aborted) return undefined;
      // Its shutdown may hang.
      void worker.stop(true, this.#options.stopTimeout());
      return this.#startAgain(worker, reason);
    });
  }

  async #startAgain(ended: WorkerProcess, reason: string): Promise<void> {
    const { number } = ended;
    const { signal } = this.#stopped;
    this.#restarts++;
    if (performance.now() - ended.startedAt > STABLE_MS) this.#failures.delete(number);
    let [because, details] = [`Worker ${number} ended unexpectedly (${reason})`, { pid: ended.id }];
    while (!signal.aborted) {
      const failures = this.#failures.get(number) ?? 0;
      this.#failures.set(number, failures + 1);
      const wait = restartDelay(failures, Math.random());
      this.#log('error', details, `${because}. It is started again in ${(wait / 1_000).toFixed(1)} s.`);
      try {
        await delay(wait, undefined, { signal });
        const next = await this.#replace(ended);
        this.#log('info', { pid: next.id }, `Worker ${number} serves again.`);
        return;
      } catch (error) {
        // The service stops.
        if (this.#stopped.signal.aborted) return;
        [because, details] = [
          `Worker ${number} could not be started: ${errorMessage(error).replace(/\.$/, '')}`,
          { pid: undefined },
        ];
      }
    }
  }

  #log(level: 'error' | 'info', details: object, message: string): void {
    this.#options.log()[level]({ module: 'workers', ...details }, message);
  }
}
