import type { Kysely } from 'kysely';
import type { MaybePromise } from '../../../framework';
import type {
  AnyResource,
  CollectionContext,
  Created,
  CursorPage,
  EntityId,
  EntityPatch,
  HandlerContext,
  HostedEndpoint,
  MergePatch,
  Page,
  PatchContext,
  ResourceContext,
  Revision,
  StreamedCollection,
} from '../../hosting';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import { inTransaction } from '../batch/transaction-scope';
import { kyselyOver } from '../kysely/kysely-over';
import { toStatementError } from '../kysely/statement-error';
import type { Tables } from '../query/compiled-query';
import type { RowOperations } from '../bulk/bulk-writer';
import type { DefaultTableResource } from '../service/table-resource';
import type { HookedResource } from './hooked-resource';

/** What the platform executes for a service. */
interface Implementation {
  readonly resource: DefaultTableResource | HookedResource;
  readonly adapter: DatabaseAdapter;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The resource of a table service. A class that extends it overrides operations, and calls the platform's with `super`.
 * Columns that are `read_only` for clients can be written.
 *
 * @example
 * class ProductResource extends TableResource {
 *   override create(data: Row, context: ResourceContext) {
 *     return super.create({ ...data, created_by: context.identity.name }, context);
 *   }
 * }
 */
export class TableResource<Entity = Row, Id extends EntityId = string> implements AnyResource {
  readonly checksPreconditions = true;
  /** By service: one instance can serve several, such as those of two versions. */
  readonly #implementations = new Map<string, Implementation>();

  /** Called by the platform. @internal */
  static attach(
    resource: TableResource<unknown, EntityId>,
    key: Pick<HostedEndpoint, 'api' | 'version' | 'service'>,
    implementation: Implementation,
  ): void {
    resource.#implementations.set(keyOf(key), implementation);
  }

  fetch(id: Id, context: ResourceContext): MaybePromise<Entity | undefined> {
    return this.#default(context).fetch(id, context) as MaybePromise<Entity | undefined>;
  }

  fetchAll(context: CollectionContext): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#default(context).fetchAll(context) as MaybePromise<Page<Entity> | CursorPage<Entity>>;
  }

  /** Called instead of `fetchAll` for streams: override both, or neither. */
  streamAll(context: CollectionContext): Promise<StreamedCollection<Entity>> {
    return this.#default(context).streamAll(context) as Promise<StreamedCollection<Entity>>;
  }

  /** Called instead of `fetchAll` for QUERY: override both, or neither. */
  queryAll(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext,
  ): MaybePromise<Page<Entity> | CursorPage<Entity>> {
    return this.#default(context).queryAll(query, context) as MaybePromise<Page<Entity> | CursorPage<Entity>>;
  }

  /** Called instead of `fetchAll` for streams of a QUERY: override all of these, or none. */
  streamQuery(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext,
  ): Promise<StreamedCollection<Entity>> {
    return this.#default(context).streamQuery(query, context) as Promise<StreamedCollection<Entity>>;
  }

  create(data: Partial<Entity>, context: ResourceContext): MaybePromise<Entity> {
    return this.#default(context).create(data, context) as MaybePromise<Entity>;
  }

  update(
    id: Id,
    data: Partial<Entity>,
    context: ResourceContext,
  ): MaybePromise<Entity | Created<Entity> | undefined> {
    return this.#default(context).update(id, data, context) as MaybePromise<
      Entity | Created<Entity> | undefined
    >;
  }

  patch(
    id: Id,
    data: MergePatch<Entity>,
    context: PatchContext<Entity, Entity>,
  ): MaybePromise<Entity | undefined> {
    return this.#default(context).patch(id, data, context) as MaybePromise<Entity | undefined>;
  }

  delete(id: Id, context: ResourceContext): MaybePromise<boolean> {
    return this.#default(context).delete(id, context);
  }

  /** Calls `create` for each entity, if a class overrides it; all or none. */
  createList(data: readonly Partial<Entity>[], context: ResourceContext): Promise<readonly Entity[]> {
    return this.#default(context).createList(data, context, this.#unlessOwn('create')) as Promise<
      readonly Entity[]
    >;
  }

  /** Calls `update` for each entity, if a class overrides it; all or none. */
  replaceList(data: readonly Partial<Entity>[], context: ResourceContext): Promise<readonly Entity[]> {
    return this.#default(context).replaceList(data, context, this.#unlessOwn('update')) as Promise<
      readonly Entity[]
    >;
  }

  /** Calls `patch` for each entity, if a class overrides it; all or none. */
  patchList(
    patches: readonly EntityPatch<Entity, Id>[],
    context: PatchContext<Entity, Entity>,
  ): Promise<readonly Entity[]> {
    return this.#default(context).patchList(patches, context, this.#unlessOwn('patch')) as Promise<
      readonly Entity[]
    >;
  }

  /** Calls `delete` for each entity, if a class overrides it; all or none. */
  deleteList(context: ResourceContext): Promise<boolean> {
    return this.#default(context).deleteList(context, this.#unlessOwn('delete'));
  }

  revision(entity: unknown): Revision {
    // It depends on the entity only.
    const [first] = this.#implementations.values();
    return first?.resource.revision(entity);
  }

  /**
   * Runs an action in a transaction: its statements, those of other Kysely instances of the same database, and the
   * operations of this resource. It is committed when the action has ended, and rolled back if it throws, or takes longer
   * than a statement may. In a batch, it is the transaction of the batch.
   */
  protected async transaction<T, Database = Tables>(
    context: HandlerContext<unknown, unknown, unknown>,
    action: (db: Kysely<Database>) => Promise<T>,
  ): Promise<T> {
    const { adapter } = this.#implementation(context);
    const { signal } = context;
    try {
      return await inTransaction(adapter, (scope) => action(kyselyOver(adapter, scope)), {
        signal,
        bound: 'whole',
      });
    } catch (error) {
      throw toStatementError(error);
    }
  }

  /** This resource as what changes single rows, if a class overrides an operation. */
  #unlessOwn(name: keyof RowOperations): RowOperations | undefined {
    // The platform calls it with the types of the service.
    return this[name] === TableResource.prototype[name] ? undefined : (this as unknown as RowOperations);
  }

  #default(context: HandlerContext<unknown, unknown, unknown>): Implementation['resource'] {
    return this.#implementation(context).resource;
  }

  #implementation({ event }: HandlerContext<unknown, unknown, unknown>): Implementation {
    // Every endpoint of an API is hosted.
    const found = this.#implementations.get(keyOf(event.endpoint as HostedEndpoint));
    if (found !== undefined) return found;
    throw new TypeError(`${this.constructor.name} is used by a service that is not of the kind "table".`);
  }
}

/** A resource of any entity and identifier. */
export type AnyTableResource = TableResource<unknown, EntityId>;

function keyOf({ api, version, service }: Pick<HostedEndpoint, 'api' | 'version' | 'service'>): string {
  return `${api}-v${version}/${service}`;
}
