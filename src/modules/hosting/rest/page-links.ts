import type { MvcEvent } from '../../../framework';
import { hasDotSegment } from './identifier';

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

/**
 * Returns a query as `URLSearchParams` writes it.
 * @param query without its `?`
 */
export function canonicalQuery(query: string): string {
  // Most queries are written like this already, and parsing them takes longer than all else that is done with them.
  return SERIALIZED.test(query) ? query : new URLSearchParams(query).toString();
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
  let text = canonicalQuery(query);
  let at = positionOf(pair, text);
  if (at !== -1 && text.includes(`&${pair}`, at)) {
    text = withOnePair(text, parameter);
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

function withOnePair(query: string, parameter: string): string {
  const search = new URLSearchParams(query);
  search.set(parameter, '');
  return search.toString();
}

/**
 * Builds the links of a page in cursor pagination, which has no last page.
 * @param path of the collection
 * @param query query of the request, without its `?`
 * @param cursors characters that a query needs not encode
 */
export function cursorLinks(
  path: string,
  query: string,
  { previous, next }: { readonly previous: string | null; readonly next: string | null },
): PageLinks {
  const { before, after, without } = searchAround(query, 'cursor');
  const to = (cursor: string): string => `${path}?${before}${cursor}${after}`;
  const links: Record<string, string> = { first: without === '' ? path : `${path}?${without}` };
  if (previous !== null) links.prev = to(previous);
  if (next !== null) links.next = to(next);
  return links;
}

/** Sends the links in the `Link` header, and stores them for hypermedia formats. None that lead to another path. */
export function setPageLinks(event: MvcEvent, links: PageLinks): void {
  if (hasDotSegment(event)) return;
  event.pageLinks = links;
  // The resource may have set links, too.
  event.response.fields.append('Link', linkField(links));
}

/** Formats a `Link` header (RFC 8288, 3). A path is as it was requested, and may have what URIs have encoded only. */
export function linkField(links: PageLinks): string {
  let field = '';
  for (const relation in links)
    field += `${field === '' ? '' : ', '}<${(links[relation] ?? '').replaceAll('>', '%3E')}>; rel="${relation}"`;
  return field;
}
