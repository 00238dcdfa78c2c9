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

/** The maximum number of issues that are described of a file. */
const MAX_ISSUES = 10;

/** Formats the first issues with their file and line, and counts the rest. */
export function describeLineIssues(file: string, issues: readonly LineIssue[]): readonly string[] {
  const all = [...new Set(issues.map(({ line, message }) => `${file}, line ${line}: ${message}`))];
  const more = all.length - MAX_ISSUES;
  return more <= 0 ? all : [...all.slice(0, MAX_ISSUES), `${file} has ${more} more such lines`];
}
