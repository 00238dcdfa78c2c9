import { AsyncLocalStorage } from 'node:async_hooks';
import { problem, type MaybePromise } from '../../../framework';
import type { DatabaseAdapter, SqlExecutor } from '../adapters/database-adapter';

/** The transaction of a batch. It begins with the first statement, in the database of that statement. */
export class TransactionScope {
  #adapter: DatabaseAdapter | undefined;
  #executor: Promise<SqlExecutor> | undefined;
  #transaction: Promise<void> | undefined;
  #end: { commit(): void; rollBack(error: unknown): void } | undefined;

  /** @throws Problem 422 for a statement in another database */
  executorFor(adapter: DatabaseAdapter): Promise<SqlExecutor> {
    this.#adapter ??= adapter;
    if (this.#adapter !== adapter) throw problem('batch_not_atomic', { reason: 'it uses another database' });
    return (this.#executor ??= this.#begin(adapter));
  }

  /** @throws DatabaseError if the database refuses to commit */
  async commit(): Promise<void> {
    this.#end?.commit();
    await this.#transaction;
  }

  async rollBack(): Promise<void> {
    this.#end?.rollBack(new Error('The batch failed.'));
    await this.#transaction?.catch(() => undefined);
  }

  #begin(adapter: DatabaseAdapter): Promise<SqlExecutor> {
    return new Promise((resolve, reject) => {
      const end = new Promise<void>((commit, rollBack) => (this.#end = { commit, rollBack }));
      this.#transaction = adapter.transaction(async (executor) => {
        resolve(executor);
        await end;
      });
      // It may fail before it begins; `commit` reports what fails later.
      this.#transaction.catch(reject);
    });
  }
}

const scopes = new AsyncLocalStorage<TransactionScope>();

/** Runs an action whose statements belong to a transaction. */
export function runInScope<T>(scope: TransactionScope, action: () => T): T {
  return scopes.run(scope, action);
}

/** Whether the current request is part of a batch. */
export function isInScope(): boolean {
  return scopes.getStore() !== undefined;
}

/** What executes the statements of the current request: its transaction, or the database itself. */
export function executorOf(adapter: DatabaseAdapter): MaybePromise<SqlExecutor> {
  return scopes.getStore()?.executorFor(adapter) ?? adapter;
}
