import type { MvcEvent } from '../../../framework';

/** The URLs of neighbouring pages by link relation (RFC 8288): first, prev, next, last. */
export type PageLinks = Readonly<Record<string, string>>;

declare module '../../../framework' {
  interface MvcEvent {
    /** Links of the requested page; undefined for other responses. */
    pageLinks?: PageLinks;
  }
}

/**
 * Builds the links of a numbered page, keeping the other query parameters.
 * @param path of the collection
 * @param query query of the request
 */
export function pageNumberLinks(
  path: string,
  query: URLSearchParams,
  page: number,
  pages: number,
): PageLinks {
  const to = (number?: number): string => urlWith(path, query, 'page', number?.toString());
  const links: Record<string, string> = {
    // Without a page number, so that the first page has one URL.
    first: to(),
  };
  if (page > 1) links.prev = to(page - 1);
  if (page < pages) links.next = to(page + 1);
  links.last = to(pages);
  return links;
}

/** Builds the links of a page in cursor pagination, which has no last page. */
export function cursorLinks(
  path: string,
  query: URLSearchParams,
  { previous, next }: { readonly previous: string | null; readonly next: string | null },
): PageLinks {
  const links: Record<string, string> = { first: urlWith(path, query, 'cursor') };
  if (previous !== null) links.prev = urlWith(path, query, 'cursor', previous);
  if (next !== null) links.next = urlWith(path, query, 'cursor', next);
  return links;
}

/** Sends the links in the `Link` header, and stores them for hypermedia formats. */
export function setPageLinks(event: MvcEvent, links: PageLinks): void {
  event.pageLinks = links;
  event.response.fields.set('Link', linkField(links));
}

/** Formats a `Link` header (RFC 8288, 3). */
export function linkField(links: PageLinks): string {
  return Object.entries(links)
    .map(([relation, target]) => `<${target}>; rel="${relation}"`)
    .join(', ');
}

/** @param value value of the parameter; undefined removes it */
function urlWith(path: string, query: URLSearchParams, parameter: string, value?: string): string {
  // Most collections are requested without a query.
  if (query.size === 0 && value === undefined) return path;
  const search = searchWith(query, parameter, value);
  return search === '' ? path : `${path}?${search}`;
}

function searchWith(query: URLSearchParams, parameter: string, value: string | undefined): string {
  if (value === undefined && !query.has(parameter)) return query.toString();
  const target = new URLSearchParams(query);
  if (value === undefined) target.delete(parameter);
  else target.set(parameter, value);
  return target.toString();
}
