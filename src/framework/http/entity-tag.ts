/** An entity tag as it stands in a field (RFC 9110, 8.8.3). */
export interface OpaqueTag {
  readonly weak: boolean;
  /** What is between the quotes. */
  readonly opaque: string;
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The whole of a field that lists entity tags (RFC 9110, 13.1.1); lists may have empty members (5.6.1). */
const LIST =
  /^[ \t,]*(W\/)?"[\x21\x23-\x7e\x80-\xff]*"([ \t]*,[ \t,]*(W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t,]*$/;

/**
 * The entity tags of an `If-Match` or `If-None-Match` field.
 * @returns `*` for any; undefined for a field that is neither
 */
export function parseEntityTags(field: string): '*' | readonly OpaqueTag[] | undefined {
  if (field.trim() === '*') return '*';
  if (!LIST.test(field)) return undefined;
  return [...field.matchAll(TAG)].map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }));
}

/**
 * Whether an `If-None-Match` field names the current representation, so that a GET is answered with 304: the
 * comparison is weak (RFC 9110, 13.1.2). A field that is none names nothing.
 *
 * @param field the field's value; undefined where there is none
 * @param tag the current entity tag, e.g. `"33a64df5"` or `W/"33a64df5"`
 */
export function isNoneMatch(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  // What caches send back is one tag, and the very text of it.
  if (field === tag) return true;
  const named = parseEntityTags(field);
  if (named === undefined || named === '*') return named === '*';
  const wanted = tag.replace(/^W\//, '');
  return named.some(({ opaque }) => `"${opaque}"` === wanted);
}
