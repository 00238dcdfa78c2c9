import { performance } from 'node:perf_hooks';
import type { ExecutionLimits } from '../database-adapter';
import { DatabaseError } from '../database-error';
import type { Connection, Query } from './connections';

/** Milliseconds after the time limit that the server has to report it itself. */
const GRACE_MS = 200;

/** Milliseconds for the end of a transaction. */
const END_TIMEOUT_MS = 1000;

/** When an execution began, and what ends it. */
export class Deadline {
  readonly #signal: AbortSignal | undefined;
  readonly #end: number;

  /** @param timeout in milliseconds */
  constructor({ signal }: ExecutionLimits, timeout: number) {
    this.#signal = signal;
    this.#end = performance.now() + timeout + GRACE_MS;
    this.assertOpen();
  }

  /** @throws DatabaseError if the execution is cancelled */
  assertOpen(): void {
    if (this.#signal?.aborted) throw new DatabaseError('timeout', 'The statement was cancelled.');
  }

  /**
   * Waits for a step of an execution, at most until the deadline.
   *
   * @param interrupt called if the step is not over then
   * @throws the error of the step; DatabaseError if it is not over
   */
  wait<T>(step: Promise<T>, interrupt: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#signal?.removeEventListener('abort', onAbort);
      };
      const fail = (message: string): void => {
        end();
        interrupt();
        reject(new DatabaseError('timeout', message));
      };
      const onAbort = (): void => fail('The statement was cancelled.');
      const remaining = Math.max(this.#end - performance.now(), 1);
      const timer = setTimeout(() => fail('The statement exceeded its time limit.'), remaining);
      this.#signal?.addEventListener('abort', onAbort);
      step.then(resolve, reject).finally(end);
    });
  }
}

/** What uses a connection until it ends, or until it is cancelled and the connection is free again. */
export class ConnectionUse {
  readonly connection: Connection;
  #cancelling: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Waits for a query on the connection, and cancels it at the deadline. @throws as {@link Deadline.wait} */
  run<T>(query: Promise<T>, deadline: Deadline): Promise<T> {
    return deadline.wait(query, () => {
      this.#cancelling = this.connection.cancel();
    });
  }

  /**
   * Releases the connection, after a cancelled statement has ended. Not awaited: the one that used it is over.
   *
   * @param last a query that ends a transaction
   */
  end(last?: string): void {
    if (this.#cancelling === undefined && last === undefined) this.connection.release();
    else void this.#end(last);
  }

  async #end(last: string | undefined): Promise<void> {
    const { connection } = this;
    try {
      await this.#cancelling;
      if (last !== undefined && !connection.isLost)
        await new Deadline({}, END_TIMEOUT_MS).wait(connection.query(last), () => connection.discard());
    } catch {
      connection.discard();
    }
    connection.release();
  }
}

/** Executes a query until a deadline. @throws as {@link Deadline.wait} */
export function query(use: ConnectionUse, deadline: Deadline, text: Query): ReturnType<Connection['query']> {
  return use.run(use.connection.query(text), deadline);
}
