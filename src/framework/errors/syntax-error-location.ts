import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { pathOfFrame, type ScriptLocation } from './stack-frames';
import { systemErrorCode } from './system-error-code';

/** The location of a syntax error, and its line with a marker below. */
export interface SyntaxErrorLocation extends ScriptLocation {
  readonly excerpt: string;
}

/**
 * The head of Node's stack of a syntax error: file and line, the source line (in TypeScript after the line before it),
 * carets below.
 */
const HEAD = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+)\n(?:.*\n)??(.*)\n([^\S\n]*)\^+[^\S\n]*$/m;

/** The same head if the error is the end of the file, below which Node prints no caret. */
const HEAD_AT_END = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+)\n(.*)\n[^\S\n]*\n\n?(?:\w*Error\b)/m;

/** The name that Node gives to the script of `--eval`. */
const EVALUATED = '[eval1]';

const TIMEOUT_MS = 10_000;

/** Parses the location at the head of a stack, or of Node's report of an uncaught error. */
export function parseSyntaxErrorLocation(text: string): SyntaxErrorLocation | undefined {
  const [, named, line, excerpt = '', indent = ''] = HEAD.exec(text) ?? [];
  if (named === undefined) return parseEndOfFile(text);
  const file = pathOfFrame(named);
  if (file === undefined || named.endsWith(EVALUATED)) return undefined;
  return {
    file,
    line: Number(line),
    column: indent.length + 1,
    excerpt: `${excerpt}\n${indent}^`,
  };
}

function parseEndOfFile(text: string): SyntaxErrorLocation | undefined {
  const [, named, line, last = ''] = HEAD_AT_END.exec(text) ?? [];
  const file = named === undefined ? undefined : pathOfFrame(named);
  if (file === undefined) return undefined;
  const excerpt = last === '' ? '' : `${last}\n${' '.repeat(last.length)}^`;
  return { file, line: Number(line), column: last.length + 1, excerpt };
}

/**
 * Returns whether a script could not be parsed or linked, as opposed to a SyntaxError thrown by its code
 * (`JSON.parse`).
 */
export function isParseError(error: Error): boolean {
  const [first = ''] = /^\s+at .*$/m.exec(error.stack ?? '') ?? [];
  return (
    first.includes('node:internal/') &&
    (error.name === 'SyntaxError' || systemErrorCode(error).includes('TYPESCRIPT'))
  );
}

/**
 * Locates a syntax error in an ES module or its imports. V8 reports that location only if the process terminates
 * because of the error, so another process imports the module. None of its code runs: a second import is invalid,
 * which is detected after parsing and before evaluation.
 */
export function findParseError(file: string): Promise<SyntaxErrorLocation | undefined> {
  const script = `import ${JSON.stringify(pathToFileURL(file).href)};\nimport { none } from 'node:path';`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', script],
      { timeout: TIMEOUT_MS },
      (_, __, stderr) => resolve(parseSyntaxErrorLocation(stderr)),
    );
  });
}
