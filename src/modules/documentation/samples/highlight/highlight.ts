import { escapeHtml } from '../../text/escape';
import type { SampleLanguage } from '../languages';
import { GRAMMARS, type Grammar } from './grammars';

/** Longer code is shown in one colour: each token is an element of the page. */
const MAX_LENGTH = 16_384;

const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/;
const WORD = /[A-Za-z_][\w-]*/;

const patterns = new Map(
  Object.entries(GRAMMARS).map(([language, grammar]) => [language, patternOf(grammar)]),
);

/** Returns code as HTML, with an element of the class `token-…` for each comment, name, string, keyword and number. */
export function highlight(code: string, language: SampleLanguage | 'json'): string {
  const pattern = patterns.get(language);
  if (pattern === undefined || code.length > MAX_LENGTH) return escapeHtml(code);
  const { keywords } = GRAMMARS[language];
  let html = '';
  let at = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    const kind =
      KINDS.find((one) => groups[one] !== undefined) ?? (keywords.has(text) ? 'keyword' : undefined);
    if (kind === undefined) continue;
    html += `${escapeHtml(code.slice(at, index))}<span class="token-${kind}">${escapeHtml(text)}</span>`;
    at = index + text.length;
  }
  return html + escapeHtml(code.slice(at));
}

const KINDS = ['comment', 'name', 'string', 'number'] as const;

function patternOf({ comment, name, string }: Grammar): RegExp {
  const parts = [
    ...(comment === undefined ? [] : [`(?<comment>${comment.source})`]),
    ...(name === undefined ? [] : [`(?<name>${name.source})`]),
    `(?<string>${string.source})`,
    `(?<number>${NUMBER.source})`,
    WORD.source,
  ];
  return new RegExp(parts.join('|'), 'g');
}
