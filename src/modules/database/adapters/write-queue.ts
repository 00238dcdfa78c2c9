import { cancelled, DatabaseError } from './database-error';

/** What ends the wait for a turn. */
interface TurnLimits {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
}

/**
 * Writes that wait for each other: those of SQLite that take more than one call, since it allows one writer, and
 * repeated batches.
 */
export class WriteQueue {
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Runs an action when all before it have ended. @throws DatabaseError if that exceeds the limits */
  async run<T>(action: () => Promise<T>, limits: TurnLimits): Promise<T> {
    if (limits.signal?.aborted) throw cancelled();
    if (this.#isHeld) await this.#turn(limits);
    this.#isHeld = true;
    try {
      return await action();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    // It stays held for the next one: no other write comes between.
    if (next) next();
    else this.#isHeld = false;
  }

  #turn({ signal, timeout }: TurnLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const turn = (): void => {
        end();
        resolve();
      };
      const fail = (error: DatabaseError): void => {
        end();
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(error);
      };
      const onAbort = (): void => fail(cancelled());
      const onTimeout = (): void =>
        fail(new DatabaseError('unavailable', 'Other writes held the database for too long.'));
      const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout);
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(turn);
    });
  }
}
