import { addressKey } from '../../../framework';
import type { PasswordClient } from '../http/credential-source';
import type { PasswordHashing } from './password-hashing';

interface PendingTurn<T> {
  readonly waiting: WaitingRequests;
  readonly result: Promise<T>;
}

/** Turns in a queue that equal requests of one address share: for the limit of the address, they are one. */
export class SharedTurns<T> {
  readonly #queue: PasswordHashing;
  readonly #pending = new Map<string, PendingTurn<T>>();

  constructor(queue: PasswordHashing) {
    this.#queue = queue;
  }

  /**
   * Runs a task when it is the client's turn, or returns the result of an equal one that is pending. Rejects as
   * {@link PasswordHashing.run}; with a HashingAbortedError only if all clients that waited for it have disconnected.
   *
   * @param key equal for equal tasks
   */
  run(key: string, task: () => Promise<T>, { address, signal }: PasswordClient): Promise<T> {
    // Not shared between addresses, so that nobody waits for the turn of another client.
    const sharedKey = `${key}\0${addressKey(address)}`;
    const pending = this.#pending.get(sharedKey);
    if (pending !== undefined && !pending.waiting.signal.aborted) {
      pending.waiting.join(signal);
      return pending.result;
    }
    const waiting = new WaitingRequests();
    waiting.join(signal);
    const result = this.#queue.run(task, { address, signal: waiting.signal }).finally(() => {
      if (this.#pending.get(sharedKey)?.waiting === waiting) this.#pending.delete(sharedKey);
    });
    this.#pending.set(sharedKey, { waiting, result });
    return result;
  }

  /** Nobody else joins what is pending. */
  clear(): void {
    this.#pending.clear();
  }
}

/**
 * Requests that wait for one turn. The signal is aborted when the last of them disconnects, so that the turn is dropped
 * if it has not begun.
 */
class WaitingRequests {
  readonly #abort = new AbortController();
  #waiting = 0;

  /** For the queue. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** @param signal aborted when the client disconnects; without it, the client waits to the end */
  join(signal: AbortSignal | undefined): void {
    this.#waiting++;
    if (signal === undefined) return;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  #leave(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#abort.abort();
  }
}
