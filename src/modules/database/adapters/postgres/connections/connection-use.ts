import type { Connection, Query } from './connection';
import { Deadline } from '../deadline';

/** Milliseconds for the end of a transaction. */
const END_TIMEOUT_MS = 1000;

/** What uses a connection until it ends, or until it is cancelled and the connection is free again. */
export class ConnectionUse {
  readonly connection: Connection;
  #cancelling: Promise<void> | undefined;
  #isEnded = false;

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
   * Releases the connection once, after a cancelled statement has ended. Not awaited: the one that used it is over.
   *
   * @param last a query that ends a transaction
   */
  end(last?: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
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
