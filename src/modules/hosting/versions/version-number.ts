/** What a version of an API can be: what JavaScript and JSON share. */
export const VERSION_NUMBERS = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`;

/** Returns the version of an API that a text in decimal digits is, an integer from 1; undefined for another text. */
export function parseVersionNumber(text: string): number | undefined {
  const version = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(version) ? version : undefined;
}

/** Returns whether a number can be a version of an API. */
export function isVersionNumber(version: number): boolean {
  return Number.isSafeInteger(version) && version >= 1;
}
