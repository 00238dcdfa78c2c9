/** An entity tag in a field: perhaps weak, and what stands between the quotes (RFC 9110, 8.8.3). */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Whether an `If-None-Match` field names the current representation, so that a GET is answered with 304: the
 * comparison is weak (RFC 9110, 13.1.2).
 *
 * @param field the field's value; undefined where there is none
 * @param tag the current entity tag, e.g. `"33a64df5"` or `W/"33a64df5"`
 */
export function isNoneMatch(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  // What caches send back is one tag, and the very text of it.
  if (field === tag || field.trim() === '*') return true;
  const wanted = tag.replace(/^W\//, '');
  return [...field.matchAll(TAG)].some(([, , opaque = '']) => `"${opaque}"` === wanted);
}
