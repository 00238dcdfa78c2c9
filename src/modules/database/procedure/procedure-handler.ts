import { andThen, Problem } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import type { DatabaseAdapter, Row, SqlStatement, SqlValue } from '../adapters/database-adapter';
import { retryConflicts } from '../adapters/conflict-retry';
import { DatabaseError } from '../adapters/database-error';
import { sqlStateOf } from '../adapters/postgres/postgres-errors';
import { withDatabaseProblems } from '../service/problems/database-problems';
import { unreached } from '../service/unavailable-resource';
import type { ProcedureServiceDefinition } from './procedure-definition';
import type { Procedure } from './resolve-procedure';

/** Responds while the statement is unknown, since its database has not been reached since the start. @throws Problem 503 */
export function unavailableHandler(): never {
  throw unreached();
}

/** Statements may be about tables whose columns clients do not see. */
const NO_COLUMNS = { columns: [] };

const READ_ONLY: SqlStatement = { text: 'SET TRANSACTION READ ONLY', kind: 'read', adHoc: true };

/** Returns the handler that executes a statement, and converts its result. */
export function procedureHandler(
  { read_only: isReadOnly = true }: ProcedureServiceDefinition,
  { call, result, columns }: Procedure,
  { adapter, service }: { readonly adapter: DatabaseAdapter; readonly service: string },
): (context: HandlerContext) => unknown {
  // SQLite cannot change data by a statement that is known to read.
  const isTransaction = isReadOnly && adapter.dialect === 'postgres';
  const execute = (statement: SqlStatement, values: readonly SqlValue[], context: HandlerContext) =>
    isTransaction
      ? adapter
          .transaction(async (executor) => {
            await executor.execute(READ_ONLY, []);
            return executor.execute(statement, values);
          }, context)
          .catch(reportChange)
      : adapter.execute(statement, values, context);
  const resultOf = (rows: readonly Row[]): unknown => {
    if (result === 'none') return undefined;
    if (result === 'rows') return rows.map((row) => call.entity(row));
    const [first] = rows;
    if (result === 'value') return valueOf(first === undefined ? {} : call.entity(first), columns?.[0]?.name);
    if (first === undefined) throw new Problem(404, 'No row matches the parameters.');
    return call.entity(first);
  };
  const failed = { service, table: NO_COLUMNS, action: isReadOnly ? 'read' : 'write' } as const;
  return (context) =>
    withDatabaseProblems(failed, () => {
      const { body, query, parameters } = context;
      const given = { ...query, ...(body as Readonly<Record<string, unknown>> | undefined), ...parameters };
      const { statement, values } = call.of(given, context);
      const rows = retryConflicts(() => execute(statement, values, context), context);
      return andThen<readonly Row[], unknown>(rows, resultOf);
    });
}

/** A statement that changes data in a transaction that only reads fails each time, unlike during an outage. @throws the error */
function reportChange(error: unknown): never {
  // read_only_sql_transaction
  if (sqlStateOf(error) !== '25006') throw error;
  const message = 'The statement changes data. Set "read_only": false.';
  throw new DatabaseError('schema', message, { cause: error });
}

/** The first column; null without a row. */
function valueOf(row: Row, name: string | undefined): unknown {
  const value = name === undefined ? Object.values(row)[0] : row[name];
  return value ?? null;
}
