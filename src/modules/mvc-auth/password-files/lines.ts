/** A line of a password file that holds something. */
export interface PasswordLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without surrounding white space. */
  readonly text: string;
}

/** Something in a password file that an operator should look at; never holds a hash. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * The lines of a password file that hold something: no blank lines, no comments. Ends of lines of either kind
 * and a last line without one are fine, as in Apache.
 */
export function passwordLines(text: string): readonly PasswordLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/** Says problems as a sentence each, with file and line. */
export function describeProblems(file: string, problems: readonly LineProblem[]): readonly string[] {
  return problems.map((problem) => `${file}, line ${problem.line}: ${problem.message}`);
}
