/**
 * Memoizes what is expensive to load or make: made at the first call.
 *
 * @example
 * import type * as Parser from './parser';
 * const load = createRequire(__filename);
 * const parser = lazily(() => load('./parser') as typeof Parser);
 */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}
