import { isList, type MaybePromise, type MvcEvent } from '../../../framework';
import { assertSerializable, HypermediaCollection } from '../../content-negotiation';
import { encodeCursor } from './cursor';
import { cursorLinks, pageNumberLinks, setPageLinks } from './page-links';
import { pageCount } from './paging';
import type { CursorPage, Page, PageRequest, StreamedEntities } from '../definition/resource';
import { setEntityTag, notModified } from './rest-responses';
import {
  acceptAnything,
  RestHandlerContext,
  type CollectionHandlerContext,
  type RestServiceContext,
} from './rest-service-context';
import { entityTag } from '../conditional/revision';
import { thenUnlessTimedOut } from '../timeout';

/** Responds with a collection, or with 304 without fetching it. @throws Problem 409, 412 */
export function respondWithCollection(
  serviceContext: RestServiceContext,
  context: CollectionHandlerContext,
): MaybePromise<unknown> {
  const { resource } = serviceContext;
  const { event } = context;
  const fetch = (): MaybePromise<unknown> =>
    thenUnlessTimedOut(event, resource.fetchAll?.(context) ?? [], (entities) =>
      serviceContext.definition.collection?.GET?.stream === undefined
        ? page(serviceContext, context, entities)
        : entities,
    );
  if (resource.collectionRevision === undefined) return fetch();
  return thenUnlessTimedOut(event, resource.collectionRevision(context), (revision) => {
    const tag = entityTag(revision, serviceContext.variantOf(event));
    setEntityTag(event, tag);
    return (tag === undefined ? undefined : notModified(serviceContext, event, tag)) ?? fetch();
  });
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
  context: CollectionHandlerContext,
  entities: Fetched,
): unknown {
  // The author has built the collection.
  if (entities instanceof HypermediaCollection) return entities;
  const { definition, paging } = serviceContext;
  const found = pageOf(serviceContext, entities, context.page);
  if (paging === undefined) return found.items;
  const name = definition.collection_name ?? 'items';
  if (paging.byCursor) return cursorPage(serviceContext, name, context, found);
  if (found.total === undefined) throw invalidResult(serviceContext, 'a page without a total');
  if (!Number.isSafeInteger(found.total) || found.total < 0)
    throw invalidResult(serviceContext, `a page with an invalid total: ${String(found.total)}`);
  return numberedPage(name, context, found.items, found.total);
}

/** @throws TypeError for a return value that only untyped JavaScript allows */
function pageOf(
  serviceContext: RestServiceContext,
  entities: Fetched,
  { offset, pageSize }: PageRequest,
): CursorPage<unknown> {
  if (!isList(entities)) {
    assertSerializable(entities, nameOf(serviceContext));
    if (typeof entities === 'object' && 'items' in entities && Array.isArray(entities.items)) return entities;
    throw invalidResult(serviceContext, 'neither a list nor a page');
  }
  // The resource returned all entities.
  if (serviceContext.paging?.byCursor === true) return { items: entities };
  return { items: entities.slice(offset, offset + pageSize), total: entities.length };
}

function invalidResult(serviceContext: RestServiceContext, returned: string, cause?: unknown): TypeError {
  return new TypeError(`${nameOf(serviceContext)}: fetchAll() returned ${returned}.`, { cause });
}

function nameOf({ api, version, service }: RestServiceContext): string {
  return `${api}-v${version}/${service} collection GET`;
}

function numberedPage(
  name: string,
  { event, page: requested }: CollectionHandlerContext,
  items: readonly unknown[],
  total: number,
): unknown {
  const pages = pageCount(total, requested);
  const { path, query } = event.request;
  setPageLinks(event, pageNumberLinks(path, query, requested.page, pages));
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
  query: URLSearchParams,
  name: 'next' | 'previous',
  cursor: unknown,
): string | null {
  if (cursor === undefined || cursor === null) return null;
  try {
    return encodeCursor(cursor, query, serviceContext.cursorValidator ?? acceptAnything);
  } catch (error) {
    throw invalidResult(
      serviceContext,
      `a page whose "${name}" ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function cursorPage(
  serviceContext: RestServiceContext,
  name: string,
  { event, page: requested }: CollectionHandlerContext,
  found: CursorPage<unknown>,
): unknown {
  const { path, query } = event.request;
  const next = cursorText(serviceContext, query, 'next', found.next);
  const previous = cursorText(serviceContext, query, 'previous', found.previous);
  setPageLinks(event, cursorLinks(path, query, { next, previous }));
  return {
    [name]: found.items,
    page_size: requested.pageSize,
    next_cursor: next,
    previous_cursor: previous,
    ...(found.total === undefined ? {} : { total_items: found.total }),
  };
}
