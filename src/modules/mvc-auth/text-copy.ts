const BEYOND_OCTETS = /[\u0100-\uffff]/;

/**
 * The same text in memory of its own, for what is kept: a part of a text may hold the whole text, such as all of a field
 * of which it is one parameter.
 */
export function copyOf(text: string): string {
  const encoding = BEYOND_OCTETS.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}
