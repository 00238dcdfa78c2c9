/** An entity tag (RFC 9110, 8.8.3). */
export interface OpaqueTag {
  readonly weak: boolean;
  /** The characters between the quotes. */
  readonly opaque: string;
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** A list of entity tags (RFC 9110, 13.1.1), which may have empty elements (5.6.1). */
const LIST =
  /^[ \t,]*(W\/)?"[\x21\x23-\x7e\x80-\xff]*"([ \t]*,[ \t,]*(W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t,]*$/;

/**
 * Parses the value of `If-Match` or `If-None-Match`.
 * @returns undefined if the value is malformed
 */
export function parseEntityTags(field: string): '*' | readonly OpaqueTag[] | undefined {
  if (field.trim() === '*') return '*';
  if (!LIST.test(field)) return undefined;
  return [...field.matchAll(TAG)].map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }));
}

/**
 * Returns whether `If-None-Match` matches the current entity tag by weak comparison (RFC 9110, 13.1.2), so that a GET
 * responds with 304. A malformed value matches nothing.
 *
 * @param field the field value
 * @param tag the current entity tag, e.g. `"33a64df5"` or `W/"33a64df5"`
 */
export function isNoneMatch(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  // Caches usually send exactly the tag that they received.
  if (field === tag) return true;
  const tags = parseEntityTags(field);
  if (tags === undefined || tags === '*') return tags === '*';
  const current = tag.replace(/^W\//, '');
  return tags.some(({ opaque }) => `"${opaque}"` === current);
}

/**
 * Returns whether `If-Match` matches the current entity tag by strong comparison (RFC 9110, 13.1.1): weak ones never
 * match. A malformed value matches nothing.
 */
export function isStrongMatch(field: string, tag: string): boolean {
  const tags = parseEntityTags(field);
  if (tags === undefined || tags === '*') return tags === '*';
  return tags.some(({ weak, opaque }) => !weak && `"${opaque}"` === tag);
}
