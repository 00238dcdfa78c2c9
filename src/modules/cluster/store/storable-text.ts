/**
 * Returns a text as a store can keep it: neither the scripts of Redis nor PostgreSQL read JSON with half a surrogate pair,
 * and PostgreSQL has no NUL. Each of them becomes U+FFFD.
 */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}
