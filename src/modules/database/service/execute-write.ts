import { andThen, type MaybePromise } from '../../../framework';
import type { ResourceContext } from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { retryConflicts } from '../adapters/conflict-retry';
import { currentScope, executorOf } from '../batch/transaction-scope';
import type { CompiledQuery } from '../query/compiled-query';
import type { QueryInput } from '../query/expressions';
import { withDatabaseProblems, type FailedAction } from './database-problems';
import { failedValues, identifierValues } from './failed-values';
import type { GivenValue } from './given-value';
import { restrictedValue } from './row-restriction';
import type { Table } from './table';
import type { TableAccess } from './table-access';

export type WriteAction = 'write' | 'delete';

/** Executes a statement that changes rows; repeats it if another transaction made it fail. @throws Problem */
export function executeWrite(
  { adapter, table, service }: Pick<TableAccess, 'adapter' | 'table' | 'service'>,
  query: CompiledQuery<QueryInput>,
  input: QueryInput,
  context: Pick<ResourceContext<unknown>, 'signal'>,
  action: WriteAction,
  given: () => readonly GivenValue[] = () => writtenValues(table, input),
): MaybePromise<readonly Row[]> {
  const find: FailedAction['find'] = (error) => failedValues(error, given(), table);
  const execute = (): MaybePromise<readonly Row[]> =>
    andThen(executorOf(adapter), (executor) =>
      executor.execute(query.statement, query.parametersOf(input), context),
    );
  return withDatabaseProblems({ service, table, action, find, id: input.id }, () =>
    // In a transaction, only all of its statements can be repeated.
    currentScope(adapter) === undefined ? retryConflicts(execute, context) : execute(),
  );
}

/** The values of a statement that writes: those of the body, those that `rows` sets, and the identifier. */
function writtenValues(table: Table, { body = {}, id, requester }: QueryInput): readonly GivenValue[] {
  const { columns, rows } = table;
  const written = columns.flatMap((column) => {
    const { name } = column;
    const row = rows.find((one) => one.column === column);
    const value = row === undefined ? body[name] : restrictedValue(row, requester);
    return value === undefined ? [] : [{ column, value, at: `/${name}` }];
  });
  return [...written, ...identifierValues(table, id)];
}
