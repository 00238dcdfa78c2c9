/** A page of a long list. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** The number of all items. */
  readonly count: number;
  /** The positions of the first item of the page and of the first behind it. */
  readonly from: number;
  readonly to: number;
  /** The queries of the pages before and after, with a question mark; undefined where there is none. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** The page of a list that a query asks for as `page`; the first for anything that is no number, the last beyond it. */
export function pageOf(query: URLSearchParams, count: number, size: number): Paging {
  const pages = Math.max(1, Math.ceil(count / size));
  const asked = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const page = Math.min(asked, pages);
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

/** The search that a query asks for as `search`; one without words finds everything. */
export function searchIn(query: URLSearchParams): Search {
  const text = query.get('search')?.trim() ?? '';
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return { text, matches: (one) => words.every((word) => one.toLowerCase().includes(word)) };
}
