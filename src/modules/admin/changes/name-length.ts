/** Characters of a name that is part of URLs and configuration. */
const MAX_NAME_LENGTH = 64;

/** Returns the error of a name that is too long; undefined for any other. @param most characters */
export function nameTooLong(name: string, most = MAX_NAME_LENGTH): string | undefined {
  if (name.length <= most) return undefined;
  return `The name has ${name.length} characters. Use at most ${most}.`;
}
