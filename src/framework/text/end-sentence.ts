/**
 * Ends a message that others follow, unless it ends already. One of several lines ends with lines of code.
 *
 * @example endSentence('unknown key') // 'unknown key.'
 */
export function endSentence(text: string): string {
  return /[.!?]$|\n/.test(text) ? text : `${text}.`;
}
