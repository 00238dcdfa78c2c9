import type { MaybePromise, MvcEvent } from '../../framework';
import { assertWhole, HypermediaCollection } from '../content-negotiation';
import { encodeCursor } from './cursor';
import { cursorLinks, numberedLinks, tellLinks } from './page-links';
import { pageCount } from './paging';
import type { CursorPage, Page, PageRequest, StreamedEntities } from './resource';
import { sendTag, unchanged } from './rest-answers';
import { anything, RestContext, type PagedContext, type RestSetting } from './rest-setting';
import { entityTag } from './revision';
import { inTimeThen } from './timeout';

/** A collection as the answer; nothing is fetched for those who have it. @throws Problem 409, 412 */
export function collect(setting: RestSetting, context: PagedContext): MaybePromise<unknown> {
  const { resource } = setting;
  const { event } = context;
  const fetch = (): MaybePromise<unknown> =>
    inTimeThen(event, resource.fetchAll?.(context) ?? [], (entities) =>
      setting.definition.collection?.GET?.stream === undefined ? page(setting, context, entities) : entities,
    );
  if (resource.collectionRevision === undefined) return fetch();
  return inTimeThen(event, resource.collectionRevision(context), (revision) => {
    const tag = entityTag(revision, setting.variantOf(event));
    sendTag(event, tag);
    return (tag === undefined ? undefined : unchanged(setting, event, tag)) ?? fetch();
  });
}

/** Entities of a collection that was changed, with the tag of the collection as it is now. */
export function changed(
  setting: RestSetting,
  event: MvcEvent,
  change: MaybePromise<readonly unknown[] | undefined>,
): MaybePromise<unknown> {
  return inTimeThen(event, change, (entities = []) =>
    inTimeThen(event, setting.resource.collectionRevision?.(new RestContext(event, setting)), (revision) => {
      sendTag(event, entityTag(revision, setting.variantOf(event)));
      return entities;
    }),
  );
}

/** What `fetchAll` may return. */
type Fetched = readonly unknown[] | Page<unknown> | CursorPage<unknown> | StreamedEntities<unknown>;

/** Paged collections tell where in the whole they are. */
function page(setting: RestSetting, context: PagedContext, entities: Fetched): unknown {
  // Its author has said all of it.
  if (entities instanceof HypermediaCollection) return entities;
  const { definition, paging } = setting;
  const found = pageOf(setting, entities, context.page);
  if (paging === undefined) return found.items;
  const name = definition.collection_name ?? 'items';
  if (paging.byCursor) return cursorPage(setting, name, context, found);
  if (found.total === undefined) throw misused(setting, 'a page without its total');
  if (!Number.isSafeInteger(found.total) || found.total < 0)
    throw misused(setting, `a page whose total is no number of entities: ${String(found.total)}`);
  return numberedPage(name, context, found.items, found.total);
}

/** @throws TypeError for what plain JavaScript may return, so that its author reads what it should have been */
function pageOf(
  setting: RestSetting,
  entities: Fetched,
  { offset, pageSize }: PageRequest,
): CursorPage<unknown> & Partial<Page<unknown>> {
  if (!isList(entities)) {
    assertWhole(entities, nameOf(setting));
    if (typeof entities === 'object' && 'items' in entities && Array.isArray(entities.items)) return entities;
    throw misused(setting, 'no list, and no page of one');
  }
  // A resource that returned everything.
  if (setting.paging?.byCursor === true) return { items: entities };
  return { items: entities.slice(offset, offset + pageSize), total: entities.length };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function misused(setting: RestSetting, returned: string, cause?: unknown): TypeError {
  return new TypeError(`${nameOf(setting)}: fetchAll() returned ${returned}.`, { cause });
}

function nameOf({ api, version, service }: RestSetting): string {
  return `${api}-v${version}/${service} collection GET`;
}

function numberedPage(
  name: string,
  { event, page: asked }: PagedContext,
  items: readonly unknown[],
  total: number,
): unknown {
  const pages = pageCount(total, asked);
  const { path, query } = event.request;
  tellLinks(event, numberedLinks(path, query, asked.page, pages));
  return {
    [name]: items,
    page: asked.page,
    page_size: asked.pageSize,
    page_count: pages,
    total_items: total,
  };
}

/** @throws TypeError that names the operation, for a cursor that would be of no use to a client */
function cursorText(
  setting: RestSetting,
  query: URLSearchParams,
  name: 'next' | 'previous',
  cursor: unknown,
): string | null {
  if (cursor === undefined || cursor === null) return null;
  try {
    return encodeCursor(cursor, query, setting.cursorCheck ?? anything);
  } catch (error) {
    throw misused(
      setting,
      `a page whose "${name}" ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function cursorPage(
  setting: RestSetting,
  name: string,
  { event, page: asked }: PagedContext,
  found: CursorPage<unknown>,
): unknown {
  const { path, query } = event.request;
  const next = cursorText(setting, query, 'next', found.next);
  const previous = cursorText(setting, query, 'previous', found.previous);
  tellLinks(event, cursorLinks(path, query, { next, previous }));
  return { [name]: found.items, page_size: asked.pageSize, next_cursor: next, previous_cursor: previous };
}
