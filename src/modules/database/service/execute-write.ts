import { andThen, isThenable, type MaybePromise } from '../../../framework';
import type { ResourceContext } from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { executorOf } from '../batch/transaction-scope';
import type { CompiledQuery } from '../query/compiled-query';
import { withDatabaseProblems } from './database-problems';
import type { TableAccess } from './table-resource';

export type WriteAction = 'write' | 'delete';

/** Executes a statement that changes rows; repeats it once if another transaction made it fail. @throws Problem */
export function executeWrite<Input>(
  { adapter, table, service }: Pick<TableAccess, 'adapter' | 'table' | 'service'>,
  query: CompiledQuery<Input>,
  input: Input,
  context: Pick<ResourceContext<unknown>, 'signal'>,
  action: WriteAction,
): MaybePromise<readonly Row[]> {
  return withDatabaseProblems({ service, table, action }, () =>
    onceMore(() =>
      andThen(executorOf(adapter), (executor) =>
        executor.execute(query.statement, query.parametersOf(input), context),
      ),
    ),
  );
}

export function onceMore<T>(run: () => MaybePromise<T>): MaybePromise<T> {
  const recover = (error: unknown): MaybePromise<T> => {
    if (error instanceof DatabaseError && error.kind === 'conflict') return run();
    throw error;
  };
  try {
    const result = run();
    return isThenable(result) ? Promise.resolve(result).catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
