import { escapeHtml } from './escape';

/**
 * The items of a list group, each text escaped.
 *
 * @example
 * listGroupItems(['a/b']); // '<li class="list-group-item">a/b</li>'
 */
export function listGroupItems(texts: readonly string[]): string {
  return texts.map((text) => `<li class="list-group-item">${escapeHtml(text)}</li>`).join('\n');
}
