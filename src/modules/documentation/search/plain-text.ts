/** Characters of a description in the index. */
const MAX_TEXT_LENGTH = 240;

/** A code span (CommonMark 6.1): its content is literal. */
const CODE_SPAN = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/;

/** Strips the markup of CommonMark for a line of text. */
export function plainText(markdown: string): string {
  // Markup and URLs are removed, so a multiple of the length is read.
  const text = markdown
    .slice(0, 16 * MAX_TEXT_LENGTH)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(CODE_SPAN)
    // The parts alternate: text, fence, content of the code span.
    .map((part, at) => (at % 3 === 0 ? withoutMarkup(part) : at % 3 === 1 ? '' : part))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length > MAX_TEXT_LENGTH ? `${characters.slice(0, MAX_TEXT_LENGTH).join('')}…` : text;
}

/** An underscore within a word is literal (CommonMark 6.2). */
function withoutMarkup(text: string): string {
  return text.replace(/[`*#>]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '');
}
