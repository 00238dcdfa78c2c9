/**
 * A range of bytes (RFC 9110, 14.1.1 and 14.1.2). The unit is case-insensitive, and the list may have empty elements, which
 * recipients ignore (5.6.1).
 */
const SPECIFIER = /^bytes=[ \t,]*(?:\d+-\d*|-\d+)(?:[ \t]*,[ \t,]*(?:\d+-\d*|-\d+))*[ \t,]*$/i;

const RANGE = /(\d*)-(\d*)/g;

/**
 * Returns the ranges of a field that a file has bytes of, such as `0-5`, without those beyond its end.
 * @param field the value of `Range`
 * @param size of the file
 * @returns undefined for a field that is ignored (14.2): of another unit, invalid, or for all of an empty file, which no
 *   range can name
 */
export function satisfiableRanges(field: string, size: number): readonly string[] | undefined {
  if (!SPECIFIER.test(field)) return undefined;
  const ranges: string[] = [];
  for (const [, first = '', last = ''] of field.matchAll(RANGE)) {
    const isSuffix = first === '';
    if (isSuffix && size === 0 && Number(last) > 0) return undefined;
    if (last !== '' && Number(last) < Number(first)) return undefined;
    // A suffix that is longer than the file is all of it.
    const start = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
    const end = isSuffix || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start <= end) ranges.push(`${start}-${end}`);
  }
  return ranges;
}
