import type {
  CompiledQuery,
  DatabaseConnection,
  OperationNode,
  QueryResult,
  SelectQueryNode,
  TransactionSettings,
} from 'kysely';
import type {
  DatabaseAdapter,
  Rows,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../adapters/database-adapter';
import { currentScope, TransactionScope } from '../batch/transaction-scope';
import { statementsOf } from '../migrations/sql-statements';
import { toParameter } from '../schema/parameters';
import { toStatementError } from './statement-error';

/** What one query or one transaction of Kysely uses. */
export class AdapterConnection implements DatabaseConnection {
  readonly #adapter: DatabaseAdapter;
  /** The transaction of the request that it belongs to. */
  readonly #outer: TransactionScope | undefined;
  /** A transaction that Kysely has begun. */
  #own: TransactionScope | undefined;

  constructor(adapter: DatabaseAdapter, scope: TransactionScope | undefined) {
    this.#adapter = adapter;
    this.#outer = scope ?? currentScope(adapter);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#statementOf(query);
    const isCounted = this.#adapter.dialect === 'sqlite' && statement.kind === 'write';
    const execute = async (executor: SqlExecutor): Promise<QueryResult<R>> => {
      const parameters = this.#parametersOf(query);
      // The driver reports rows only. Both are sent at once: the thread of a transaction executes them one after the
      // other, and no statement of the same transaction comes between.
      const [rows, [counts] = []] = await Promise.all([
        executor.execute(statement, parameters),
        ...(isCounted ? [executor.execute(COUNTS, [])] : []),
      ]);
      return resultOf(rows, counts as Counts | undefined);
    };
    try {
      const scope = this.#own ?? this.#outer;
      if (scope !== undefined) return await execute(await scope.executorFor(this.#adapter));
      // The counts are those of a connection.
      return await (isCounted ? this.#adapter.transaction(execute) : execute(this.#adapter));
    } catch (error) {
      throw toStatementError(error);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // The rows of a transaction are read by its own connection.
    if (this.#own !== undefined || this.#outer !== undefined) {
      yield await this.executeQuery<R>(query);
      return;
    }
    try {
      const batches = this.#adapter.stream(this.#statementOf(query), this.#parametersOf(query));
      for await (const rows of batches) yield resultOf(rows, undefined);
    } catch (error) {
      throw toStatementError(error);
    }
  }

  /** Begins a transaction; within that of the request, there is nothing to begin. */
  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    if (this.#outer !== undefined) return;
    this.#own = new TransactionScope(this.#adapter, { bound: 'whole' });
    const modes = [...(isolationLevel ? [`ISOLATION LEVEL ${isolationLevel}`] : []), accessMode].filter(
      Boolean,
    );
    try {
      const executor = await this.#own.executorFor(this.#adapter);
      // Transactions of SQLite are serializable.
      if (modes.length > 0 && this.#adapter.dialect === 'postgres')
        await executor.execute(
          { text: `SET TRANSACTION ${modes.join(', ')}`, kind: 'write', adHoc: true },
          [],
        );
    } catch (error) {
      // Kysely ends only what has begun.
      await this.rollBack();
      throw toStatementError(error);
    }
  }

  async commit(): Promise<void> {
    try {
      await this.#own?.commit();
    } catch (error) {
      throw toStatementError(error);
    }
    // Other queries of the connection may follow.
    this.#own = undefined;
  }

  /** Rolls back; a part of the transaction of the request cannot be rolled back alone. */
  async rollBack(): Promise<void> {
    if (this.#own === undefined) this.#outer?.fail(new Error('A part of the transaction was rolled back.'));
    await this.#own?.rollBack();
    this.#own = undefined;
  }

  /** @throws TypeError for several statements: PostgreSQL would return several results, and SQLite execute the first only */
  #statementOf({ sql: text, query }: CompiledQuery): SqlStatement {
    if (text.includes(';') && statementsOf(text, this.#adapter.dialect).length > 1)
      throw new TypeError('A query has several statements. Execute one after the other.');
    return { text, kind: mayWrite(query, text) ? 'write' : 'read', adHoc: true };
  }

  #parametersOf({ parameters }: CompiledQuery): readonly SqlValue[] {
    return parameters.map((value) => toParameter(value, this.#adapter.dialect));
  }
}

interface Counts {
  readonly changes: number;
  readonly id: string;
}

const COUNTS: SqlStatement = {
  // As text, since the driver refuses integers beyond 2^53.
  text: 'SELECT changes() AS changes, CAST(last_insert_rowid() AS TEXT) AS id',
  kind: 'read',
  single: true,
};

function resultOf<R>(rows: Rows, counts: Counts | undefined): QueryResult<R> {
  const changed = counts?.changes ?? rows.affected;
  return {
    // The types of the rows are those that the query declares.
    rows: rows as readonly unknown[] as R[],
    ...(changed === undefined ? {} : { numAffectedRows: BigInt(changed) }),
    ...(counts === undefined ? {} : { insertId: BigInt(counts.id) }),
  };
}

const READING = /^\s*(?:select|with|values|explain|pragma)\b/i;
const WRITING = /\b(?:insert|update|delete|merge|replace)\b/i;

/** Whether a query may change something, also by a common table expression. @param text the whole statement */
function mayWrite(node: OperationNode, text: string): boolean {
  if (node.kind === 'RawNode') return !READING.test(text) || WRITING.test(text);
  if (!isSelection(node)) return true;
  return node.with?.expressions.some(({ expression }) => mayWrite(expression, text)) === true;
}

function isSelection(node: OperationNode): node is SelectQueryNode {
  return node.kind === 'SelectQueryNode';
}
