/** The page of the search, which has a form. */
export const SEARCH_TEMPLATE = 'platform-documentation/search';

/** Longer queries are truncated. */
export const MAX_QUERY_LENGTH = 200;

/** A result of the search. */
export interface SearchEntry {
  readonly kind: 'api' | 'service' | 'operation' | 'schema' | 'field' | 'guide' | 'error';
  /** A name; the summary of an operation, or its method and path. */
  readonly title: string;
  /** The parent, e.g. `Atlas v2`; empty at the top level. */
  readonly within: string;
  /** The URL path. */
  readonly url: string;
  /** The beginning of the description, without markup. */
  readonly text: string;
  /** Of an operation. */
  readonly method?: string;
  /** Of an operation, below the version: `/countries/:code`. */
  readonly path?: string;
}

/** An entry with the words it is found by. */
export interface IndexedEntry extends SearchEntry {
  /** Further names: fields, parameters, tags. */
  readonly names?: string;
  /** What an operation does: its method and words for it, such as `add` for POST. */
  readonly verbs?: string;
  /** What an operation acts on, the last name in its path; the status of an error. */
  readonly subject?: string;
  /** The name of an operation, such as `listCountry`. */
  readonly operation?: string;
  /** The complete path of an operation, with base path and version. */
  readonly route?: string;
  /** Status codes and authentication schemes. */
  readonly statuses?: string;
  /** True for versions other than the default. */
  readonly aside?: true;
  readonly deprecated?: true;
}

/** Returns what clients receive. */
export function publicEntry({ kind, title, within, url, text, method, path }: IndexedEntry): SearchEntry {
  return {
    kind,
    title,
    within,
    url,
    text,
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
  };
}
