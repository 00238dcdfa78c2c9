import { ThreadClient } from './thread-client';

/** Threads of one adapter that read: a second one keeps short reads apart from one that takes long. */
const SIZE = 2;

/** The reading threads of an adapter, which start when they are needed. */
export class ThreadPool {
  readonly #threads: readonly ThreadClient[];

  constructor(file: string) {
    this.#threads = Array.from({ length: SIZE }, () => new ThreadClient(file));
  }

  /** The thread with the least load; among equal ones the first, so that the second starts only if it is needed. */
  get next(): ThreadClient {
    return this.#threads.reduce((best, thread) => (thread.load < best.load ? thread : best));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
