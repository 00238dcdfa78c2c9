import { problem, type MaybePromise } from '../../../framework';
import {
  created,
  Created,
  type AnyResource,
  type CollectionContext,
  type EntityId,
  type EntityPatch,
  type PatchContext,
  type ResourceContext,
  type Revision,
} from '../../hosting';
import type { Validators } from '../../content-validation';
import { currentScope, inTransaction, type TransactionScope } from '../batch/transaction-scope';
import { kyselyOver } from '../kysely/kysely-over';
import { withDatabaseProblems } from '../service/problems/database-problems';
import { idOfRow } from '../service/writes/row-input';
import type { RowOperations } from '../bulk/bulk-writer';
import type { Entity } from '../table/entity';
import type { TableAccess } from '../service/table-access';
import type { DefaultTableResource } from '../service/table-resource';
import { HookCalls } from './hook-calls';
import { HookValues } from './hook-values';
import type { HookContext, TableHooks } from './table-hooks';
import { TransactionContext } from './transaction-context';

type Context = ResourceContext<unknown>;
type Action = 'write' | 'delete';

/** What an operation with hooks has. */
interface Operation {
  readonly context: HookContext;
  readonly scope: TransactionScope;
  readonly calls: HookCalls;
}

/** A table resource whose writes run in a transaction together with hooks. */
export class HookedResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly #table: DefaultTableResource;
  readonly #hooks: TableHooks;
  readonly #access: TableAccess;
  readonly #values: HookValues;

  constructor(table: DefaultTableResource, hooks: TableHooks, access: TableAccess, validators: Validators) {
    this.#table = table;
    this.#hooks = hooks;
    this.#access = access;
    this.#values = new HookValues(access, validators);
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

  revision(entity: unknown): Revision {
    return this.#table.revision(entity);
  }

  create(data: unknown, context: Context): MaybePromise<Entity> {
    if (!this.#has(...CREATE_HOOKS)) return this.#table.create(data, context);
    return this.#inTransaction(context, 'write', async (operation) => {
      const values = await this.#beforeCreate(data, operation);
      const entity = await this.#table.create(values, context);
      return this.#afterCreate(entity, idOfRow(this.#access.table, entity, context), context, operation);
    });
  }

  update(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | Created<Entity> | undefined> {
    const mayCreate = this.#access.table.isKeyChosen && this.#has(...CREATE_HOOKS, ...UPDATE_HOOKS);
    if (!mayCreate)
      return this.#change(id, data, context, (values) => this.#table.update(id, values, context));
    return this.#inTransaction(context, 'write', async (operation) => {
      const replace = (values: unknown): MaybePromise<Entity | Created<Entity> | undefined> =>
        this.#table.update(id, values, context);
      const current = await this.#table.fetch(id, context);
      if (current !== undefined) return this.#change(id, data, context, replace);
      const result = await replace(await this.#beforeCreate(data, operation));
      if (result instanceof Created)
        return created(await this.#afterCreate(result.entity, id, context, operation));
      // Another client has created it meanwhile, and its hooks are those of an update.
      if (result !== undefined) throw problem('write_conflict', { service: this.#access.service });
      return undefined;
    });
  }

  patch(id: EntityId, data: unknown, context: Context): MaybePromise<Entity | undefined> {
    return this.#change(id, data, context, (values) => this.#table.patch(id, values, context));
  }

  delete(id: EntityId, context: Context): MaybePromise<boolean> {
    if (!this.#has('beforeDelete', 'afterDelete')) return this.#table.delete(id, context);
    // Only a transaction of its own can be rolled back if the row does not exist.
    const isPart = currentScope(this.#access.adapter) !== undefined;
    return this.#inTransaction(context, 'delete', async ({ context: own, calls }) => {
      if (isPart && (await this.#table.fetch(id, context)) === undefined) return false;
      await calls.call('beforeDelete', () => this.#hooks.beforeDelete?.(id, own));
      const isDeleted = await this.#table.delete(id, context);
      if (isDeleted) await calls.call('afterDelete', () => this.#hooks.afterDelete?.(id, own));
      return isDeleted;
    });
  }

  createList(data: readonly unknown[], context: Context, by?: RowOperations) {
    return this.#table.createList(data, context, by ?? this.#if(...CREATE_HOOKS));
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
    if (!this.#has(...UPDATE_HOOKS)) return change(data);
    return this.#inTransaction(context, 'write', async (operation) => {
      const { context: own, calls } = operation;
      const values = await calls.call('beforeUpdate', () =>
        this.#hooks.beforeUpdate?.(id, data as Entity, own),
      );
      const result = await change(this.#values.checked('beforeUpdate', values, data));
      if (result === undefined) return result;
      const written: Entity = result instanceof Created ? result.entity : result;
      const entity = await this.#after('afterUpdate', { entity: written, id }, context, operation, () =>
        this.#hooks.afterUpdate?.(id, written, own),
      );
      // The same kind of result.
      return (result instanceof Created ? created(entity) : entity) as Result;
    });
  }

  /** @returns the values to write */
  async #beforeCreate(data: unknown, { context, calls }: Operation): Promise<unknown> {
    const values = await calls.call('beforeCreate', () =>
      this.#hooks.beforeCreate?.(data as Entity, context),
    );
    return this.#values.checked('beforeCreate', values, data);
  }

  #afterCreate(entity: Entity, id: EntityId, context: Context, operation: Operation): Promise<Entity> {
    return this.#after('afterCreate', { entity, id }, context, operation, () =>
      this.#hooks.afterCreate?.(entity, operation.context),
    );
  }

  /** Calls a hook after a write. Returns the entity as it is stored then: the hook may have changed it. */
  async #after(
    name: string,
    { entity, id }: { readonly entity: Entity; readonly id: EntityId },
    context: Context,
    { scope, calls }: Operation,
    hook: () => unknown,
  ): Promise<Entity> {
    const before = scope.writes;
    await calls.call(name, hook);
    return scope.writes === before ? entity : ((await this.#table.fetch(id, context)) ?? entity);
  }

  #has(...names: readonly (keyof TableHooks)[]): boolean {
    return names.some((name) => this.#hooks[name] !== undefined);
  }

  /** Runs an operation with its hooks; failed statements become problems, also those of the hooks. */
  #inTransaction<T>(
    context: Context,
    action: Action,
    run: (operation: Operation) => Promise<T>,
  ): MaybePromise<T> {
    const { adapter, service } = this.#access;
    let calls: HookCalls | undefined;
    const execute = async (scope: TransactionScope): Promise<T> => {
      calls = new HookCalls(service, scope);
      const own = new TransactionContext(context, kyselyOver(adapter, scope));
      const result = await run({ context: own, scope, calls });
      if (result === undefined || result === false) throw new NothingChanged(result);
      return result;
    };
    const unlessUnchanged = async (): Promise<T> => {
      try {
        return await inTransaction(adapter, execute, { signal: context.signal, bound: 'whole' });
      } catch (error) {
        if (error instanceof NothingChanged) return error.result as T;
        // The transaction ends by itself while a hook runs that takes too long.
        throw calls === undefined ? error : calls.explained(error);
      }
    };
    return withDatabaseProblems({ service, table: NO_COLUMNS, action }, unlessUnchanged);
  }
}

const CREATE_HOOKS = ['beforeCreate', 'afterCreate'] as const;
const UPDATE_HOOKS = ['beforeUpdate', 'afterUpdate'] as const;

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
