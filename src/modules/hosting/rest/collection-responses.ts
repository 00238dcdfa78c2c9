import { isList, Response, type MaybePromise, type MvcEvent, errorMessage } from '../../../framework';
import { assertSerializable, HypermediaCollection } from '../../content-negotiation';
import { encodeCursor } from './cursor';
import { cursorLinks, pageNumberLinks, setPageLinks } from './page-links';
import { pageCount } from './paging';
import type { CursorPage, Page, StreamedEntities } from '../definition/resource';
import type { QueryHandlerContext } from './query-context';
import { setEntityTag, notModified } from './rest-responses';
import {
  acceptAnything,
  RestHandlerContext,
  type CollectionHandlerContext,
  type ListHandlerContext,
  type RestServiceContext,
} from './rest-service-context';
import { entityTag } from '../conditional/revision';
import { thenUnlessTimedOut } from '../timeout';

/** Responds with a collection, or with 304: without fetching it if it has a tag. @throws Problem 409, 412 */
export function respondWithCollection(
  serviceContext: RestServiceContext,
  context: CollectionHandlerContext,
): MaybePromise<unknown> {
  const { resource } = serviceContext;
  const { event } = context;
  const fetch = (isTagged: boolean): MaybePromise<unknown> =>
    thenUnlessTimedOut<Fetched | null | undefined>(event, resource.fetchAll?.(context), (entities) => {
      const { definition, paging } = serviceContext;
      if (definition.collection?.GET?.stream !== undefined && paging === undefined) return entities;
      const found = page(serviceContext, context, entities);
      return (isTagged ? undefined : notModified(serviceContext, event, undefined)) ?? found;
    });
  if (resource.collectionRevision === undefined) return fetch(false);
  return thenUnlessTimedOut(event, resource.collectionRevision(context), (revision) => {
    const tag = entityTag(revision, variantOf(serviceContext, event));
    setEntityTag(event, tag);
    return (
      (tag === undefined ? undefined : notModified(serviceContext, event, tag)) ?? fetch(tag !== undefined)
    );
  });
}

/** Returns the variant of the tag of a collection: the media types of a stream represent it differently. */
function variantOf(serviceContext: RestServiceContext, event: MvcEvent): string {
  const variant = serviceContext.variantOf(event);
  const { definition, paging } = serviceContext;
  const stream = paging === undefined ? definition.collection?.GET?.stream : undefined;
  const type = event.responseFormat?.mediaType;
  if (stream === undefined || type === undefined || type === stream[0]) return variant;
  const subtype = type.slice(type.indexOf('/') + 1);
  return variant === '' ? subtype : `${variant}-${subtype}`;
}

/** Responds with the result of a query in the body. @throws Problem 409 */
export function respondWithQuery(
  serviceContext: RestServiceContext,
  context: QueryHandlerContext,
): MaybePromise<unknown> {
  const { event, body } = context;
  return thenUnlessTimedOut<Fetched | null | undefined>(
    event,
    serviceContext.resource.queryAll?.(body, context),
    (entities) => page(serviceContext, context, entities),
  );
}

/** Responds with changed entities and the new tag of the collection. */
export function respondWithChangedCollection(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  change: MaybePromise<readonly unknown[] | undefined>,
): MaybePromise<unknown> {
  return thenUnlessTimedOut(event, change, (entities = []) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.collectionRevision?.(new RestHandlerContext(event, serviceContext)),
      (revision) => {
        setEntityTag(event, entityTag(revision, serviceContext.variantOf(event)));
        return entities;
      },
    ),
  );
}

/** The return types of `fetchAll`. */
type Fetched = readonly unknown[] | Page<unknown> | CursorPage<unknown> | StreamedEntities<unknown>;

/** Responds with a page and its position in the collection. */
function page(
  serviceContext: RestServiceContext,
  context: ListHandlerContext,
  entities: Fetched | null | undefined,
): unknown {
  // The author has built the collection, or the response.
  if (entities instanceof HypermediaCollection || entities instanceof Response) return entities;
  const { definition, paging } = serviceContext;
  const found = pageOf(serviceContext, entities, context);
  if (paging === undefined) return found.items;
  const name = definition.collection_name ?? 'items';
  if (paging.byCursor) return cursorPage(serviceContext, name, context, found);
  if (found.total === undefined) throw invalidResult(serviceContext, context, 'a page without a total');
  if (!Number.isSafeInteger(found.total) || found.total < 0)
    throw invalidResult(serviceContext, context, `a page with an invalid total: ${String(found.total)}`);
  return numberedPage(name, context, found.items, found.total);
}

/** @throws TypeError for a return value that only untyped JavaScript allows */
function pageOf(
  serviceContext: RestServiceContext,
  entities: Fetched | null | undefined,
  context: ListHandlerContext,
): CursorPage<unknown> {
  if (!isList(entities)) {
    assertSerializable(entities, nameOf(serviceContext, context));
    if (
      typeof entities === 'object' &&
      entities !== null &&
      'items' in entities &&
      Array.isArray(entities.items)
    )
      return entities;
    throw invalidResult(serviceContext, context, 'neither a list nor a page');
  }
  // The resource returned all entities.
  if (serviceContext.paging?.byCursor === true) return { items: entities };
  const { offset, pageSize } = context.page;
  return { items: entities.slice(offset, offset + pageSize), total: entities.length };
}

function invalidResult(
  serviceContext: RestServiceContext,
  context: ListHandlerContext,
  returned: string,
  cause?: unknown,
): TypeError {
  const { resourceMethod } = context;
  return new TypeError(`${nameOf(serviceContext, context)}: ${resourceMethod}() returned ${returned}.`, {
    cause,
  });
}

function nameOf(
  { api, version, service }: RestServiceContext,
  { resourceMethod }: ListHandlerContext,
): string {
  return `${api}-v${version}/${service} collection ${resourceMethod === 'fetchAll' ? 'GET' : 'QUERY'}`;
}

function numberedPage(
  name: string,
  { event, page: requested, urlQuery }: ListHandlerContext,
  items: readonly unknown[],
  total: number,
): unknown {
  const pages = pageCount(total, requested);
  if (urlQuery !== undefined)
    setPageLinks(event, pageNumberLinks(event.request.path, urlQuery, requested.page, pages));
  return {
    [name]: items,
    page: requested.page,
    page_size: requested.pageSize,
    page_count: pages,
    total_items: total,
  };
}

/** @throws TypeError that names the operation, for an unusable cursor */
function cursorText(
  serviceContext: RestServiceContext,
  context: ListHandlerContext,
  name: 'next' | 'previous',
  cursor: unknown,
): string | null {
  if (cursor === undefined || cursor === null) return null;
  try {
    return encodeCursor(cursor, context.listKey, serviceContext.cursorValidator ?? acceptAnything);
  } catch (error) {
    throw invalidResult(serviceContext, context, `a page whose "${name}" ${errorMessage(error)}`, error);
  }
}

function cursorPage(
  serviceContext: RestServiceContext,
  name: string,
  context: ListHandlerContext,
  found: CursorPage<unknown>,
): unknown {
  const { event, page: requested, urlQuery } = context;
  const { total } = found;
  if (typeof total === 'number' && (!Number.isSafeInteger(total) || total < 0))
    throw invalidResult(serviceContext, context, `a page with an invalid total: ${String(total)}`);
  const next = cursorText(serviceContext, context, 'next', found.next);
  const previous = cursorText(serviceContext, context, 'previous', found.previous);
  if (urlQuery !== undefined)
    setPageLinks(event, cursorLinks(event.request.path, urlQuery, { next, previous }));
  return {
    [name]: found.items,
    page_size: requested.pageSize,
    next_cursor: next,
    previous_cursor: previous,
    ...(typeof total === 'number' ? { total_items: total } : {}),
  };
}
