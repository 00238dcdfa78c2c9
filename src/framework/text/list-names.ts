/** The maximum number of names in a message. */
export const MAX_NAMES = 20;

/**
 * Lists the first names, and the number of the others: an API can have hundreds of services.
 *
 * @example
 * listNames(['a', 'b', 'c'], 2) // 'a, b and 1 more'
 * listNames([]) // 'none'
 */
export function listNames(names: readonly unknown[], maximum = MAX_NAMES): string {
  if (names.length === 0) return 'none';
  const more = names.length - maximum;
  return more > 0 ? `${names.slice(0, maximum).join(', ')} and ${more} more` : names.join(', ');
}
