/**
 * Writes a value as `JSON.stringify` does, in less time; undefined for a value of another shape than the expected one.
 * @param open the beginning of the text, for an object: its brace, also with members before its own
 * @param separator between `open` and the first member
 */
export type WriteJson = (value: unknown, open?: string, separator?: string) => string | undefined;

/** Functions that write the values of a schema. */
export interface JsonWriter {
  readonly write: WriteJson;
  /** Writes the items of a list of objects, or of members that are such lists, by name; the list itself has the name ''. */
  readonly items: Readonly<Record<string, WriteJson>>;
}

/** Characters that `JSON.stringify` escapes, and parts of pairs of which it may escape one. */
// eslint-disable-next-line no-control-regex -- JSON escapes control characters (RFC 8259, 7)
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Longer texts are faster to escape than to test. */
const MAX_TESTED = 1_000;

/** Returns what `JSON.stringify` writes between the quotation marks of a text. */
export function escapeJson(text: string): string {
  return text.length <= MAX_TESTED && !ESCAPED.test(text) ? text : JSON.stringify(text).slice(1, -1);
}
