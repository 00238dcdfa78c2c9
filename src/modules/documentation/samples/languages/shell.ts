/** A body that fits on one line; longer ones are indented. */
const LONGEST_BODY = 40;

/** Formats JSON for a command line. */
export function jsonOf(value: unknown): string {
  const short = JSON.stringify(value);
  return short.length > LONGEST_BODY ? JSON.stringify(value, null, 2) : short;
}

/** Quotes text for a POSIX shell if necessary. */
export function quoted(text: string): string {
  return /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Joins the parts of a command, one per line. */
export function commandLine(parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}
