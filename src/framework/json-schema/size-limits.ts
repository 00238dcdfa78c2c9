/** What the keywords that limit a size count, without `min` and `max`. */
const COUNTED: Readonly<Record<string, string>> = { Length: 'character', Items: 'item' };

/**
 * Describes a violation of a keyword that limits the size of a value; undefined for other keywords. Ajv's own text is
 * "must NOT have fewer than 1 characters".
 *
 * @param member the noun for a member of an object
 * @example
 * describeSizeLimit('minLength', 1) // 'must have at least 1 character'
 */
export function describeSizeLimit(keyword: string, limit: unknown, member = 'member'): string | undefined {
  const [, end, counted = ''] = /^(min|max)([A-Z]\w+)$/.exec(keyword) ?? [];
  const noun = counted === 'Properties' ? member : COUNTED[counted];
  if (noun === undefined) return undefined;
  const bound = end === 'min' ? 'least' : 'most';
  return `must have at ${bound} ${String(limit)} ${limit === 1 ? noun : `${noun}s`}`;
}
