import { errorMessage, isThenable, Problem } from '../../../framework';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import { HashingAbortedError, HashingOverloadError } from '../passwords/hashing-queue';

/** Seconds. */
const RETRY_AFTER = 2;

/** Calls the service that knows the users of an adapter. An error that it throws means that it cannot decide now. */
export class SourceCalls {
  readonly #name: string;
  readonly #warn: (message: string) => void;
  #isDown = false;

  /** @param warn called for the first of several failures, and for the next success */
  constructor(name: string, warn: (message: string) => void) {
    this.#name = name;
    this.#warn = warn;
  }

  /**
   * @param read converts what plain JavaScript may return, such as undefined or null for an unknown user
   * @throws AuthenticationUnavailable if the service fails
   */
  call<T, Result>(ask: () => T | Promise<T>, read: (result: T) => Result): Result | Promise<Result> {
    const settle = (result: T): Result => {
      this.#succeeded();
      return read(result);
    };
    const result = this.attempt(ask);
    return isThenable(result)
      ? Promise.resolve(result).then(settle, (error: unknown) => this.#failed(error))
      : settle(result);
  }

  /** Calls a synchronous method, whose success does not end an outage. @throws AuthenticationUnavailable */
  attempt<T>(ask: () => T): T {
    try {
      return ask();
    } catch (error) {
      return this.#failed(error);
    }
  }

  #succeeded(): void {
    if (this.#isDown) this.#warn(`the source "${this.#name}" is available again`);
    this.#isDown = false;
  }

  #failed(error: unknown): never {
    if (isDecision(error)) throw error;
    const message = `the source "${this.#name}" failed (${errorMessage(error)})`;
    if (!this.#isDown) this.#warn(`${message}; requests with credentials receive 503 until it succeeds`);
    this.#isDown = true;
    throw new AuthenticationUnavailable(message, RETRY_AFTER, { cause: error });
  }
}

/** Whether an error says by itself how to respond. */
function isDecision(error: unknown): boolean {
  return (
    error instanceof Problem ||
    error instanceof AuthenticationUnavailable ||
    error instanceof HashingOverloadError ||
    error instanceof HashingAbortedError
  );
}
