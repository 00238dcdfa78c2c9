import { availableParallelism } from 'node:os';

/** Too many verifications are pending: the credentials were not checked. */
export class HashingOverloadError extends Error {
  override readonly name = 'HashingOverloadError';
  /** Whether the limit of the client's address or that of the server was reached. */
  readonly scope: 'address' | 'server';
  /** Seconds. */
  readonly retryAfter: number;

  constructor(scope: 'address' | 'server', pending: number) {
    const from = scope === 'address' ? ' from this address' : '';
    const retryAfter = scope === 'address' ? 1 : 5;
    super(`${pending} verifications${from} are already pending; retry after ${retryAfter} s`);
    this.scope = scope;
    this.retryAfter = retryAfter;
  }
}

/** The client disconnected before its turn: the credentials were not checked. */
export class HashingAbortedError extends Error {
  override readonly name = 'HashingAbortedError';

  constructor() {
    super('the client disconnected before the password was verified');
  }
}

/** The client of a task. */
export interface HashingTurn {
  readonly client: string;
  /** Limit of pending tasks of the client, running ones included; defaults to none. */
  readonly pendingPerClient?: number;
  /** Drops the task if aborted before its turn. */
  readonly signal?: AbortSignal | undefined;
}

/** The tasks of one client. */
interface Lane {
  running: number;
  /** Callbacks that start the waiting tasks, in order of arrival. */
  readonly waiting: (() => void)[];
}

/**
 * Limits the number of concurrent and waiting password hashes, as anyone can request these, and they share the thread
 * pool with file access. Clients take turns: a client's first task starts after at most one task of each client that
 * was waiting before, however many tasks those have.
 */
export class HashingQueue {
  readonly #concurrency: number;
  readonly #limit: number;
  /** Clients with pending tasks, the next one first. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;
  #waiting = 0;

  /** @param options `concurrency` defaults to the CPUs minus 1, from 1 to 3; `limit` of waiting tasks defaults to 256 */
  constructor(options: { readonly concurrency?: number; readonly limit?: number } = {}) {
    this.#concurrency = options.concurrency ?? Math.min(3, Math.max(1, availableParallelism() - 1));
    this.#limit = options.limit ?? 256;
  }

  /**
   * Runs a task when it is its turn. Rejects with {@link HashingOverloadError} when too many are pending, and with
   * {@link HashingAbortedError} if its signal is aborted before its turn; a running task is not interrupted.
   */
  async run<T>(task: () => Promise<T>, turn: HashingTurn): Promise<T> {
    const started = this.#start(turn);
    if (started !== undefined) await started;
    try {
      return await task();
    } finally {
      this.#end(turn.client);
    }
  }

  #start({ client, pendingPerClient = Infinity, signal }: HashingTurn): Promise<void> | undefined {
    if (signal?.aborted === true) throw new HashingAbortedError();
    const lane = this.#lanes.get(client) ?? { running: 0, waiting: [] };
    const pending = lane.running + lane.waiting.length;
    if (pending >= pendingPerClient) throw new HashingOverloadError('address', pending);
    const mustWait = this.#running >= this.#concurrency;
    if (mustWait && this.#waiting >= this.#limit) throw new HashingOverloadError('server', this.#waiting);
    this.#lanes.set(client, lane);
    if (mustWait) return this.#turnOf(client, lane, signal);
    this.#running++;
    lane.running++;
    return undefined;
  }

  #turnOf(client: string, lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      const drop = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        this.#waiting--;
        this.#removeIdle(client, lane);
        reject(new HashingAbortedError());
      };
      signal?.addEventListener('abort', drop, { once: true });
      lane.waiting.push(start);
      this.#waiting++;
    });
  }

  #end(client: string): void {
    const lane = this.#lanes.get(client);
    if (lane === undefined) return;
    this.#running--;
    lane.running--;
    // Moves to the end, behind clients that came meanwhile: otherwise they would wait for two tasks of this one.
    this.#lanes.delete(client);
    this.#lanes.set(client, lane);
    this.#removeIdle(client, lane);
    this.#startNext();
  }

  /** Synchronous, so that new tasks cannot overtake. */
  #startNext(): void {
    for (const lane of this.#lanes.values()) {
      const start = lane.waiting.shift();
      if (start === undefined) continue;
      this.#waiting--;
      this.#running++;
      lane.running++;
      start();
      return;
    }
  }

  #removeIdle(client: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(client);
  }
}
