import { lazily } from '../../../framework';

/** Words that carry no meaning in a query, as in "create a repository". */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are by can do does for from how i in into is it its of on or that the their this to using was when with'.split(
    ' ',
  ),
);

/** Common abbreviations of paths and parameters, which are found by the full word too; by stem. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['admin', 'administrator'],
  ['app', 'application'],
  ['auth', 'authentication'],
  ['config', 'configuration'],
  ['db', 'database'],
  ['dir', 'directory'],
  ['doc', 'documentation'],
  ['env', 'environment'],
  ['id', 'identifier'],
  ['info', 'information'],
  ['msg', 'message'],
  ['org', 'organization'],
  ['param', 'parameter'],
  ['repo', 'repository'],
]);

/** Characters of a term. */
const MAX_WORD_LENGTH = 40;

/** Limit the work of a query: characters of Chinese and Japanese, of which a word of another language counts as several. */
const MAX_QUERY_CHARACTERS = 40;
const CHARACTERS_PER_WORD = 5;

/** Chinese and Japanese, which have no spaces between words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}`;
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Thai, Lao, Khmer and Burmese, which have none either, and whose words a dictionary finds. */
const SEGMENTED = String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const STARTS_SEGMENTED = new RegExp(`^[${SEGMENTED}]`, 'u');

const segmenter = lazily(() => new Intl.Segmenter('th', { granularity: 'word' }));

/**
 * A character of Chinese, a run of a Japanese syllabary, of scripts whose words a dictionary finds, or of other letters,
 * digits and `_`, with accents.
 */
const RUN = new RegExp(
  [
    String.raw`\p{sc=Han}\p{M}*`,
    ...['Hira', 'Kana'].map((name) => String.raw`\p{sc=${name}}[\p{sc=${name}}\p{M}ーｰﾞﾟ]*`),
    `[${SEGMENTED}]+`,
    String.raw`(?:(?![${UNSPACED}${SEGMENTED}])[\p{L}\p{N}\p{M}_])+`,
  ].join('|'),
  'gu',
);

/** Whether a term is Chinese or Japanese. */
export function isUnspaced(term: string): boolean {
  return STARTS_UNSPACED.test(term);
}

/** A run of a text, with its parts: `officialName` and `official_name` have two. */
interface Run {
  readonly at: number;
  readonly text: string;
  readonly parts: readonly string[];
}

function runsOf(text: string): readonly Run[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index: at }) =>
    STARTS_SEGMENTED.test(run) ? segmentsOf(run, at) : [{ at, text: run, parts: partsOf(run) }],
  );
}

/** The words of a run in a script whose words a dictionary finds. Their marks are vowels and tones, not accents. */
function segmentsOf(run: string, start: number): readonly Run[] {
  return [...segmenter().segment(run)].flatMap(({ segment: text, index, isWordLike }) =>
    isWordLike === true ? [{ at: start + index, text, parts: [text.normalize('NFKD')] }] : [],
  );
}

function partsOf(run: string): readonly string[] {
  return withoutAccents(run)
    .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((part) => part !== '');
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/**
 * Returns the words of an indexed text; compound names are also indexed as a whole.
 *
 * @example
 * indexWords('Lists officialName'); // ['Lists', 'officialName', 'official', 'Name']
 */
export function indexWords(text: string): string[] {
  return runsOf(text).flatMap((run) =>
    run.parts.length > 1 ? [withoutAccents(run.text), ...run.parts] : run.parts,
  );
}

/**
 * Returns the index terms of a word: its stem, and that of the word it abbreviates.
 *
 * @example
 * indexTerms('Repos'); // ['repo', 'repository']
 */
export function indexTerms(word: string): string[] {
  const stem = stemOf(word);
  const full = ABBREVIATIONS.get(stem);
  return full === undefined ? [stem] : [stem, full];
}

/**
 * Returns the terms of a query: of each word its stem, followed by alternatives. Stop words are omitted unless there is
 * nothing else.
 *
 * @example
 * queryTerms('create a branches'); // [['create'], ['branche', 'branch']]
 */
export function queryTerms(query: string): readonly (readonly string[])[] {
  const words = runsOf(query).flatMap(({ parts }) => parts);
  const meaningful = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  let room = MAX_QUERY_CHARACTERS;
  return (meaningful.length === 0 ? words : meaningful).flatMap((word) => {
    if (room <= 0) return [];
    room -= isUnspaced(word) ? word.length : CHARACTERS_PER_WORD;
    return [alternativesOf(word)];
  });
}

/** A word of a title. */
export interface TitleWord {
  readonly term: string;
  /** Whether it is the last one, or a stop word follows. */
  readonly endsPhrase: boolean;
}

/** Returns the words of a title without stop words. */
export function titleWords(title: string): readonly TitleWord[] {
  const words = runsOf(title).flatMap(({ parts }) => parts);
  const isStop = words.map((word) => STOP_WORDS.has(word.toLowerCase()));
  return words.flatMap((word, at) =>
    isStop[at] === true ? [] : [{ term: stemOf(word), endsPhrase: isStop[at + 1] ?? true }],
  );
}

/** Returns the positions of the words in a text that have one of the terms, as pairs of start and end. */
export function marksOf(text: string, terms: ReadonlySet<string>): readonly (readonly [number, number])[] {
  return runsOf(text).flatMap((run) =>
    indexWords(run.text)
      .flatMap(indexTerms)
      .some((term) => terms.has(term))
      ? [[run.at, run.at + run.text.length] as const]
      : [],
  );
}

/** Returns a word in lower case and the singular: `issues` and `issue` have one stem. */
function stemOf(word: string): string {
  const lower = word.toLowerCase().slice(0, MAX_WORD_LENGTH);
  if (lower.length < 4 || !/^[a-z]+s$/.test(lower) || /(?:ss|us|sis)$/.test(lower)) return lower;
  return lower.length > 4 && lower.endsWith('ies') ? `${lower.slice(0, -3)}y` : lower.slice(0, -1);
}

/** Returns the stem of a word, and stems it has in other forms: `creating` finds `create`. */
function alternativesOf(word: string): readonly string[] {
  const lower = word.toLowerCase().slice(0, MAX_WORD_LENGTH);
  const plural = /^([a-z]{2,}(?:[cs]h|[osxz]))es$/.exec(lower)?.[1];
  const base = /^([a-z]{3,})(?:ing|ed)$/.exec(lower)?.[1];
  const others = [plural, base, base === undefined ? undefined : `${base}e`].filter(
    (other) => other !== undefined,
  );
  return [...new Set([stemOf(word), ...others])];
}
