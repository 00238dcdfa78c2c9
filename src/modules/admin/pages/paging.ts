/** A page of a long list. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** The number of all items. */
  readonly count: number;
  /** The index of the first item of the page. */
  readonly from: number;
  /** The index after the last item of the page. */
  readonly to: number;
  /** The query of the previous page, with a question mark; undefined on the first page. */
  readonly previous: string | undefined;
  /** The query of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Returns the page in the query parameter `page`; defaults to the first, and is at most the last. */
export function pageOf(query: URLSearchParams, count: number, size: number): Paging {
  const pages = Math.max(1, Math.ceil(count / size));
  const requested = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const page = Math.min(requested, pages);
  const linkTo = (number: number): string => {
    const other = new URLSearchParams(query);
    other.set('page', String(number));
    return `?${other.toString()}`;
  };
  return {
    page,
    pages,
    count,
    from: (page - 1) * size,
    to: Math.min(page * size, count),
    previous: page > 1 ? linkTo(page - 1) : undefined,
    next: page < pages ? linkTo(page + 1) : undefined,
  };
}

/** A search of a list by words. */
export interface Search {
  readonly text: string;
  /** Whether a text contains every word. */
  readonly matches: (text: string) => boolean;
}

/** Parses the query parameter `search`; an empty search matches everything. */
export function searchIn(query: URLSearchParams): Search {
  const text = query.get('search')?.trim() ?? '';
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return { text, matches: (one) => words.every((word) => one.toLowerCase().includes(word)) };
}
