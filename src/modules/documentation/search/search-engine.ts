import MiniSearch, { type Query, type SearchResult as Match } from 'minisearch';
import type { Steps } from '../../../framework';
import { compareRanks, matchPath, pathQueryOf, segmentsOf, type PathQuery } from './path-query';
import { scoreFactor, titleFactor } from './ranking';
import { MAX_QUERY_LENGTH, publicEntry, type IndexedEntry, type SearchEntry } from './search-entry';
import { Vocabulary } from './vocabulary';
import { indexTerms, indexWords, isUnspaced, marksOf, queryTerms, titleWords, type TitleWord } from './words';

/** Weights of the members of an entry. */
const WEIGHTS = {
  title: 8,
  subject: 5,
  verbs: 5,
  operation: 4,
  statuses: 4,
  path: 3,
  names: 2,
  within: 1.5,
  text: 1,
} as const;

type Member = keyof typeof WEIGHTS;

/** Positions in a text, as pairs of start and end. */
type Marks = readonly (readonly [number, number])[];

/** A result with the words that match the query. */
interface SearchResult extends SearchEntry {
  readonly marks: { readonly title: Marks; readonly text: Marks };
}

export interface SearchResults {
  /** The number of entries found. */
  readonly total: number;
  /** The best ones, best first. */
  readonly results: readonly SearchResult[];
}

/** An entry with what is computed from it once. */
interface Indexed {
  readonly entry: IndexedEntry;
  readonly title: readonly TitleWord[];
  /** The segments of the path of an operation. */
  readonly route: readonly string[] | undefined;
  /** Equal for the same entry in several versions. */
  readonly identity: string;
}

/** An entry that was found, with the terms to mark. */
interface Found {
  readonly indexed: Indexed;
  readonly terms: readonly string[];
}

/**
 * Full-text search over entries, on MiniSearch: titles rank above names and text, whole words above beginnings. A word
 * that no entry contains is taken for a typing error. Entries that match all words of a query are found; without any, those
 * that match some. Queries with a slash are compared with paths first.
 */
export class SearchEngine {
  readonly #entries: Indexed[] = [];
  readonly #vocabulary = new Vocabulary();
  readonly #index = new MiniSearch<{ readonly id: number } & IndexedEntry>({
    fields: Object.keys(WEIGHTS),
    extractField: ({ id, ...entry }, member) => (member === 'id' ? id : textOf(entry, member as Member)),
    tokenize: indexWords,
    processTerm: (word) => this.#vocabulary.add(indexTerms(word)),
    searchOptions: {
      tokenize: (text) => [text],
      processTerm: (term) => term,
      boost: WEIGHTS,
      prefix: true,
      weights: { prefix: 0.25, fuzzy: 0.4 },
    },
  });

  /** Indexes entries in steps. */
  static *build(entries: Iterable<IndexedEntry>): Steps<SearchEngine> {
    const engine = new SearchEngine();
    for (const entry of entries) {
      engine.#add(entry);
      yield;
    }
    return engine;
  }

  #add(entry: IndexedEntry): void {
    const { kind, title, within, url, route } = entry;
    const id = this.#entries.push({
      entry,
      title: titleWords(title),
      route: route === undefined ? undefined : segmentsOf(route),
      identity: JSON.stringify([kind, title, within.replace(/ ?v\d+/, ''), url.replace(/-v\d+/, '')]),
    });
    this.#index.add({ ...entry, id: id - 1 });
  }

  /** @param near the URL path of an API version, whose entries rank higher */
  find(query: string, { near = '', limit = 30 } = {}): SearchResults {
    const text = query.slice(0, MAX_QUERY_LENGTH);
    const paths = this.#findPaths(pathQueryOf(text), near);
    const found = distinct(paths.length > 0 ? paths : this.#findWords(text, near));
    return {
      total: found.length,
      results: found.slice(0, limit).map(({ indexed, terms }) => withMarks(indexed.entry, terms)),
    };
  }

  #findPaths(query: PathQuery | undefined, near: string): readonly Found[] {
    if (query === undefined) return [];
    return this.#entries
      .flatMap((indexed, id) => {
        const { route, entry } = indexed;
        if (route === undefined || (query.method !== undefined && entry.method !== query.method)) return [];
        const rank = matchPath(query, route);
        return rank === undefined ? [] : [{ indexed, rank, id, factor: scoreFactor(entry, near) }];
      })
      .sort((a, b) => compareRanks(a.rank, b.rank) || b.factor - a.factor || a.id - b.id)
      .map(({ indexed }) => ({ indexed, terms: query.segments }));
  }

  #findWords(query: string, near: string): readonly Found[] {
    const words = queryTerms(query);
    if (words.length === 0) return [];
    const all = this.#search(words, 'AND');
    const matches = all.length > 0 || words.length === 1 ? all : this.#search(words, 'OR');
    return matches
      .flatMap(({ id, score, terms }) => {
        const indexed = this.#entries[Number(id)];
        if (indexed === undefined) return [];
        const factor = scoreFactor(indexed.entry, near) * titleFactor(indexed.title, words, terms);
        return [{ indexed, terms, score: score * factor, id: Number(id) }];
      })
      .sort(
        (a, b) =>
          b.score - a.score || a.indexed.entry.title.length - b.indexed.entry.title.length || a.id - b.id,
      );
  }

  #search(words: readonly (readonly string[])[], combineWith: 'AND' | 'OR'): readonly Match[] {
    // A single letter begins so many words that only titles are searched; not in a query such as "Tシャツ", a single word.
    const fields = words.flat().some(isUnspaced) ? {} : { fields: ['title'] };
    const queries = words.map((terms): Query => {
      const known = terms.filter((term) => this.#vocabulary.has(term));
      if (known.length > 0)
        return { combineWith: 'OR', queries: known, ...(known.every(isLetter) && fields) };
      const [term = ''] = terms;
      return { queries: [term], fuzzy: this.#vocabulary.distanceOf(term) };
    });
    return this.#index.search({ combineWith, queries });
  }
}

const isLetter = (term: string): boolean => term.length === 1;

/** Of equal entries in several versions, keeps the first. */
function distinct(found: readonly Found[]): readonly Found[] {
  const best = new Map<string, Found>();
  for (const one of found) if (!best.has(one.indexed.identity)) best.set(one.indexed.identity, one);
  return [...best.values()];
}

/** Returns the indexed text of a member. Parameters of paths are indexed by their names only. */
function textOf(entry: IndexedEntry, member: Member): string {
  const text = entry[member] ?? '';
  return member === 'path' ? text.replace(/:[^/]*/g, '') : text;
}

function withMarks(entry: IndexedEntry, terms: readonly string[]): SearchResult {
  const marked = new Set(terms);
  const { title, text } = entry;
  return { ...publicEntry(entry), marks: { title: marksOf(title, marked), text: marksOf(text, marked) } };
}
