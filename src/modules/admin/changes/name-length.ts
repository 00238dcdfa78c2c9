/** Characters of a name that is part of URLs and configuration. */
const MAX_NAME_LENGTH = 64;

/** Returns the error of a name that is too long; undefined for any other. */
export function nameTooLong(name: string): string | undefined {
  if (name.length <= MAX_NAME_LENGTH) return undefined;
  return `The name has ${name.length} characters. Use at most ${MAX_NAME_LENGTH}.`;
}
