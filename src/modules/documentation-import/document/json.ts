import { type JsonObject, formatPointer, isObject, listOf, printable, truncate } from '../../../framework';

/** Returns the objects of a list; none for other values. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Appends a token to a JSON Pointer (RFC 6901, 3). */
export function childPointer(pointer: string, token: string | number): string {
  return pointer + formatPointer([token]);
}

/** Characters of the document that a message shows at most. */
const MAX_EXCERPT_LENGTH = 200;

/** Formats text of the document for a console: one line, without control characters, truncated. */
export function excerpt(text: string, maxLength = MAX_EXCERPT_LENGTH): string {
  return printable(truncate(text, maxLength));
}
