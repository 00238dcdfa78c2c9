import { andThen, formatPointer, type MaybePromise } from '../../../../framework';
import type { ResourceContext } from '../../../hosting';
import type { Row } from '../../adapters/database-adapter';
import { retryConflicts } from '../../adapters/conflict-retry';
import { currentScope, executorOf, inTransaction } from '../../batch/transaction-scope';
import type { CompiledQuery } from '../../query/compiled-query';
import type { QueryInput } from '../../query/expressions';
import { isConflictProblem, withDatabaseProblems, type FailedAction } from '../problems/database-problems';
import { failedValues, identifierValues } from '../problems/failed-values';
import type { GivenValue } from '../../table/given-value';
import { idOfSelected } from './row-input';
import { restrictedValue, type Requester } from '../../table/restricted-value';
import type { Table } from '../../table/table';
import type { TableAccess } from '../table-access';

export type WriteAction = 'write' | 'delete';

/**
 * Executes a statement that changes rows; repeats it if another transaction made it fail.
 *
 * @param convert converts the rows, as they are stored then, into the result
 * @param given returns the values of the request that the statement contains; called only if it fails
 * @throws Problem, also for a row that cannot be converted
 */
export function executeWrite<T>(
  access: Pick<TableAccess, 'adapter' | 'table' | 'service' | 'queries' | 'entities'>,
  query: CompiledQuery<QueryInput>,
  input: QueryInput,
  context: Pick<ResourceContext<unknown>, 'signal'>,
  action: WriteAction,
  convert: (rows: readonly Row[]) => MaybePromise<T>,
  given: () => readonly GivenValue[] = () => writtenValues(access.table, input),
): MaybePromise<T> {
  const { adapter, table, service } = access;
  const find: FailedAction['find'] = (error) => failedValues(error, given(), table);
  const execute = (): MaybePromise<readonly Row[]> =>
    andThen(executorOf(adapter), (executor) =>
      executor.execute(query.statement, query.parametersOf(input), context),
    );
  const failed: FailedAction = { service, table, action, find, id: input.id };
  const executeAndRead = async (): Promise<readonly Row[]> =>
    // What a failure is about is found in the transaction, before it ends.
    withDatabaseProblems(failed, async () => {
      const rows = await storedRows(access, await execute(), input.requester, context);
      query.statement.check?.(rows);
      return rows;
    });
  const isReadAgain = table.isChangedByTriggers && action === 'write' && query.statement.kind === 'write';
  const executeAll = isReadAgain ? () => inTransaction(adapter, executeAndRead, context) : execute;
  return withDatabaseProblems(failed, () =>
    andThen(
      // In a transaction, only all of its statements can be repeated.
      currentScope(adapter) === undefined
        ? retryConflicts(executeAll, context, isConflictProblem)
        : executeAll(),
      convert,
    ),
  );
}

/**
 * Reads rows again, since databases return them before they execute AFTER triggers. A row that does not exist any more,
 * with this key and for this client, is the one that was written.
 */
async function storedRows(
  access: Pick<TableAccess, 'adapter' | 'table' | 'queries' | 'entities'>,
  written: readonly Row[],
  requester: Requester,
  context: Pick<ResourceContext<unknown>, 'signal'>,
): Promise<readonly Row[]> {
  const query = access.queries.byKey();
  const executor = await executorOf(access.adapter);
  const rows: Row[] = [];
  for (const row of written) {
    const parameters = query.parametersOf({ requester, id: idOfSelected(access, row, requester) });
    const [stored] = await executor.execute(query.statement, parameters, context);
    rows.push(stored ?? row);
  }
  return rows;
}

/** The values of a statement that writes: those of the body, those that `rows` sets, defaults, and the identifier. */
function writtenValues(
  table: Table,
  { body = {}, cleared = [], id, requester }: QueryInput,
): readonly GivenValue[] {
  const { columns, rows } = table;
  const written = columns.flatMap((column) => {
    const { name } = column;
    const row = rows.find((one) => one.column === column);
    const value = row === undefined ? body[name] : restrictedValue(row, requester);
    const isGiven = value !== undefined || (cleared.includes(column) && column.model.default !== undefined);
    return !isGiven ? [] : [{ column, value, at: formatPointer([name]), isWritten: true }];
  });
  return [...written, ...identifierValues(table, id)];
}
