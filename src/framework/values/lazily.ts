/**
 * Memoizes a function that is expensive to call.
 *
 * @example
 * import type * as Parser from './parser';
 * const load = require;
 * const parser = lazily(() => load('./parser') as typeof Parser);
 */
export function lazily<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}
