// Full-text search, independent of the page: titles rank above names and text, whole words above prefixes and substrings.
// A typo is tolerated if nothing else matches.
const WEIGHTS = { title: 12, names: 5, within: 2, text: 2 };
const MAX_CACHED_PARTS = 40;
const KINDS = { api: 1.3, service: 1.2, operation: 1.1, guide: 1.1, field: 1 };

/** Returns the words of a text in lower case; `officialName` and `official_name` also as their parts. */
export function wordsOf(text) {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .flatMap((word) => [word, ...word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u)])
    .map((word) => word.toLowerCase())
    .filter((word, at, all) => word !== '' && all.indexOf(word) === at);
}

/** Whether the edit distance of two words is at most one; a transposition counts as one. */
export function isWithinOne(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.length === restB.length) {
    const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
    return restA.slice(1) === restB.slice(1) || swapped;
  }
  return restA.length > restB.length ? restA.slice(1) === restB : restA === restB.slice(1);
}

/** Returns how well a word matches a part of the query, from 0 to 1. */
function matchScore(part, word) {
  if (word === part) return 1;
  if (word.startsWith(part)) return 0.6 + (0.3 * part.length) / word.length;
  if (part.length >= 3 && word.includes(part)) return 0.4;
  if (part.length < 4) return 0;
  if (isWithinOne(part, word)) return 0.35;
  // A prefix that is still being typed may contain the typo.
  const isPrefix = [-1, 0, 1].some(
    (more) => word.length > part.length + more && isWithinOne(part, word.slice(0, part.length + more)),
  );
  return isPrefix ? 0.25 : 0;
}

export class SearchEngine {
  #entries;
  /** word → entry → weight */
  #words = new Map();
  /** part → entry → score; cached, because only one part of the query changes while typing */
  #cache = new Map();

  constructor(entries) {
    this.#entries = entries;
    for (const [index, entry] of entries.entries()) {
      for (const [member, weight] of Object.entries(WEIGHTS)) {
        for (const word of wordsOf(entry[member] ?? '')) this.#add(word, index, weight);
      }
    }
  }

  #add(word, index, weight) {
    const found = this.#words.get(word) ?? new Map();
    if ((found.get(index) ?? 0) < weight) found.set(index, weight);
    this.#words.set(word, found);
  }

  /**
   * Returns the best entries for a query, best first. Each part of the query must match.
   * @param here the URL path of the current API version, whose entries rank higher
   */
  find(query, { here = '', limit = 30 } = {}) {
    const parts = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    if (parts.length === 0) return [];
    let scores;
    for (const part of parts) {
      const next = new Map();
      for (const [index, score] of this.#scoresOf(part)) {
        if (scores === undefined || scores.has(index)) next.set(index, score + (scores?.get(index) ?? 0));
      }
      scores = next;
    }
    return this.#ranked(scores, here).slice(0, limit);
  }

  #scoresOf(part) {
    const before = this.#cache.get(part);
    if (before !== undefined) return before;
    if (this.#cache.size > MAX_CACHED_PARTS) this.#cache.clear();
    const scores = new Map();
    this.#cache.set(part, scores);
    for (const [word, found] of this.#words) {
      const match = matchScore(part, word);
      if (match === 0) continue;
      for (const [index, weight] of found) {
        const score = match * weight;
        if ((scores.get(index) ?? 0) < score) scores.set(index, score);
      }
    }
    return scores;
  }

  /** Of equal entries in several versions, keeps that of the current or default version. */
  #ranked(scores, here) {
    const best = new Map();
    const ranked = [...scores].map(([index, score]) => {
      const entry = this.#entries[index];
      const isHere = here !== '' && (entry.url + '/').startsWith(here + '/');
      const isNear = here !== '' && entry.url.startsWith(here);
      const factor = (KINDS[entry.kind] ?? 1) * (isHere || isNear ? 1.3 : entry.aside ? 0.8 : 1);
      return { entry, score: score * factor, index };
    });
    ranked.sort(
      (a, b) => b.score - a.score || a.entry.title.length - b.entry.title.length || a.index - b.index,
    );
    for (const { entry } of ranked) {
      const same = [
        entry.kind,
        entry.title,
        entry.within.replace(/ ?v\d+/, ''),
        entry.url.replace(/-v\d+/, ''),
      ];
      const key = JSON.stringify(same);
      if (!best.has(key)) best.set(key, entry);
    }
    return [...best.values()];
  }
}
