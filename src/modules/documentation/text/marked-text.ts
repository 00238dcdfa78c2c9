import { escapeHtml } from './escape';

/**
 * Returns a text as HTML, with its marked parts in `mark` elements.
 *
 * @param marks start and end of each part, ascending
 * @example
 * markedText('Create an issue', [[10, 15]]); // 'Create an <mark>issue</mark>'
 */
export function markedText(text: string, marks: readonly (readonly [number, number])[]): string {
  let html = '';
  let at = 0;
  for (const [start, end] of marks) {
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}
