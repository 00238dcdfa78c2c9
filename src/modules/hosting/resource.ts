import type { MaybePromise } from '../../framework';
import type { Links } from '../content-negotiation';
import type { HandlerContext } from './context';
import type { Created } from './created';
import type { MergePatch } from './merge-patch';
import type { Revision } from './revision';
import type { SentEvent } from './sent-event';
import type { SortKey } from './sort';

/** The part of a collection that a page asks for. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Entities before this page. */
  readonly offset: number;
}

/** A page of a collection, as a resource returns it. */
export interface Page<Entity> {
  readonly items: readonly Entity[];
  /** Entities on all pages together. */
  readonly total: number;
}

/** A page of a collection that is walked through by cursors. */
export interface CursorPage<Entity, Cursor = unknown> {
  readonly items: readonly Entity[];
  /** From where the next page goes on, in the declared schema; undefined when there is none. */
  readonly next?: Cursor | undefined;
  readonly previous?: Cursor | undefined;
}

/** The entities of a collection one after another, for a GET that has a `stream`. */
export type StreamedEntities<Entity> = AsyncIterable<Entity | SentEvent<Entity>>;

/** What one entity among others becomes. */
export interface EntityPatch<Input> {
  /** As it would stand in the route. */
  readonly id: string;
  /** Without the member that holds the identifier. */
  readonly patch: MergePatch<Input>;
}

/** The route's parameters, where nothing more is known of them. */
type AnyParameters = Readonly<Record<string, string>>;

/** What a resource's method is told beside its arguments. */
export type ResourceContext<Parameters = AnyParameters> = HandlerContext<
  Readonly<Record<string, unknown>>,
  unknown,
  Parameters
>;

/** The context of `patch` and `patchList`. */
export interface PatchContext<
  Entity = unknown,
  Input = unknown,
  Parameters = AnyParameters,
> extends ResourceContext<Parameters> {
  /**
   * What an entity becomes by the patch that was sent for it, with the schema's defaults, as a plain object: an
   * instance of a class loses that. Neither is changed.
   * @throws Problem 422 when that is no entity by the schema of the service's `fields`
   *
   * @example
   * patch(id, data, { merge }) {
   *   const product = this.#products.get(id);
   *   return product && this.#keep(merge(product, data));
   * }
   */
  readonly merge: Merge<Entity, Input>;
}

/** Written as a method's type: what is known of the entity may be more, or less. */
type Merge<Entity, Input> = { merge(entity: Entity, patch: MergePatch<Input>): Entity }['merge'];

/** The context of `fetchAll`. */
export interface CollectionContext<
  Query = Readonly<Record<string, unknown>>,
  Parameters = AnyParameters,
  SortName extends string = string,
  Cursor = unknown,
> extends HandlerContext<Query, unknown, Parameters> {
  /** Everything, where the service is not paged. */
  readonly page: PageRequest;
  /** The order that is asked for, or the default; empty where there is neither. */
  readonly sort: readonly SortKey<SortName>[];
  /** From where to go on, in the declared schema; undefined for the first page. */
  readonly cursor: Cursor | undefined;
}

/**
 * What stands behind a REST service. A method is needed for each operation that the service declares; each may
 * be asynchronous, and answers with an entity, or throws a Problem. Undefined for an entity means 404.
 */
export interface RestResource<
  Entity = unknown,
  Input = unknown,
  Parameters = AnyParameters,
  List = CollectionContext<Readonly<Record<string, unknown>>, Parameters>,
> {
  fetch?(id: string, context: ResourceContext<Parameters>): MaybePromise<Entity | undefined>;
  /** All entities, a page of them where the service is paged, or one after another where the GET has a `stream`. */
  fetchAll?(
    context: List,
  ): MaybePromise<readonly Entity[] | Page<Entity> | CursorPage<Entity> | StreamedEntities<Entity>>;
  create?(data: Input, context: ResourceContext<Parameters>): MaybePromise<Entity>;
  /** Replaces an entity; `created(entity)` says that there was none before, and is answered with 201. */
  update?(
    id: string,
    data: Input,
    context: ResourceContext<Parameters>,
  ): MaybePromise<Entity | Created<Entity> | undefined>;
  /** Changes an entity by a merge patch (RFC 7396): `mergePatch(entity, data)` is what it becomes. */
  patch?(
    id: string,
    data: MergePatch<Input>,
    context: PatchContext<Entity, Input, Parameters>,
  ): MaybePromise<Entity | undefined>;
  /**
   * Returns (or promises) `false` when nothing was deleted: 404 where `fetch` finds no such entity, or there is no
   * `fetch`, and 422 where it is still there. Anything else, and nothing, means that it is gone.
   */
  delete?(id: string, context: ResourceContext<Parameters>): unknown;
  /** Makes the collection hold these and no others; returns it as it is then. */
  replaceList?(data: readonly Input[], context: ResourceContext<Parameters>): MaybePromise<readonly Entity[]>;
  /** Changes some entities, each by a merge patch of its own; returns those that it was about. */
  patchList?(
    data: readonly EntityPatch<Input>[],
    context: PatchContext<Entity, Input, Parameters>,
  ): MaybePromise<readonly Entity[]>;
  /** Deletes the collection's entities, or those that a declared query tells; `false` says that it did not (422). */
  deleteList?(context: ResourceContext<Parameters>): unknown;
  /**
   * What tells this state of the entity from another. With it come `ETag`, 304 for `If-None-Match`, and `If-Match`
   * before an entity is changed.
   */
  revision?(entity: Entity): Revision;
  /** The same for the collection, asked before it is fetched. */
  collectionRevision?(context: ResourceContext<Parameters>): MaybePromise<Revision>;
  /**
   * Where things related to the entity are, by relation, for representations that show links (HAL); the link to
   * the entity itself is there already.
   */
  links?(entity: Entity, context: ResourceContext<Parameters>): Links;
  /** What is shown with the entity in such representations, by relation. */
  embedded?(entity: Entity, context: ResourceContext<Parameters>): Readonly<Record<string, unknown>>;
}

/** A resource of which no more is known than that: what the platform calls, with what was validated. */
export interface AnyResource {
  fetch?(id: string, context: ResourceContext<unknown>): unknown;
  fetchAll?(
    context: CollectionContext<unknown, unknown>,
  ): MaybePromise<readonly unknown[] | Page<unknown> | CursorPage<unknown> | StreamedEntities<unknown>>;
  create?(data: unknown, context: ResourceContext<unknown>): unknown;
  update?(id: string, data: unknown, context: ResourceContext<unknown>): unknown;
  patch?(id: string, data: unknown, context: PatchContext<unknown, unknown, unknown>): unknown;
  delete?(id: string, context: ResourceContext<unknown>): unknown;
  replaceList?(data: readonly unknown[], context: ResourceContext<unknown>): MaybePromise<readonly unknown[]>;
  patchList?(
    data: readonly EntityPatch<unknown>[],
    context: PatchContext<unknown, unknown, unknown>,
  ): MaybePromise<readonly unknown[]>;
  deleteList?(context: ResourceContext<unknown>): unknown;
  revision?(entity: unknown): Revision;
  links?(entity: unknown, context: ResourceContext<unknown>): Links;
  embedded?(entity: unknown, context: ResourceContext<unknown>): Readonly<Record<string, unknown>>;
  collectionRevision?(context: ResourceContext<unknown>): MaybePromise<Revision>;
}

/** Which method of a resource an operation calls. */
export const resourceMethods = {
  collection: {
    GET: 'fetchAll',
    POST: 'create',
    PUT: 'replaceList',
    PATCH: 'patchList',
    DELETE: 'deleteList',
  },
  entity: { GET: 'fetch', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
} as const;
