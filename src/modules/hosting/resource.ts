import type { MaybePromise } from '../../framework';
import type { HandlerContext } from './context';

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

/** The context of `fetchAll`. */
export interface CollectionContext extends HandlerContext {
  /** Everything, where the service is not paged. */
  readonly page: PageRequest;
}

/**
 * What stands behind a REST service. A method is needed for each operation that the service declares; each may
 * be asynchronous, and answers with an entity, or throws a Problem. Undefined for an entity means 404.
 */
export interface RestResource<Entity = unknown, Input = unknown> {
  fetch?(id: string, context: HandlerContext): MaybePromise<Entity | undefined>;
  /** All entities, or a page of them where the service is paged. */
  fetchAll?(context: CollectionContext): MaybePromise<readonly Entity[] | Page<Entity>>;
  create?(data: Input, context: HandlerContext): MaybePromise<Entity>;
  update?(id: string, data: Input, context: HandlerContext): MaybePromise<Entity | undefined>;
  patch?(id: string, data: Partial<Input>, context: HandlerContext): MaybePromise<Entity | undefined>;
  /** Returns (or promises) `false` when there is no such entity; anything else, and nothing, means that it is gone. */
  delete?(id: string, context: HandlerContext): unknown;
}

/** Which method of a resource an operation calls. */
export const resourceMethods = {
  collection: { GET: 'fetchAll', POST: 'create' },
  entity: { GET: 'fetch', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
} as const;
