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
 * @param query query of the request, without its `?`
 */
export function pageNumberLinks(path: string, query: string, page: number, pages: number): PageLinks {
  const { before, after, without } = searchAround(query, 'page');
  const to = (number: number): string => `${path}?${before}${number}${after}`;
  const links: Record<string, string> = {
    // Without a page number, so that the first page has one URL.
    first: without === '' ? path : `${path}?${without}`,
  };
  if (page > 1) links.prev = to(page - 1);
  if (page < pages) links.next = to(page + 1);
  links.last = to(pages);
  return links;
}

/** A query that `URLSearchParams` writes as it reads it (WHATWG URL, 5.2): no character needs encoding. */
const SERIALIZED = /^[\w*.-]+=[\w*.-]*(?:&[\w*.-]+=[\w*.-]*)*$/;

/**
 * Serializes a query once for all values of a parameter, which keeps its position.
 * @returns the text before and after the value, and that without the parameter
 */
function searchAround(
  query: string,
  parameter: string,
): { readonly before: string; readonly after: string; readonly without: string } {
  const pair = `${parameter}=`;
  let text = query;
  let at = positionOf(pair, text);
  // Most queries are serialized already, and parsing them takes longer than all else here.
  if (!SERIALIZED.test(query) || (at !== -1 && query.includes(`&${pair}`, at))) {
    text = serialized(query, parameter);
    at = positionOf(pair, text);
  }
  if (at === -1) return { before: text === '' ? pair : `${text}&${pair}`, after: '', without: text };
  const end = text.indexOf('&', at);
  const after = end === -1 ? '' : text.slice(end);
  return {
    before: text.slice(0, at + pair.length),
    after,
    without: at === 0 ? after.slice(1) : text.slice(0, at - 1) + after,
  };
}

/** @returns -1 if no parameter begins like this */
function positionOf(pair: string, text: string): number {
  if (text.startsWith(pair)) return 0;
  const at = text.indexOf(`&${pair}`);
  return at === -1 ? -1 : at + 1;
}

/** Serializes a query with at most one pair of a name. "&" and "=" within names and values are encoded. */
function serialized(query: string, parameter: string): string {
  const search = new URLSearchParams(query);
  if (search.has(parameter)) search.set(parameter, '');
  return search.toString();
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
  let field = '';
  for (const relation in links)
    field += `${field === '' ? '' : ', '}<${links[relation] ?? ''}>; rel="${relation}"`;
  return field;
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
