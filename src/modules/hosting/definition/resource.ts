import type { MaybePromise, Startable } from '../../../framework';
import type { Links } from '../../content-negotiation';
import type { HandlerContext, UnknownParameters } from '../context';
import type { Created } from '../rest/created';
import type { EntityId } from './entity-id';
import type { MergePatch } from '../rest/patch/merge-patch';
import type { Revision } from '../conditional/revision';
import type { ServerSentEvent } from '../streaming/server-sent-event';
import type { StreamedCollection } from '../streaming/streamed-collection';
import type { SortKey } from '../rest/sort';

/** The requested page of a collection. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Number of entities before this page. */
  readonly offset: number;
}

/** A page of a collection, as a resource returns it. */
export interface Page<Entity> {
  readonly items: readonly Entity[];
  /** Number of entities on all pages. */
  readonly total: number;
}

/** A page in cursor pagination. */
export interface CursorPage<Entity, Cursor = unknown> {
  readonly items: readonly Entity[];
  /** Cursor of the next page, in the declared schema; undefined if there is none. */
  readonly next?: Cursor | undefined;
  readonly previous?: Cursor | undefined;
  /** Number of entities on all pages, if it is known: the member `total_items` of the response. */
  readonly total?: number | undefined;
}

/** The entities of a streamed collection, for a GET with `stream`. */
export type StreamedEntities<Entity> = AsyncIterable<Entity | ServerSentEvent<Entity>>;

/** What `fetchAll` returns: a page has a total, unless the service declares a cursor. */
type Collection<Entity, Cursor> =
  readonly Entity[] | ([Cursor] extends [never] ? Page<Entity> : CursorPage<Entity, Cursor>);

type CursorOf<List> = List extends { readonly cursor: infer Cursor }
  ? unknown extends Cursor
    ? never
    : Exclude<Cursor, undefined>
  : never;

/** A patch of one entity in a list. */
export interface EntityPatch<Input, Id = string> {
  /** The identifier, as in the route. */
  readonly id: Id;
  /** The patch, without the identifier. */
  readonly patch: MergePatch<Input>;
}

/** The context of a resource method. */
export type ResourceContext<Parameters = UnknownParameters> = HandlerContext<
  Readonly<Record<string, unknown>>,
  unknown,
  Parameters
>;

/** The context of `patch` and `patchList`. */
export interface PatchContext<
  Entity = unknown,
  Input = unknown,
  Parameters = UnknownParameters,
> extends ResourceContext<Parameters> {
  /**
   * Applies the patch to an entity, with the schema's defaults. Returns a plain object; neither argument is
   * modified.
   * @throws Problem 422 if the result is invalid by the service's `fields`
   *
   * @example
   * patch(id, data, { merge }) {
   *   const product = this.#products.get(id);
   *   return product && this.#keep(merge(product, data));
   * }
   */
  readonly merge: Merge<Entity, Input>;
}

/** Declared as a method so that parameter types may be narrowed. */
type Merge<Entity, Input> = { merge(entity: Entity, patch: MergePatch<Input>): Entity }['merge'];

/** The context of `fetchAll`. */
export interface CollectionContext<
  Query = Readonly<Record<string, unknown>>,
  Parameters = UnknownParameters,
  SortName extends string = string,
  Cursor = unknown,
> extends HandlerContext<Query, unknown, Parameters> {
  /** The requested page; everything if the service is not paged. */
  readonly page: PageRequest;
  /** The requested or default order; may be empty. */
  readonly sort: readonly SortKey<SortName>[];
  /** The requested cursor, in the declared schema; undefined for the first page. */
  readonly cursor: Cursor | undefined;
}

/**
 * The data source of a REST service. Each declared operation requires its method. Methods may be asynchronous, and
 * return an entity or throw a Problem; undefined means 404.
 */
export interface RestResource<
  Entity = unknown,
  Input = unknown,
  Parameters = UnknownParameters,
  List = CollectionContext<Readonly<Record<string, unknown>>, Parameters>,
  /** Texts by name if several route parameters identify an entity. */
  Id = string,
  /** Of the declared schema, as in `List`; never without one. */
  Cursor = CursorOf<List>,
  /** What methods return: an entity whose members and lists may be read-only. */
  Returned = Entity,
> extends Startable {
  fetch?(id: Id, context: ResourceContext<Parameters>): MaybePromise<Returned | undefined>;
  /** Returns all entities, a page if the service is paged, or an iterable if the GET has a `stream`. */
  fetchAll?(context: List): MaybePromise<Collection<Returned, Cursor> | StreamedEntities<Returned>>;
  /**
   * Returns what `fetchAll` returns, for a QUERY.
   * @param query the validated body
   */
  queryAll?(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext<Readonly<Record<string, unknown>>, Parameters, string, Cursor>,
  ): MaybePromise<Collection<Returned, Cursor>>;
  /** Returns all entities that match, for the `stream` of a GET whose service is paged. */
  streamAll?(context: List): MaybePromise<StreamedCollection<Returned>>;
  /**
   * Returns what `streamAll` returns, for the `stream` of a QUERY.
   * @param query the validated body
   */
  streamQuery?(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext<Readonly<Record<string, unknown>>, Parameters, string, Cursor>,
  ): MaybePromise<StreamedCollection<Returned>>;
  create?(data: Input, context: ResourceContext<Parameters>): MaybePromise<Returned>;
  /** Creates several entities, all or none. With it, the body of a POST may be a list. */
  createList?(
    data: readonly Input[],
    context: ResourceContext<Parameters>,
  ): MaybePromise<readonly Returned[]>;
  /** Replaces an entity; return `created(entity)` if it is new (201). */
  update?(
    id: Id,
    data: Input,
    context: ResourceContext<Parameters>,
  ): MaybePromise<Returned | Created<Returned> | undefined>;
  /** Applies a merge patch (RFC 7396): `mergePatch(entity, data)` computes the result. */
  patch?(
    id: Id,
    data: MergePatch<Input>,
    context: PatchContext<Entity, Input, Parameters>,
  ): MaybePromise<Returned | undefined>;
  /**
   * Deletes an entity. `false` means that nothing was deleted: 404 if `fetch` finds no entity or is missing,
   * otherwise 422. Any other result means success.
   */
  delete?(id: Id, context: ResourceContext<Parameters>): unknown;
  /** Replaces all entities of the collection; returns the new entities. */
  replaceList?(
    data: readonly Input[],
    context: ResourceContext<Parameters>,
  ): MaybePromise<readonly Returned[]>;
  /** Applies a merge patch to each of several entities; returns them. */
  patchList?(
    data: readonly EntityPatch<Input, Id>[],
    context: PatchContext<Entity, Input, Parameters>,
  ): MaybePromise<readonly Returned[]>;
  /** Deletes all entities, or those selected by the query; `false` means that nothing was deleted (422). */
  deleteList?(context: ResourceContext<Parameters>): unknown;
  /** Identifies the state of an entity. Enables `ETag`, 304 for `If-None-Match`, and `If-Match` for changes. */
  revision?(entity: Entity): Revision;
  /**
   * Whether `update`, `patch` and `delete` compare `context.precondition` themselves, together with the change. By
   * default the platform compares it with the result of `fetch` before it calls them.
   */
  readonly checksPreconditions?: boolean;
  /** Identifies the state of the collection; called before it is fetched. */
  collectionRevision?(context: ResourceContext<Parameters>): MaybePromise<Revision>;
  /**
   * Additional links by relation for hypermedia formats (HAL); the link to the entity itself is added
   * automatically.
   */
  links?(entity: Entity, context: ResourceContext<Parameters>): Links;
  /** Embedded entities by relation for hypermedia formats. */
  embedded?(entity: Entity, context: ResourceContext<Parameters>): Readonly<Record<string, unknown>>;
}

/** An untyped resource: what the platform calls, with validated arguments. */
export interface AnyResource extends Startable {
  fetch?(id: EntityId, context: ResourceContext<unknown>): unknown;
  fetchAll?(
    context: CollectionContext<unknown, unknown>,
  ): MaybePromise<readonly unknown[] | Page<unknown> | CursorPage<unknown> | StreamedEntities<unknown>>;
  queryAll?(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext<unknown, unknown>,
  ): MaybePromise<readonly unknown[] | Page<unknown> | CursorPage<unknown>>;
  streamAll?(context: CollectionContext<unknown, unknown>): MaybePromise<StreamedCollection>;
  streamQuery?(
    query: Readonly<Record<string, unknown>>,
    context: CollectionContext<unknown, unknown>,
  ): MaybePromise<StreamedCollection>;
  create?(data: unknown, context: ResourceContext<unknown>): unknown;
  createList?(data: readonly unknown[], context: ResourceContext<unknown>): MaybePromise<readonly unknown[]>;
  update?(id: EntityId, data: unknown, context: ResourceContext<unknown>): unknown;
  patch?(id: EntityId, data: unknown, context: PatchContext<unknown, unknown, unknown>): unknown;
  delete?(id: EntityId, context: ResourceContext<unknown>): unknown;
  replaceList?(data: readonly unknown[], context: ResourceContext<unknown>): MaybePromise<readonly unknown[]>;
  patchList?(
    data: readonly EntityPatch<unknown, EntityId>[],
    context: PatchContext<unknown, unknown, unknown>,
  ): MaybePromise<readonly unknown[]>;
  deleteList?(context: ResourceContext<unknown>): unknown;
  revision?(entity: unknown): Revision;
  readonly checksPreconditions?: boolean;
  links?(entity: unknown, context: ResourceContext<unknown>): Links;
  embedded?(entity: unknown, context: ResourceContext<unknown>): Readonly<Record<string, unknown>>;
  collectionRevision?(context: ResourceContext<unknown>): MaybePromise<Revision>;
}

/** The resource method of each operation. */
export const resourceMethods = {
  collection: {
    GET: 'fetchAll',
    QUERY: 'queryAll',
    POST: 'create',
    PUT: 'replaceList',
    PATCH: 'patchList',
    DELETE: 'deleteList',
  },
  entity: { GET: 'fetch', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
} as const;
