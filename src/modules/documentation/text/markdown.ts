import { lazily } from '../../../framework';
import { proseExcerpt } from './excerpt';
import type * as Renderers from './markdown-renderer';

const load = require;

// Loaded by the first page.
const renderer = lazily(() => (load('./markdown-renderer') as typeof Renderers).markdownRenderer);

/**
 * Renders CommonMark to safe HTML without external requests: HTML in the text is shown as text,
 * images become their alternative text, and links get `rel="noopener"`. Headings become paragraphs,
 * because the page has its own outline.
 */
export function markdown(text: string): string {
  return text === '' ? '' : renderer().render(text);
}

/** Characters in which the first paragraph of a description is looked for. */
const MAX_LENGTH = 4_000;

/** Characters of a summary. */
const MAX_SUMMARY_LENGTH = 300;

/** Returns the first paragraph of CommonMark as text, shortened at the end of a word; empty if there is none. */
export function firstParagraph(text: string, longest = MAX_SUMMARY_LENGTH): string {
  if (text === '') return '';
  const tokens = renderer().parse(text.slice(0, MAX_LENGTH), {});
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open');
  const parts = at < 0 ? [] : (tokens[at + 1]?.children ?? []);
  const paragraph = parts
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();
  const { text: beginning, isCut } = proseExcerpt(paragraph, longest);
  return isCut ? `${beginning}…` : beginning;
}
