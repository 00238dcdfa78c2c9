import type { MaybePromise } from '../../../framework';
import {
  created,
  Created,
  type AnyResource,
  type CollectionContext,
  type EntityId,
  type EntityPatch,
  type PatchContext,
  type ResourceContext,
} from '../../hosting';
import { inTransaction, type TransactionScope } from '../batch/transaction-scope';
import { kyselyOver } from '../kysely/kysely-over';
import { withDatabaseProblems } from '../service/database-problems';
import { idOfRow } from '../service/row-input';
import type { RowOperations } from '../bulk/bulk-writer';
import type { Entity } from '../service/entity-mapper';
import type { TableAccess } from '../service/table-access';
import type { DefaultTableResource } from '../service/table-resource';
import type { HookContext, TableHooks } from './table-hooks';
import { TransactionContext } from './transaction-context';

type Context = ResourceContext<unknown>;
type Action = 'write' | 'delete';

/** A table resource whose writes run in a transaction together with hooks. */
export class HookedResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly #table: DefaultTableResource;
  readonly #hooks: TableHooks;
  readonly #access: TableAccess;

  constructor(table: DefaultTableResource, hooks: TableHooks, access: TableAccess) {
    this.#table = table;
    this.#hooks = hooks;
    this.#access = access;
  }

  fetch(id: EntityId, context: Context) {
    return this.#table.fetch(id, context);
  }

  fetchAll(context: CollectionContext) {
    return this.#table.fetchAll(context);
  }

  streamAll(context: CollectionContext) {
    return this.#table.streamAll(context);
  }

  queryAll(query: Readonly<Record<string, unknown>>, context: CollectionContext) {
    return this.#table.queryAll(query, context);
  }

  streamQuery(query: Readonly<Record<string, unknown>>, context: CollectionContext) {
    return this.#table.streamQuery(query, context);
  }

  revision(entity: unknown): string | undefined {
    return this.#table.revision(entity);
  }

  create(data: unknown, context: Context): MaybePromise<Entity> {
    if (!this.#has('beforeCreate', 'afterCreate')) return this.#table.create(data, context);
    return this.#inTransaction(context, 'write', async (hookContext, scope) => {
      const values = await this.#hooks.beforeCreate?.(data as Entity, hookContext);
      const entity = await this.#table.create(this.#checked('beforeCreate', values) ?? data, context);
      const id = idOfRow(this.#access.table, entity, context);
      return this.#afterHook({ entity, id }, context, scope, () =>
        this.#hooks.afterCreate?.(entity, hookContext),
      );
    });
  }

  update(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    if (!this.#access.table.isKeyChosen || !this.#has('beforeCreate', 'afterCreate'))
      return this.#change(id, data, context, (values) => this.#table.update(id, values, context));
    return this.#inTransaction(context, 'write', async (hookContext, scope) => {
      const replace = (values: unknown): MaybePromise<Entity | Created<Entity> | undefined> =>
        this.#table.update(id, values, context);
      const current = await this.#table.fetch(id, context);
      if (current !== undefined) return this.#change(id, data, context, replace);
      const values = await this.#hooks.beforeCreate?.(data as Entity, hookContext);
      const result = await replace(this.#checked('beforeCreate', values) ?? data);
      if (!(result instanceof Created)) return result;
      const entity = await this.#afterHook({ entity: result.entity, id }, context, scope, () =>
        this.#hooks.afterCreate?.(result.entity, hookContext),
      );
      return created(entity);
    });
  }

  patch(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | undefined> {
    return this.#change(id, data, context, (values) => this.#table.patch(id, values, context));
  }

  delete(id: EntityId, context: Context): MaybePromise<boolean> {
    if (!this.#has('beforeDelete', 'afterDelete')) return this.#table.delete(id, context);
    return this.#inTransaction(context, 'delete', async (hookContext) => {
      await this.#hooks.beforeDelete?.(id, hookContext);
      const isDeleted = await this.#table.delete(id, context);
      if (isDeleted) await this.#hooks.afterDelete?.(id, hookContext);
      return isDeleted;
    });
  }

  createList(data: readonly unknown[], context: Context, by?: RowOperations) {
    return this.#table.createList(data, context, by ?? this.#if('beforeCreate', 'afterCreate'));
  }

  replaceList(data: readonly unknown[], context: Context, by: RowOperations = this) {
    return this.#table.replaceList(data, context, by);
  }

  patchList(
    patches: readonly EntityPatch<unknown, EntityId>[],
    context: PatchContext<unknown, unknown, unknown>,
    by: RowOperations = this,
  ) {
    return this.#table.patchList(patches, context, by);
  }

  deleteList(context: Context, by?: RowOperations) {
    return this.#table.deleteList(context, by ?? this.#if('beforeDelete', 'afterDelete'));
  }

  /** The operations with their hooks, if there are hooks of these names. */
  #if(...names: readonly (keyof TableHooks)[]): RowOperations | undefined {
    return this.#has(...names) ? this : undefined;
  }

  #change<Result extends Entity | Created<Entity> | undefined>(
    id: EntityId,
    data: unknown,
    context: Context,
    change: (values: unknown) => MaybePromise<Result>,
  ): MaybePromise<Result> {
    if (!this.#has('beforeUpdate', 'afterUpdate')) return change(data);
    return this.#inTransaction(context, 'write', async (hookContext, scope) => {
      const values = await this.#hooks.beforeUpdate?.(id, data as Entity, hookContext);
      const result = await change(this.#checked('beforeUpdate', values) ?? data);
      if (result === undefined) return result;
      const written: Entity = result instanceof Created ? result.entity : result;
      const entity = await this.#afterHook({ entity: written, id }, context, scope, () =>
        this.#hooks.afterUpdate?.(id, written, hookContext),
      );
      // The same kind of result.
      return (result instanceof Created ? created(entity) : entity) as Result;
    });
  }

  /** Calls a hook after a write. Returns the entity as it is stored then: the hook may have changed it. */
  async #afterHook(
    { entity, id }: { readonly entity: Entity; readonly id: EntityId },
    context: Context,
    scope: TransactionScope,
    hook: () => unknown,
  ): Promise<Entity> {
    const before = scope.writes;
    await hook();
    return scope.writes === before ? entity : ((await this.#table.fetch(id, context)) ?? entity);
  }

  #has(...names: readonly (keyof TableHooks)[]): boolean {
    return names.some((name) => this.#hooks[name] !== undefined);
  }

  /** @throws TypeError for values of unknown columns */
  #checked(hook: string, values: unknown): unknown {
    if (values === undefined || values === null) return undefined;
    const { table, service } = this.#access;
    const unknown = Object.keys(values).find((name) => !table.columns.some((column) => column.name === name));
    if (unknown === undefined) return values;
    throw new TypeError(
      `The hook ${hook} of ${service} returned "${unknown}", which is not among its columns: ${table.columns.map(({ name }) => name).join(', ')}.`,
    );
  }

  /** Runs an operation with its hooks; failed statements become problems, also those of the hooks. */
  #inTransaction<T>(
    context: Context,
    action: Action,
    run: (context: HookContext, scope: TransactionScope) => Promise<T>,
  ): MaybePromise<T> {
    const { adapter, service } = this.#access;
    const execute = async (scope: TransactionScope): Promise<T> => {
      const result = await run(new TransactionContext(context, kyselyOver(adapter, scope)), scope);
      if (result === undefined || result === false) throw new NothingChanged(result);
      return result;
    };
    const unlessUnchanged = async (): Promise<T> => {
      try {
        return await inTransaction(adapter, execute, { signal: context.signal, bound: 'whole' });
      } catch (error) {
        if (error instanceof NothingChanged) return error.result as T;
        throw error;
      }
    };
    return withDatabaseProblems({ service, table: NO_COLUMNS, action }, unlessUnchanged);
  }
}

/** Rolls back what hooks have written for an entity that does not exist. */
class NothingChanged extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('Nothing was changed.');
    this.result = result;
  }
}

/** Statements of hooks may be about other tables, whose columns clients do not see. */
const NO_COLUMNS = { columns: [] };
