const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/**
 * Copies a string. A substring may keep the whole string that it was cut from in memory, e.g. a nonce the entire
 * `Authorization` field: copy what is cached.
 */
export function detachString(text: string): string {
  const encoding = BEYOND_LATIN1.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}
