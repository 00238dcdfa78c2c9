import { AsyncLocalStorage } from 'node:async_hooks';
import { leaveInBackground, problem, toError, type MaybePromise } from '../../../framework';
import type {
  DatabaseAdapter,
  ExecutionLimits,
  SqlExecutor,
  SqlStatement,
} from '../adapters/database-adapter';
import { isConflict } from '../adapters/conflict-retry';
import { cancelled, DatabaseError } from '../adapters/database-error';
import { ContinuedTransaction } from './continued-transaction';

/**
 * The transaction of a batch or of one operation. It begins with the first statement, in the database of that
 * statement.
 */
export class TransactionScope {
  readonly #limits: ExecutionLimits;
  #adapter: DatabaseAdapter | undefined;
  #executor: Promise<SqlExecutor> | undefined;
  #transaction: Promise<void> | undefined;
  #end: { commit(): void; rollBack(error: unknown): void } | undefined;
  #refusal: Error | undefined;
  #failure: DatabaseError | undefined;
  #isConflicting = false;
  #writes = 0;
  #rejectEnded: (error: unknown) => void = () => undefined;
  #settle: () => void = () => undefined;

  /** Rejects when its transaction ends by itself, such as at the end of its time. */
  readonly ended = new Promise<never>((_, reject) => (this.#rejectEnded = reject));

  /** Resolves when it has been committed or rolled back. */
  readonly settled = new Promise<void>((resolve) => (this.#settle = resolve));

  /** Whether every statement has to belong to it: it is the transaction of a batch. */
  readonly isBatch: boolean;

  /**
   * @param adapter the only database whose statements belong to it; without one, all statements have to be in the
   *   database of the first
   */
  constructor(adapter?: DatabaseAdapter, limits: ExecutionLimits = {}) {
    this.#adapter = adapter;
    this.#limits = limits;
    // Awaited only while an action runs.
    this.ended.catch(() => undefined);
    this.isBatch = adapter === undefined;
  }

  /** Whether the statements of a database belong to it. */
  covers(adapter: DatabaseAdapter): boolean {
    return this.isBatch || this.#adapter === adapter;
  }

  /** @throws Problem 422 for a statement in another database */
  executorFor(adapter: DatabaseAdapter): Promise<SqlExecutor> {
    this.#adapter ??= adapter;
    if (this.#adapter !== adapter) throw problem('batch_not_atomic', { reason: 'it uses another database' });
    return (this.#executor ??= this.#begin(adapter));
  }

  /** The database of its statements, from the first one on. */
  get adapter(): DatabaseAdapter | undefined {
    return this.#adapter;
  }

  /** Whether another transaction made one of its statements fail: all of them can be repeated. */
  get isConflicting(): boolean {
    return this.#isConflicting;
  }

  /** How many of its statements so far may have changed something. */
  get writes(): number {
    return this.#writes;
  }

  /** Makes it impossible to commit. */
  fail(error: Error): void {
    this.#refusal ??= error;
  }

  /** The first failure of a statement, with which the transaction has ended. */
  get failure(): DatabaseError | undefined {
    return this.#failure;
  }

  /** @throws DatabaseError if the database refuses to commit; the error of `fail`; ContinuedTransaction */
  async commit(): Promise<void> {
    const failure = this.#failure && ContinuedTransaction.after(this.#failure);
    const refusal = this.#refusal ?? failure;
    if (refusal !== undefined) {
      await this.rollBack();
      throw refusal;
    }
    this.#end?.commit();
    try {
      await this.#transaction;
    } finally {
      this.#settle();
    }
  }

  async rollBack(): Promise<void> {
    this.#end?.rollBack(new Error('The transaction was rolled back.'));
    await this.#transaction?.catch(() => undefined);
    this.#settle();
  }

  async #observed<T>({ kind }: SqlStatement, execute: () => MaybePromise<T>): Promise<T> {
    if (this.#failure !== undefined) throw ContinuedTransaction.after(this.#failure);
    if (kind === 'write') this.#writes += 1;
    try {
      return await execute();
    } catch (error) {
      this.#isConflicting ||= isConflict(error);
      if (error instanceof DatabaseError) this.#failure ??= error;
      throw error;
    }
  }

  #begin(adapter: DatabaseAdapter): Promise<SqlExecutor> {
    return new Promise((resolve, reject) => {
      const end = new Promise<void>((commit, rollBack) => (this.#end = { commit, rollBack }));
      // It is not awaited if the transaction cannot begin.
      end.catch(() => undefined);
      this.#transaction = adapter.transaction(async (executor) => {
        resolve({
          execute: (statement, ...others) =>
            this.#observed(statement, () => executor.execute(statement, ...others)),
        });
        await end;
      }, this.#limits);
      // It may fail before it begins; `commit` reports what fails later.
      this.#transaction.catch((error: unknown) => {
        reject(toError(error));
        this.#rejectEnded(error);
      });
    });
  }
}

const scopes = new AsyncLocalStorage<TransactionScope | undefined>();

// Work that a hook begins does not belong to the transaction, and begins when others have its rows.
leaveInBackground((act) => {
  const scope = scopes.getStore();
  return scope === undefined ? act() : scope.settled.then(() => scopes.run(undefined, act));
});

/** Runs an action whose statements belong to a transaction. */
export function runInScope<T>(scope: TransactionScope, action: () => T): T {
  return scopes.run(scope, action);
}

/**
 * Runs an action in a transaction of a database: that of the current request, or a new one, which is committed when the
 * action has ended, and rolled back if it throws or its limits end.
 * @throws the error of the action; DatabaseError if it cannot be committed
 */
export async function inTransaction<T>(
  adapter: DatabaseAdapter,
  action: (scope: TransactionScope) => Promise<T>,
  limits: ExecutionLimits = {},
): Promise<T> {
  const current = currentScope(adapter);
  if (current !== undefined) return action(current);
  const scope = new TransactionScope(adapter, limits);
  const { signal } = limits;
  // An action that does not end must not hold its locks.
  const onAbort = (): void => {
    scope.fail(cancelled('transaction'));
    void scope.rollBack();
  };
  signal?.addEventListener('abort', onAbort);
  try {
    // An action that waits for something else learns nothing of it.
    const result = await Promise.race([scope.ended, runInScope(scope, () => action(scope))]);
    await scope.commit();
    return result;
  } catch (error) {
    await scope.rollBack();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Whether the current request is part of a batch. */
export function isInBatch(): boolean {
  return scopes.getStore()?.isBatch === true;
}

/** The transaction that the statements of the current request in a database belong to. */
export function currentScope(adapter: DatabaseAdapter): TransactionScope | undefined {
  const scope = scopes.getStore();
  return scope?.covers(adapter) === true ? scope : undefined;
}

/** What executes the statements of the current request: its transaction, or the database itself. */
export function executorOf(adapter: DatabaseAdapter): MaybePromise<SqlExecutor> {
  return currentScope(adapter)?.executorFor(adapter) ?? adapter;
}
