/** The maximum length of a quoted text in a message. */
const MAX_LENGTH = 100;

/**
 * Shortens a text of a client for a message, so that a response does not repeat a whole request.
 *
 * @example truncate('abcdef', 3) // 'abc…'
 */
export function truncate(text: string, maxLength = MAX_LENGTH): string {
  if (text.length <= maxLength) return text;
  // Without half a surrogate pair at the end.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}
