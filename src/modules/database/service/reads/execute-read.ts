import { andThen, type MaybePromise } from '../../../../framework';
import type { ResourceContext } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import { executorOf } from '../../batch/transaction-scope';
import type { CompiledQuery } from '../../query/compiled-query';
import type { QueryInput } from '../../query/expressions';
import { withDatabaseProblems, type FailedAction } from '../problems/database-problems';
import { failedValues } from '../problems/failed-values';
import type { GivenValue } from '../../table/given-value';
import type { TableAccess } from '../table-access';

/**
 * Executes a statement that reads rows. Synchronous where the adapter is.
 *
 * @param convert converts the rows into the result
 * @param given returns the values of the request that the statement contains; called only if it fails
 * @throws Problem for a failed statement
 */
export function executeRead<T>(
  { adapter, table, service }: Pick<TableAccess, 'adapter' | 'table' | 'service'>,
  query: CompiledQuery<QueryInput>,
  input: QueryInput,
  context: Pick<ResourceContext<unknown>, 'signal'>,
  convert: (rows: readonly Row[]) => T,
  given: () => readonly GivenValue[],
): MaybePromise<T> {
  const find: FailedAction['find'] = (error) => failedValues(error, given(), table);
  const failed: FailedAction = { service, table, action: 'read', find, given, id: input.id };
  return withDatabaseProblems(failed, () =>
    andThen(
      andThen(executorOf(adapter), (executor) =>
        executor.execute(query.statement, query.parametersOf(input), context),
      ),
      convert,
    ),
  );
}
