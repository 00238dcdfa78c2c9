import { Worker } from 'node:worker_threads';
import type { Row } from '../../database-adapter';
import { cancelled, DatabaseError } from '../../database-error';
import type { SqliteFailure } from '../sqlite-failure';
import { THREAD_SCRIPT } from './sqlite-thread';
import {
  CommitPoint,
  END,
  STATE_BYTES,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
} from './thread-messages';

/** Milliseconds that the end of the process waits for a running statement. */
const EXIT_TIMEOUT_MS = 5000;

export interface RequestLimits {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds; without one, a request may take any time. */
  readonly timeout?: number;
}

/** A failure that a thread reported. */
class ThreadFailure extends Error {
  readonly errcode: number | undefined;
  readonly script: number | undefined;

  constructor({ message, errcode, script }: SqliteFailure) {
    super(message);
    this.errcode = errcode;
    this.script = script;
  }
}

interface Job {
  readonly request: ThreadRequest;
  readonly settle: (reply: ThreadReply | DatabaseError) => void;
  isSettled: boolean;
}

/**
 * A worker thread that executes requests in their order. It starts with the first one, and keeps the process alive
 * only while it executes one.
 *
 * The driver cannot interrupt a statement. A request that exceeds its limits is rejected at once; the thread continues
 * until the next row or the end of the statement, then with the next request. A thread is never terminated: the driver
 * aborts the process if that happens in a statement.
 */
export class ThreadClient {
  readonly #data: ThreadData;
  readonly #commitPoint: CommitPoint;
  readonly #waiting: Job[] = [];
  #worker: Worker | undefined;
  #running: Job | undefined;
  #number = 0;
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  constructor(file: string) {
    this.#data = { file, state: new SharedArrayBuffer(STATE_BYTES) };
    this.#commitPoint = new CommitPoint(this.#data.state);
  }

  /** The number of requests that run or wait. */
  get load(): number {
    return this.#waiting.length + (this.#running === undefined ? 0 : 1);
  }

  /** @throws ThreadFailure of SQLite; DatabaseError if it exceeds its limits or the thread ended */
  async request(request: ThreadRequest, limits: RequestLimits = {}): Promise<readonly Row[]> {
    if (this.#isClosed) throw new DatabaseError('unavailable', 'The adapter is closed.');
    const reply = await new Promise<ThreadReply | DatabaseError>((settle) => {
      this.#enqueue(request, limits, settle);
    });
    if (reply instanceof DatabaseError) throw reply;
    if ('failure' in reply) throw new ThreadFailure(reply.failure);
    return reply.rows;
  }

  /** Ends the thread after the requests that run or wait. */
  async close(): Promise<void> {
    if (this.load > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    worker.removeAllListeners();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.ref();
    worker.postMessage(END);
    await ended;
  }

  #enqueue(request: ThreadRequest, { signal, timeout }: RequestLimits, settle: Job['settle']): void {
    const end = (reply: ThreadReply | DatabaseError): void => {
      if (job.isSettled) return;
      job.isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle(reply);
    };
    const job: Job = { request, settle: end, isSettled: false };
    const onAbort = (): void => this.#cancel(job, cancelled());
    const onTimeout = (): void =>
      this.#cancel(job, new DatabaseError('timeout', 'The statement exceeded its time limit.'));
    const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout);
    signal?.addEventListener('abort', onAbort);
    this.#waiting.push(job);
    if (signal?.aborted) onAbort();
    this.#next();
  }

  #cancel(job: Job, error: DatabaseError): void {
    if (job === this.#running) {
      // It commits at this moment: its reply follows.
      if (!this.#commitPoint.cancel(this.#number)) return;
    } else this.#waiting.splice(this.#waiting.indexOf(job), 1);
    job.settle(error);
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#worker?.unref();
      this.#onIdle?.();
      return;
    }
    const worker = (this.#worker ??= this.#start());
    this.#running = job;
    this.#number = (this.#number % 0x7fffffff) + 1;
    this.#commitPoint.begin(this.#number);
    process.on('exit', this.#onProcessExit);
    worker.ref();
    worker.postMessage(job.request);
  }

  #start(): Worker {
    const worker = new Worker(THREAD_SCRIPT, { workerData: this.#data });
    // A thread that fails emits two events: at the second one, its successor executes a request already.
    const ifCurrent = (act: () => void): void => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (reply: ThreadReply) => ifCurrent(() => this.#finish(reply)));
    worker.on('error', (error) => ifCurrent(() => this.#lose(error)));
    worker.on('exit', () => ifCurrent(() => this.#lose(undefined)));
    return worker;
  }

  #finish(reply: ThreadReply | DatabaseError): void {
    const job = this.#running;
    this.#running = undefined;
    process.off('exit', this.#onProcessExit);
    job?.settle(reply);
    this.#next();
  }

  /** The thread has ended unexpectedly, for example for lack of memory; the next request starts another. */
  #lose(cause: Error | undefined): void {
    this.#worker = undefined;
    this.#finish(
      new DatabaseError('unavailable', 'The thread of the database has ended unexpectedly.', { cause }),
    );
  }

  /** The end of the process terminates threads; the driver aborts the process if that happens in a statement. */
  readonly #onProcessExit = (): void => {
    this.#commitPoint.cancel(this.#number);
    this.#commitPoint.waitForEnd(EXIT_TIMEOUT_MS);
  };
}
