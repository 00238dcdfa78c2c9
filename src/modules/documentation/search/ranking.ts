import { hasPathPrefix } from '../../../framework';
import type { IndexedEntry } from './search-entry';
import type { TitleWord } from './words';

/** Factors of the score. */
const KINDS: Readonly<Record<IndexedEntry['kind'], number>> = {
  api: 1.3,
  service: 1.2,
  operation: 1.1,
  guide: 1.1,
  error: 1.1,
  schema: 1,
  field: 1,
};
const EXACT_TITLE = 3;
const BEGINNING_OF_TITLE = 1.5;
const READING = 1.05;
const CURRENT_VERSION = 1.3;
const OTHER_VERSION = 0.8;
const DEPRECATED = 0.6;

/** Returns the factor of an entry, independent of the words of the query. @param near the URL path of an API version */
export function scoreFactor({ kind, url, method, aside, deprecated }: IndexedEntry, near: string): number {
  const isNear = near !== '' && hasPathPrefix(url, near);
  return (
    KINDS[kind] *
    (isNear ? CURRENT_VERSION : aside ? OTHER_VERSION : 1) *
    (method === 'GET' ? READING : 1) *
    (deprecated ? DEPRECATED : 1)
  );
}

/**
 * Returns the factor for titles that begin with the query. The query must end where a phrase ends: "create a repository" is
 * the beginning of "Create a repository for a team", not of "Create a repository ruleset".
 *
 * @param words alternatives of each word of the query
 * @param matched terms of the entry that match the query, including those that differ by a typing error
 */
export function titleFactor(
  title: readonly TitleWord[],
  words: readonly (readonly string[])[],
  matched: readonly string[],
): number {
  const begins = words.every((terms, at) => {
    const term = title[at]?.term;
    return term !== undefined && (terms.includes(term) || matched.includes(term));
  });
  if (!begins || title[words.length - 1]?.endsPhrase !== true) return 1;
  return title.length === words.length ? EXACT_TITLE : BEGINNING_OF_TITLE;
}
