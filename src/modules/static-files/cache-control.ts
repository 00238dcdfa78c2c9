/** What decides about the caching of the files of a folder. */
export interface CachePolicy {
  /** In seconds. */
  readonly maxAge: number;
  /** Folders, which end with a slash, and patterns of paths with `*` and `?`. */
  readonly immutable: readonly string[];
  /** Whether only some users may read the files. */
  readonly isPrivate: boolean;
}

/**
 * Returns a function from the path of a file to its `Cache-Control` (RFC 9111, 5.2.2). HTML is revalidated each time,
 * because it names the other files.
 *
 * @example cacheControlOf({ maxAge: 0, immutable: ['assets/'], isPrivate: false })('assets/app-1f9c.js')
 * // 'public, max-age=31536000, immutable'
 */
export function cacheControlOf({ maxAge, immutable, isPrivate }: CachePolicy): (path: string) => string {
  const scope = isPrivate ? 'private' : 'public';
  const patterns = immutable.map(patternOf);
  return (path) => {
    if (/\.html?$/i.test(path)) return isPrivate ? 'private, no-cache' : 'no-cache';
    if (patterns.some((pattern) => pattern.test(path))) return `${scope}, max-age=31536000, immutable`;
    return maxAge > 0 ? `${scope}, max-age=${maxAge}` : isPrivate ? 'private, no-cache' : 'no-cache';
  };
}

/** `*` stands for any characters of a name, `?` for one; a folder includes what is below it. */
function patternOf(text: string): RegExp {
  const source = text
    .replace(/^\//, '')
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${source}${text.endsWith('/') ? '' : '$'}`);
}
