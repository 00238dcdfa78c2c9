import { andThen, isThenable, type MaybePromise } from '../../../framework';
import type { ResourceContext } from '../../hosting';
import type { Row } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { executorOf } from '../batch/transaction-scope';
import type { CompiledQuery } from '../query/compiled-query';
import type { QueryInput } from '../query/expressions';
import { withDatabaseProblems, type FailedAction } from './database-problems';
import { failedValues, identifierValues, type GivenValue } from './failed-values';
import { restrictedValue } from './row-restriction';
import type { Table } from './table';
import type { TableAccess } from './table-resource';

export type WriteAction = 'write' | 'delete';

/** Executes a statement that changes rows; repeats it once if another transaction made it fail. @throws Problem */
export function executeWrite(
  { adapter, table, service }: Pick<TableAccess, 'adapter' | 'table' | 'service'>,
  query: CompiledQuery<QueryInput>,
  input: QueryInput,
  context: Pick<ResourceContext<unknown>, 'signal'>,
  action: WriteAction,
  given: () => readonly GivenValue[] = () => writtenValues(table, input),
): MaybePromise<readonly Row[]> {
  const find: FailedAction['find'] = (error) => failedValues(error, given(), table);
  return withDatabaseProblems({ service, table, action, find, id: input.id }, () =>
    onceMore(() =>
      andThen(executorOf(adapter), (executor) =>
        executor.execute(query.statement, query.parametersOf(input), context),
      ),
    ),
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
