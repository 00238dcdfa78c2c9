/** A body that fits on the line it starts on; longer ones are indented. */
const LONGEST_BODY = 40;

/** JSON as a person would write it on a command line. */
export function jsonOf(value: unknown): string {
  const short = JSON.stringify(value);
  return short.length > LONGEST_BODY ? JSON.stringify(value, null, 2) : short;
}

/** Quoted for a POSIX shell where it has to be. */
export function quoted(text: string): string {
  return /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The parts of one command, a line each. */
export function commandLine(parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}
