import type { Row, SqlValue } from '../../database-adapter';
import type { SqliteFailure } from '../sqlite-failure';
import type { Scripts } from './script-transaction';

/** What a thread is started with. */
export interface ThreadData {
  readonly file: string;
  /** Of {@link STATE_BYTES}, see {@link CommitPoint}. */
  readonly state: SharedArrayBuffer;
}

/** A request to a thread, which executes one at a time. */
export type ThreadRequest =
  /** Executes a statement: a write is a transaction of its own, unless it belongs to one that has begun. */
  | {
      readonly type: 'execute';
      readonly text: string;
      readonly parameters: readonly SqlValue[];
      readonly mode: 'read' | 'write' | 'transaction';
      /** As in the statement. */
      readonly isPage?: boolean;
    }
  | { readonly type: 'begin' | 'commit' | 'rollback' }
  /** Copies the write-ahead log into the database; TRUNCATE waits for readers, and empties it. */
  | { readonly type: 'checkpoint'; readonly mode: 'PASSIVE' | 'TRUNCATE' }
  /** Executes scripts in one transaction. */
  | ({ readonly type: 'scripts' } & Scripts)
  /** Opens a cursor, with a connection of its own, and returns its first rows. */
  | {
      readonly type: 'open';
      readonly cursor: number;
      readonly text: string;
      readonly parameters: readonly SqlValue[];
    }
  | { readonly type: 'fetch' | 'release'; readonly cursor: number };

/** Reads the rows of a query without parameters. */
export const reading = (text: string): ThreadRequest => ({
  type: 'execute',
  text,
  parameters: [],
  mode: 'read',
});

/** No rows end a cursor. */
export type ThreadReply = { readonly rows: readonly Row[] } | { readonly failure: SqliteFailure };

/** Rows of a cursor in one message, at most. */
export const BATCH_SIZE = 500;

/** The length of texts and bytes after which a batch has no further row. */
export const BATCH_LENGTH = 262_144;

/** The message that ends a thread. */
export const END = 'end';

/** The size of the memory that a {@link CommitPoint} shares, in bytes. */
export const STATE_BYTES = 8;

const REQUEST = 0;
const IS_RUNNING = 1;

/**
 * Decides whether a request is cancelled or takes effect, between the thread that executes it and the main thread.
 * The driver cannot interrupt a statement: a thread asks between rows, and before it commits.
 */
export class CommitPoint {
  /** The number of the request, its negative if it is cancelled, 0 once it commits; and 1 until it has ended. */
  readonly #state: Int32Array;

  constructor(state: SharedArrayBuffer) {
    this.#state = new Int32Array(state);
  }

  /** Called by the main thread, before it sends a request. @param request a positive number */
  begin(request: number): void {
    Atomics.store(this.#state, REQUEST, request);
    Atomics.store(this.#state, IS_RUNNING, 1);
  }

  /** Called by the main thread. @returns false if the request commits already */
  cancel(request: number): boolean {
    return Atomics.compareExchange(this.#state, REQUEST, request, -request) === request;
  }

  /** Called by the thread. */
  get isCancelled(): boolean {
    return Atomics.load(this.#state, REQUEST) < 0;
  }

  /** Called by the thread: from now on the request cannot be cancelled. @returns false if it is cancelled */
  pass(): boolean {
    const request = Atomics.load(this.#state, REQUEST);
    return request > 0 && Atomics.compareExchange(this.#state, REQUEST, request, 0) === request;
  }

  /** Called by the thread after a request, also a cancelled one. */
  end(): void {
    Atomics.store(this.#state, IS_RUNNING, 0);
    Atomics.notify(this.#state, IS_RUNNING);
  }

  /** Blocks the main thread until the thread has ended its request. @param timeout in milliseconds */
  waitForEnd(timeout: number): void {
    Atomics.wait(this.#state, IS_RUNNING, 1, timeout);
  }
}
