import { errorMessage } from '../../errors/error-message';
import { didYouMean } from '../../text/closest-match';

/** A line of a message of Nunjucks that names a template; line and column are counted from 0, and a 0 is not written. */
const TEMPLATE = /^ *(?:Template render error: )?\((.+)\)(?: \[Line (\d+)(?:, Column (\d+))?\])?$/;

/** The position in the first line of a syntax error, which Nunjucks counts from 1. */
const SYNTAX_POSITION = /^(\(.+\)) \[Line (\d+), Column (\d+)\]$/m;

const UNKNOWN_CALL = /^Unable to call `(.+)`, which is undefined or falsey$/;

/** Returns a syntax error with its position as in errors of rendering, which look the same later. */
export function withSyntaxPositionFromZero(error: unknown): unknown {
  const message = errorMessage(error);
  const counted = message.replace(
    SYNTAX_POSITION,
    (_, file: string, line: string, column: string) =>
      `${file} [Line ${Number(line) - 1}, Column ${Number(column) - 1}]`,
  );
  if (counted === message) return error;
  return Object.assign(new Error(counted, { cause: error }), { name: 'Template render error' });
}

/**
 * Shortens an error of Nunjucks, which names every template around the failed one, some of them several times, to its
 * last template, position and reason.
 * @param functions the names of functions that all templates have
 */
export function renderingError(error: unknown, functions: readonly string[]): unknown {
  const lines = errorMessage(error).split('\n');
  // The reason may have lines that look alike.
  const first = lines.findIndex((line) => !TEMPLATE.test(line));
  const at = (first === -1 ? lines.length : first) - 1;
  const [, file, line, column] = TEMPLATE.exec(lines[at] ?? '') ?? [];
  if (file === undefined) return error;
  const place = line === undefined ? file : `${file}:${Number(line) + 1}:${Number(column ?? 0) + 1}`;
  const reason = lines
    .slice(at + 1)
    .join('\n')
    .trim()
    .replace(/^Error: /, '');
  const [, name] = UNKNOWN_CALL.exec(reason) ?? [];
  const described = name === undefined ? reason : `${name}() does not exist.${didYouMean(name, functions)}`;
  return new Error(`The template cannot be rendered: ${place}: ${described}`);
}
