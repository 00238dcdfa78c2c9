import type { Availability } from '../../availability/availability';
import type { SqlExecutor } from '../../database-adapter';
import { DatabaseError, withProbe } from '../../database-error';
import { retryWhileBusy } from '../busy-retry';
import { MainConnection } from '../main-connection';
import { toDatabaseError } from '../sqlite-errors';
import { failureOf, isFileFailure, isReadOnly } from '../sqlite-failure';
import type { RequestLimits } from '../threads/thread-client';
import { ThreadPool } from '../threads/thread-pool';

/**
 * The file of an adapter, with the connection of the main thread and the threads that have connections of their own. It
 * is opened by its first use, and again after another file has taken its place.
 */
export class DatabaseFile {
  readonly path: string;
  readonly #availability: Availability;
  readonly #executor: SqlExecutor;
  #threads: ThreadPool;
  #main: MainConnection | undefined;
  #isClosed = false;

  /**
   * @param path an absolute path
   * @param availability what the result of each use is reported to
   * @param executor reads for the probes of errors
   */
  constructor(path: string, availability: Availability, executor: SqlExecutor) {
    this.path = path;
    this.#availability = availability;
    this.#executor = executor;
    this.#threads = new ThreadPool(path);
  }

  /** Those of the file that is open now: another file has others. */
  get threads(): ThreadPool {
    return this.#threads;
  }

  /** Whether the main thread has a connection. */
  get isOpen(): boolean {
    return this.#main !== undefined;
  }

  /**
   * Returns the connection of the main thread, which it opens if necessary.
   * @throws the errors of SQLite and of the system; DatabaseError if the file is closed or was removed
   */
  connect(): MainConnection {
    if (this.#isClosed) throw new DatabaseError('unavailable', `The adapter of ${this.path} is closed.`);
    if (this.#main?.isReplaced() === true) this.#disconnect(this.#main);
    return (this.#main ??= new MainConnection(this.path));
  }

  /**
   * Repeats an action while the database is locked, and reports whether the database could be used.
   *
   * @param action is called with the limits that remain
   * @param text the statement, for its error
   * @throws DatabaseError
   */
  async use<T>(
    limits: RequestLimits,
    action: (remaining: RequestLimits) => T | Promise<T>,
    text?: string,
  ): Promise<T> {
    try {
      const result = await retryWhileBusy((remaining) => {
        this.connect();
        return action(remaining);
      }, limits);
      this.#availability.succeeded();
      return result;
    } catch (error) {
      throw this.failed(error, text);
    }
  }

  /**
   * Reports a failed use, and returns its error.
   *
   * @param error the error of SQLite, of the system or of a thread
   * @param text the statement that failed
   */
  failed(error: unknown, text = ''): DatabaseError {
    const failure = toDatabaseError(error, this.#main?.failedRule(text));
    const isUnopened = this.#main === undefined && !this.#isClosed;
    if (isUnopened || isFileFailure(failureOf(error))) this.#availability.failed();
    // A connection to a file that could not be written when it was opened never writes: the next use opens it again.
    if (failure.kind === 'unwritable' && isReadOnly(failureOf(error)) && this.#main !== undefined)
      this.#disconnect(this.#main);
    // Such as a folder that cannot be created.
    if (!isUnopened || failure.kind === 'unavailable')
      return withProbe(failure, (query, values) =>
        this.#executor.execute({ text: query, kind: 'read' }, values),
      );
    return new DatabaseError('unavailable', failure.message, { cause: error });
  }

  /** Closes the connection of the main thread. The file is not opened again; its threads are closed separately. */
  close(): void {
    this.#isClosed = true;
    this.#main?.close();
    this.#main = undefined;
  }

  /** What is written to a file that was replaced would be lost. Its transactions and streams fail. */
  #disconnect(main: MainConnection): void {
    main.close();
    this.#main = undefined;
    void this.#threads.close();
    this.#threads = new ThreadPool(this.path);
  }
}
