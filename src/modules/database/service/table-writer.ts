import { andThen, isThenable, problem, type MaybePromise } from '../../../framework';
import { failedValidation, type ValidationError } from '../../content-validation';
import { created, mergePatch, type Created, type ResourceContext } from '../../hosting';
import { DatabaseError } from '../adapters/database-error';
import type { Row } from '../adapters/database-adapter';
import type { QueryInput } from '../query/expressions';
import type { TableQuery, WriteGuard } from '../query/table-queries';
import { executorOf } from '../batch/transaction-scope';
import { withDatabaseProblems } from './database-problems';
import type { Entity } from './entity-mapper';
import type { TableColumnInfo } from './table';
import type { TableAccess } from './table-resource';

type Context = ResourceContext<unknown>;

/** Builds the statement of a change for a guard. */
type Change = (guard: WriteGuard) => TableQuery;

/** Writes rows: one statement per request, except where the expected state has to be read first. */
export class TableWriter {
  readonly #access: TableAccess;

  constructor(access: TableAccess) {
    this.#access = access;
  }

  create(data: Entity, context: Context): MaybePromise<Entity> {
    const { queries, entities, table } = this.#access;
    const missing = table.isKeyChosen && data[table.key.name] === undefined;
    if (missing) throw failedValidation([required(table.key)]);
    const query = queries.insert(this.#given(data));
    return this.#write(query, { identity: context.identity, body: data }, context, 'write', ([row = {}]) =>
      entities.entity(row),
    );
  }

  /** Replaces a row; creates it where clients choose the key. */
  replace(id: string, data: Entity, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    const { queries, table, entities } = this.#access;
    const { key } = table;
    if (data[key.name] !== undefined && String(data[key.name]) !== id) {
      const message = 'must be the identifier in the URL';
      throw failedValidation([{ pointer: `/${key.name}`, keyword: 'const', message }]);
    }
    const columns = this.#given(data).filter((column) => column !== key);
    const cleared = table.columns.filter(
      (column) => column.isWritable && column !== key && !columns.includes(column) && !this.#isFixed(column),
    );
    const { precondition } = context;
    const body = { ...data, [key.name]: id };
    const insert = (): MaybePromise<Created<Entity>> =>
      andThen(this.create(body, context), (entity) => created(entity));
    if (table.isKeyChosen && precondition.ifNoneMatch === '*') {
      return orElse(insert, isTaken, () => {
        precondition.assert('*');
        return undefined;
      });
    }
    const change: Change = (guard) => queries.update(columns, cleared, guard);
    const replaced = this.#change(change, { identity: context.identity, id, body }, context);
    return andThen(replaced, (row) => {
      if (row !== undefined) return entities.entity(row);
      if (!table.isKeyChosen) return undefined;
      precondition.assert(undefined);
      // Another client may create it at the same moment.
      return orElse(insert, isTaken, () =>
        andThen(this.#change(change, { identity: context.identity, id, body }, context), (again) => {
          if (again === undefined) throw problem('write_conflict', { service: this.#access.service });
          return entities.entity(again);
        }),
      );
    });
  }

  /** Applies a merge patch (RFC 7396): only the columns that it names are written. */
  patch(id: string, data: Entity, context: Context): MaybePromise<Entity | undefined> {
    const { queries, entities, table } = this.#access;
    const columns = this.#given(data).filter((column) => column !== table.key);
    const nulls = columns.filter(({ name, model }) => data[name] === null && !model.isNullable);
    if (nulls.length > 0) throw failedValidation(nulls.map(required));
    const { identity } = context;
    const change: Change = (guard) =>
      columns.length === 0 ? queries.byKey() : queries.update(columns, [], guard);
    // A part of a JSON value can only be merged into the stored one.
    const merged = columns.filter(({ name, model }) => model.type === 'json' && isJsonObject(data[name]));
    if (merged.length === 0) {
      return andThen(this.#change(change, { identity, id, body: data }, context), (row) =>
        row === undefined ? undefined : entities.entity(row),
      );
    }
    return andThen(this.#current(id, context), (current) => {
      if (current === undefined) return undefined;
      const entity = entities.entity(current);
      context.precondition.assert(entities.revision(entity));
      const values = merged.map(({ name }): [string, unknown] => [
        name,
        mergePatch(entity[name], data[name]),
      ]);
      const body = { ...data, ...Object.fromEntries(values) };
      const query = change('unchanged');
      return this.#write(query, { identity, id, body, current }, context, 'write', ([row]) => {
        if (row === undefined) throw this.#changedMeanwhile(id);
        return entities.entity(row);
      });
    });
  }

  /** @returns whether the row existed */
  delete(id: string, context: Context): MaybePromise<boolean> {
    const change: Change = (guard) => this.#access.queries.delete(guard);
    return andThen(
      this.#change(change, { identity: context.identity, id }, context, 'delete'),
      (row) => row !== undefined,
    );
  }

  /** The writable columns that a body has. */
  #given(data: Entity): readonly TableColumnInfo[] {
    return this.#access.table.columns.filter(
      (column) => column.isWritable && data[column.name] !== undefined && !this.#isFixed(column),
    );
  }

  #isFixed(column: TableColumnInfo): boolean {
    return this.#access.table.rows.some((row) => row.column === column);
  }

  /**
   * Executes a change under the preconditions of the request. The expected state is compared inside the statement, so
   * that no change by anybody else is lost (RFC 9110, 13.1.1).
   * @returns the changed row; undefined if there is none
   * @throws Problem 412
   */
  #change(
    change: Change,
    input: QueryInput,
    context: Context,
    action: 'write' | 'delete' = 'write',
  ): MaybePromise<Row | undefined> {
    const { precondition } = context;
    const { ifMatch, ifNoneMatch } = precondition;
    const first = ([row]: readonly Row[]): Row | undefined => row;
    if ((ifMatch === undefined || ifMatch === '*') && ifNoneMatch === undefined)
      return this.#write(change('none'), input, context, action, first);
    const { id = '' } = input;
    const { entities, table } = this.#access;
    return andThen(this.#current(id, context), (current) => {
      if (current === undefined) return undefined;
      const revision = entities.revision(entities.entity(current));
      precondition.assert(revision);
      const guard = table.revision.kind === 'hash' ? 'unchanged' : 'revision';
      return this.#write(change(guard), { ...input, current, revision }, context, action, ([row]) => {
        if (row === undefined) throw this.#changedMeanwhile(id);
        return row;
      });
    });
  }

  #current(id: string, context: Context): MaybePromise<Row | undefined> {
    const query = this.#access.queries.byKey();
    return this.#write(query, { identity: context.identity, id }, context, 'write', ([row]) => row);
  }

  #changedMeanwhile(id: string) {
    return problem('changed_meanwhile', { what: `${this.#access.service} "${id}"` });
  }

  #write<T>(
    query: TableQuery,
    input: QueryInput,
    context: Context,
    action: 'write' | 'delete',
    convert: (rows: readonly Row[]) => T,
  ): MaybePromise<T> {
    const { adapter, table, service } = this.#access;
    return withDatabaseProblems({ service, table, action, log: context.log }, () =>
      andThen(
        onceMore(() =>
          andThen(executorOf(adapter), (executor) =>
            executor.execute(query.statement, query.parametersOf(input), context),
          ),
        ),
        convert,
      ),
    );
  }
}

function required({ name }: TableColumnInfo): ValidationError {
  return { pointer: `/${name}`, keyword: 'required', message: 'is required' };
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof DatabaseError && error.cause.kind === 'unique';
}

function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'conflict';
}

/** Repeats a statement that failed because of another transaction, once. */
function onceMore<T>(run: () => MaybePromise<T>): MaybePromise<T> {
  return orElse(run, isConflict, run);
}

/** Runs an action, and another one if it fails with a certain error. */
function orElse<T, R>(
  run: () => MaybePromise<T>,
  applies: (error: unknown) => boolean,
  otherwise: () => MaybePromise<R>,
): MaybePromise<T | R> {
  const recover = (error: unknown): MaybePromise<R> => {
    if (!applies(error)) throw error;
    return otherwise();
  };
  try {
    const result = run();
    return isThenable(result) ? Promise.resolve(result).catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
