import { problem, type MaybePromise, type Problem } from '../../../framework';
import { DatabaseError } from '../adapters/database-error';
import { ContinuedTransaction } from '../batch/continued-transaction';
import type { TransactionScope } from '../batch/transaction-scope';

/** Calls the hooks of one operation. What they do wrong is an error of theirs, and names them. */
export class HookCalls {
  readonly #service: string;
  readonly #scope: TransactionScope;
  /** The hook that runs, or that has failed. */
  #running: string | undefined;

  /** @param scope the transaction of the operation */
  constructor(service: string, scope: TransactionScope) {
    this.#service = service;
    this.#scope = scope;
  }

  /** @throws the error of the hook; an Error if it went on after a failure; Problem 503 if it takes too long */
  async call<T>(name: string, hook: () => MaybePromise<T>): Promise<T> {
    this.#running = `The hook ${name} of ${this.#service}`;
    try {
      const result = await Promise.race([this.#scope.ended, hook()]);
      const { failure } = this.#scope;
      if (failure !== undefined) throw ContinuedTransaction.after(failure, this.#running);
      this.#running = undefined;
      return result;
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** An error that a hook has caused, with its name; any other error as it is. */
  explained(error: unknown): unknown {
    if (this.#running === undefined) return error;
    if (error instanceof ContinuedTransaction) return error.by(this.#running);
    if (!(error instanceof DatabaseError) || error.limit === undefined) return error;
    return exceeded(this.#running, error.limit, error);
  }
}

function exceeded(what: string, limit: number, error: DatabaseError): Problem {
  const seconds = limit / 1000;
  const cause = new Error(
    `${what} did not end within ${seconds} s, the statement_timeout of its database, and its transaction was rolled back. ` +
      'Wait for other services in the hook "after", which is called when the transaction has ended (in a batch, before that), or increase statement_timeout.',
    { cause: error },
  );
  return problem('timed_out', { seconds, what }, { fields: [['Retry-After', '2']], cause });
}
