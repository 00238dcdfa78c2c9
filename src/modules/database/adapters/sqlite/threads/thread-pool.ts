import { ThreadClient } from './thread-client';

/** Threads of one adapter that read: a second one keeps short reads apart from one that takes long. */
const READERS = 2;

/** The threads of an adapter, which start when they are needed. */
export class ThreadPool {
  /** The thread of writes that take long, and of transactions. */
  readonly writer: ThreadClient;
  readonly #readers: readonly ThreadClient[];

  constructor(file: string) {
    this.writer = new ThreadClient(file);
    this.#readers = Array.from({ length: READERS }, () => new ThreadClient(file));
  }

  /** The reading thread with the least load; among equal ones the first: the second starts only if it is needed. */
  get reader(): ThreadClient {
    return this.#readers.reduce((best, thread) => (thread.load < best.load ? thread : best));
  }

  /** Ends the threads after their requests. */
  async close(): Promise<void> {
    await Promise.all([this.writer, ...this.#readers].map((thread) => thread.close()));
  }
}
