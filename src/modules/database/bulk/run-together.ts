import type { ResourceContext } from '../../hosting';
import { retryConflicts } from '../adapters/conflict-retry';
import { currentScope, inTransaction } from '../batch/transaction-scope';
import type { WriteAction } from '../service/writes/execute-write';
import { isConflictProblem, withDatabaseProblems } from '../service/problems/database-problems';
import type { TableAccess } from '../service/table-access';

/** Runs an action in one transaction, whose end can fail too; again if another transaction made it fail. */
export async function runTogether<T>(
  { table, service, adapter }: TableAccess,
  run: () => Promise<T>,
  action: WriteAction,
  context: ResourceContext<unknown>,
): Promise<T> {
  const isRepeatable = currentScope(adapter) === undefined;
  const execute = (): Promise<T> =>
    inTransaction(adapter, run, { signal: context.signal, isRepeated: isRepeatable, bound: 'whole' });
  return withDatabaseProblems({ service, table, action }, () =>
    isRepeatable ? retryConflicts(execute, context, isConflictProblem) : execute(),
  );
}
