/** A line of a password file. */
export interface PasswordLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without surrounding white space. */
  readonly text: string;
}

/** A mistake in a password file; the message never contains a hash. */
export interface LineIssue {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** The lines of a password file without blank lines and comments. Accepts LF and CRLF. */
export function passwordLines(text: string): readonly PasswordLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/** Formats each issue with its file and line. */
export function describeLineIssues(file: string, issues: readonly LineIssue[]): readonly string[] {
  return issues.map(({ line, message }) => `${file}, line ${line}: ${message}`);
}
