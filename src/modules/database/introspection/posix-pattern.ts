import { isPattern } from '../../../framework';

/**
 * What PostgreSQL and ECMAScript read alike: literal characters, escaped punctuation, classes of literal characters,
 * groups, alternatives, anchors and quantifiers. Not `.`, which matches a line break in PostgreSQL only, and not `\d`
 * and `\w`, which match more there.
 */
const SHARED =
  /^(?:[\p{L}\p{N} _,:;@#%&=<>"'!~/-]|\\[.^$*+?()[\]{}|/\\]|\[\^?(?:[\p{L}\p{N} _,:;@#%&=<>"'!~/.+*?$()|-])+\]|\((?!\?)|[)|^$]|[*+?]|\{\d{1,3}(?:,\d{0,3})?\})+$/u;

/**
 * The pattern of JSON Schema with the meaning of a POSIX regular expression of PostgreSQL; undefined if it has another
 * meaning in ECMAScript.
 */
export function toEcmaScriptPattern(pattern: string): string | undefined {
  // Quantifiers after each other, such as `*?`, and after anchors differ.
  if (
    !SHARED.test(pattern) ||
    /(?:[*+?}]|\^|\(|\|)[*+?{]|\$[*+?{(\w]/.test(pattern.replaceAll(/\\./gsu, 'x'))
  )
    return undefined;
  return isPattern(pattern) ? pattern : undefined;
}
