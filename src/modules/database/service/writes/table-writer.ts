import { isDeepStrictEqual } from 'node:util';
import { andThen, formatPointer, isObject, problem, Problem, type MaybePromise } from '../../../../framework';
import { failedValidation } from '../../../content-validation';
import { created, type Created, type EntityId, type ResourceContext } from '../../../hosting';
import { retryConflicts } from '../../adapters/conflict-retry';
import { DatabaseError } from '../../adapters/database-error';
import { currentScope } from '../../batch/transaction-scope';
import { hasJsonNull } from '../../schema/column-codec';
import { assertSameKey } from './same-key';
import { isKey, keyColumns, keyNames } from '../../table/table-key';
import type { Entity } from '../../table/entity';
import { assertAddressable, assertKey, givenColumns, isFixed, isOwnKey, required } from './row-input';
import { columnsWithNumberTexts, mergedValues, withStoredNumbers } from './merged-values';
import { assertOwner } from '../row-restriction';
import { isUnconditional, RowWriter, type Change } from './row-writer';
import type { Table, TableColumnInfo } from '../../table/table';
import type { TableAccess } from '../table-access';

type Context = ResourceContext<unknown>;

/** Writes rows: one statement per request, except where the expected state has to be read first. */
export class TableWriter {
  readonly #access: TableAccess;
  readonly #row: RowWriter;

  constructor(access: TableAccess) {
    this.#access = access;
    this.#row = new RowWriter(access);
  }

  create(data: Entity, context: Context): MaybePromise<Entity> {
    const { queries, entities, table } = this.#access;
    assertOwner(table.rows, context);
    assertKey(table, data);
    assertAddressable(table, data);
    const query = queries.insert(givenColumns(this.#access, data));
    return this.#row.write(query, { requester: context, body: data }, context, 'write', ([row]) => {
      if (row === undefined) throw this.#row.notStored();
      return entities.tracedEntity(row);
    });
  }

  /** Replaces a row; creates it where clients choose the key. */
  replace(id: EntityId, data: Entity, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    return andThen(assertSameKey(this.#access, id, data, context), () =>
      andThen(this.#withStoredNumbers(id, data, context), (body) => this.#replace(id, body, context)),
    );
  }

  #replace(id: EntityId, data: Entity, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    const { table, entities } = this.#access;
    const key = keyColumns(table, id);
    // No row can have it.
    if (Object.values(key).includes(null)) return undefined;
    const body = { ...data, ...key };
    const { precondition } = context;
    const { ifMatch, ifNoneMatch } = precondition;
    const isCreatable = table.isKeyChosen && isOwnKey(table, body, context);
    if (isCreatable && ifNoneMatch === '*' && ifMatch === undefined) {
      return andThen(this.#createIfAbsent(body, context), (made) => {
        if (made !== undefined) return made;
        return this.#row.current(id, context, (current) => {
          if (current === undefined && table.rows.length === 0) throw this.#row.notStored(id);
          precondition.assert('*');
          return undefined;
        });
      });
    }
    const replace = (): MaybePromise<Entity | undefined> => {
      const { change, cleared } = this.#replacement(data);
      return this.#row.change(change, { requester: context, id, body, cleared }, context, 'write', (row) =>
        entities.tracedEntity(row),
      );
    };
    return andThen(replace(), (replaced) => {
      if (replaced !== undefined) return replaced;
      if (!isCreatable) return this.#row.assertAbsent(id, context);
      precondition.assert(undefined);
      return andThen(
        this.#createIfAbsent(body, context),
        (made) =>
          made ??
          // Another client has created it at the same moment, or it is one of the rows that this client cannot see.
          andThen(replace(), (again) => {
            if (again !== undefined) return again;
            return andThen(this.#row.assertAbsent(id, context), () => {
              throw table.rows.length === 0 ? this.#row.notStored(id) : this.#taken();
            });
          }),
      );
    });
  }

  /** Applies a merge patch (RFC 7396): only the columns that it names are written. */
  patch(id: EntityId, data: Entity, context: Context): MaybePromise<Entity | undefined> {
    return andThen(assertSameKey(this.#access, id, data, context), () => this.#patch(id, data, context));
  }

  #patch(id: EntityId, data: Entity, context: Context): MaybePromise<Entity | undefined> {
    const { queries, entities, table, service } = this.#access;
    const columns = givenColumns(this.#access, data).filter(({ name }) => !isKey(table, name));
    const nulls = columns.filter(
      ({ name, model }) => data[name] === null && !model.isNullable && !hasJsonNull(model),
    );
    if (nulls.length > 0) throw failedValidation(nulls.map(required));
    const change: Change = (guard) =>
      columns.length === 0 ? queries.byKey() : queries.update(columns, [], guard);
    // A part of a JSON value can only be merged into the stored one.
    const merged = columns.filter(({ name, model }) => model.type === 'json' && isObject(data[name]));
    if (merged.length === 0) {
      const patched = andThen(this.#withStoredNumbers(id, data, context), (body) =>
        this.#row.change(change, { requester: context, id, body }, context, 'write', (row) =>
          entities.tracedEntity(row),
        ),
      );
      return andThen(patched, (entity) => entity ?? this.#row.assertAbsent(id, context));
    }
    const merge = (): MaybePromise<Entity | undefined> =>
      this.#row.current(id, context, (current) => {
        if (current === undefined) return undefined;
        const entity = entities.entity(current);
        context.precondition.assert(entities.stateOf(current, entity));
        const names = merged.map(({ name }) => name);
        const limit = context.event.endpoint?.negotiation?.bodyLimit ?? Infinity;
        const values = { ...data, ...mergedValues(names, data, entity, limit) };
        const body = withStoredNumbers(columnsWithNumberTexts(columns, values), values, entity);
        const query = change('unchanged');
        return this.#row.write(
          query,
          { requester: context, id, body, current },
          context,
          'write',
          ([row]) => {
            if (row !== undefined) return entities.tracedEntity(row);
            return this.#row.current(id, context, (now) => {
              if (isDeepStrictEqual(now, current)) throw this.#row.notStored(id);
              throw isUnconditional(context)
                ? problem('write_conflict', { service })
                : this.#row.changedMeanwhile(id);
            });
          },
        );
      });
    return retryConflicts(merge, context, isChangedRow);
  }

  /** A body with the numbers of the stored row that its JSON values have as texts. */
  #withStoredNumbers(id: EntityId, data: Entity, context: Context): MaybePromise<Entity> {
    const { entities, table } = this.#access;
    const columns = columnsWithNumberTexts(table.columns, data);
    if (columns.length === 0) return data;
    return this.#row.current(id, context, (row) =>
      row === undefined ? data : withStoredNumbers(columns, data, entities.entity(row, columns)),
    );
  }

  /** @returns whether the row existed */
  delete(id: EntityId, context: Context): MaybePromise<boolean> {
    const change: Change = (guard) => this.#access.queries.delete(guard);
    return andThen(
      this.#row.change<boolean>(change, { requester: context, id }, context, 'delete', () => true),
      (isDeleted = false) => isDeleted,
    );
  }

  /** The change that sets all columns: those that a body does not have get their defaults. */
  #replacement(data: Entity): { readonly change: Change; readonly cleared: readonly TableColumnInfo[] } {
    const { queries, table } = this.#access;
    const columns = givenColumns(this.#access, data).filter(({ name }) => !isKey(table, name));
    const cleared = table.columns.filter(
      (column) =>
        column.isWritable &&
        !isKey(table, column.name) &&
        !columns.includes(column) &&
        !isFixed(table, column),
    );
    // A table of two keys has nothing to change.
    const isEmpty = columns.length + cleared.length === 0;
    return {
      change: (guard) => (isEmpty ? queries.byKey() : queries.update(columns, cleared, guard)),
      cleared,
    };
  }

  /** @returns undefined if a row with its key exists */
  #createIfAbsent(body: Entity, context: Context): MaybePromise<Created<Entity> | undefined> {
    const { adapter, queries, entities, table } = this.#access;
    assertOwner(table.rows, context);
    assertAddressable(table, body);
    const query = queries.insert(givenColumns(this.#access, body), true);
    const made = this.#row.write(query, { requester: context, body }, context, 'write', ([row]) =>
      row === undefined ? undefined : created(entities.tracedEntity(row)),
    );
    // Such a statement does not wait for that of another client; a transaction cannot continue after the failure.
    if (!table.isKeyDeferrable || currentScope(adapter) !== undefined) return made;
    return Promise.resolve(made).catch((error: unknown) => {
      if (isTakenKey(error, table)) return undefined;
      throw error;
    });
  }

  #taken(): Problem {
    const { service, table } = this.#access;
    const members = keyNames(table).map((name) => formatPointer([name]));
    const errors = members.map((pointer) => ({ pointer, keyword: 'unique', message: 'is taken' }));
    return problem('already_exists', { service, members }, { extensions: { errors } });
  }
}

/** Whether a row has changed since it was read. Statements that failed have been repeated already. */
function isChangedRow(error: unknown): boolean {
  return error instanceof Problem && error.code === 'write_conflict' && error.cause === undefined;
}

/** Whether another row has the key of a new one, rather than another value that has to be unique. */
function isTakenKey(error: unknown, { keys }: Table): boolean {
  if (!(error instanceof Problem) || !(error.cause instanceof DatabaseError)) return false;
  const { kind, columns } = error.cause;
  return (
    kind === 'unique' &&
    columns.length === keys.length &&
    keys.every(({ column }) => columns.includes(column.name))
  );
}
