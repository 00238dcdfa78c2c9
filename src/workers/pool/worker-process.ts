import type { Worker as ClusterWorker } from 'node:cluster';
import { timerDelay } from '../../framework';
import { Channel } from '../channel';
import type { PrimaryCalls, WorkerCalls, WorkerStart } from '../messages';

/**
 * `starting` until it listens, `ready` while it serves, `leaving` from the request to stop, `ended` after the process
 * has.
 */
export type WorkerState = 'starting' | 'ready' | 'leaving' | 'ended';

/** A worker, as the primary sees it. */
export class WorkerProcess {
  readonly number: number;
  readonly channel: Channel<PrimaryCalls, WorkerCalls>;
  /** How it ended, for the log. */
  readonly ended: Promise<string>;
  /** The same, but as soon as it says that it will end by itself: it may still finish requests. */
  readonly left: Promise<string>;
  readonly startedAt = performance.now();
  readonly #worker: ClusterWorker;
  #state: WorkerState = 'starting';
  #killedBecause: string | undefined;

  /** @param number from 1 */
  constructor(number: number, worker: ClusterWorker) {
    this.number = number;
    this.#worker = worker;
    const send = (message: object): unknown =>
      worker.isConnected() && worker.process.send(message, () => undefined);
    // Node.js delivers messages before the script of the worker runs, if it loads modules first (`--import`): nobody
    // would receive them.
    let early: object[] | undefined = [];
    this.channel = new Channel({
      send: (message) => (early === undefined ? send(message) : early.push(message)),
      on: (event, listener) => worker.on(event, listener),
    });
    this.channel.handle('loaded', () => {
      for (const message of early ?? []) send(message);
      early = undefined;
    });
    this.ended = new Promise((resolve) => {
      // Without an exit event if the process could not be started.
      worker.on('error', (error) => this.#end(error.message, resolve));
      worker.on('exit', (code, signal: string | null) =>
        this.#end(
          this.#killedBecause ?? (signal === null ? `exit code ${code}` : `signal ${signal}`),
          resolve,
        ),
      );
    });
    const failed = new Promise<string>((settle) => {
      this.channel.handle('fail', () => {
        if (this.#state === 'ready') this.#state = 'leaving';
        settle('exit code 1');
      });
    });
    this.left = Promise.race([this.ended, failed]);
  }

  get state(): WorkerState {
    return this.#state;
  }

  get id(): number | undefined {
    return this.#worker.process.pid;
  }

  /** Builds the application, and listens. @throws the error of the worker, or how it ended */
  async start(input: WorkerStart): Promise<void> {
    await this.channel.call('start', input);
    if (this.#state === 'starting') this.#state = 'ready';
  }

  /**
   * Serves the requests in flight, and ends.
   * @param isReplaced whether others accept connections, so that load balancers need not notice
   * @param timeout seconds after which the process is killed
   */
  async stop(isReplaced: boolean, timeout: number): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'leaving';
    const timer = setTimeout(() => this.kill(), timerDelay(timeout));
    this.channel.notify('stop', { isReplaced });
    await this.ended;
    clearTimeout(timer);
  }

  /** @param reason for the log */
  kill(reason?: string): void {
    if (reason !== undefined) this.#killedBecause ??= `killed, because ${reason}`;
    this.#worker.process.kill('SIGKILL');
  }

  #end(reason: string, resolve: (reason: string) => void): void {
    this.#state = 'ended';
    this.channel.close(new Error(`Worker ${this.number} ended (${reason}).`));
    resolve(reason);
  }
}
