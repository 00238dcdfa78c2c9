import type { MvcEvent } from '../../framework';

/** The addresses of the pages around one, by their relation (RFC 8288): first, prev, next, last. */
export type PageLinks = Readonly<Record<string, string>>;

declare module '../../framework' {
  interface MvcEvent {
    /** Of the page that is the answer; undefined for what is no page. */
    pageLinks?: PageLinks;
  }
}

/**
 * The links of a page by its number, with the other parameters of the query.
 * @param path of the collection
 * @param query as it came
 */
export function numberedLinks(path: string, query: URLSearchParams, page: number, pages: number): PageLinks {
  const to = (number?: number): string => address(path, query, 'page', number?.toString());
  const links: Record<string, string> = {
    // The page that comes where none is named, under the one name that the collection has anyway.
    first: to(),
  };
  if (page > 1) links.prev = to(page - 1);
  if (page < pages) links.next = to(page + 1);
  links.last = to(pages);
  return links;
}

/** The same for a collection that is walked through by cursors: there is no telling where it ends. */
export function cursorLinks(
  path: string,
  query: URLSearchParams,
  { previous, next }: { readonly previous: string | null; readonly next: string | null },
): PageLinks {
  const links: Record<string, string> = { first: address(path, query, 'cursor') };
  if (previous !== null) links.prev = address(path, query, 'cursor', previous);
  if (next !== null) links.next = address(path, query, 'cursor', next);
  return links;
}

/** Has an answer tell of its links: in its `Link` field, and wherever else its representation shows them. */
export function tellLinks(event: MvcEvent, links: PageLinks): void {
  event.pageLinks = links;
  event.response.fields.set('Link', linkField(links));
}

/** The value of a `Link` field (RFC 8288, 3). */
export function linkField(links: PageLinks): string {
  return Object.entries(links)
    .map(([relation, target]) => `<${target}>; rel="${relation}"`)
    .join(', ');
}

/** @param value of the parameter; undefined takes it away */
function address(path: string, query: URLSearchParams, parameter: string, value?: string): string {
  // Most collections are asked for without a query.
  if (query.size === 0 && value === undefined) return path;
  const target = new URLSearchParams(query);
  if (value === undefined) target.delete(parameter);
  else target.set(parameter, value);
  const search = target.toString();
  return search === '' ? path : `${path}?${search}`;
}
