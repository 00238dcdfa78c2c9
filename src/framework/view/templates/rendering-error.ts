import nunjucks from 'nunjucks';
import { errorMessage } from '../../errors/error-message';
import { didYouMean } from '../../text/closest-match';

/** The first line of a syntax error, with its position. */
const SYNTAX_ERROR = /^\((.+)\)(?: \[Line (\d+), Column (\d+)\])?\n/;

const UNKNOWN_CALL = /^Unable to call `(.+)`, which is undefined or falsey$/;

/** Returns a syntax error with its file, line and column; undefined for other errors. */
export function syntaxError(error: unknown): Error | undefined {
  const message = errorMessage(error);
  const [first = '', file, line, column] = SYNTAX_ERROR.exec(message) ?? [];
  if (file === undefined) return undefined;
  return cannotRender(line === undefined ? file : `${file}:${line}:${column}`, message.slice(first.length));
}

/**
 * Describes an error that a template reports while it is rendered.
 * @param functions the names of functions that all templates have
 */
export function renderingError(error: unknown, file: string, functions: readonly string[]): Error {
  const { lineno, colno } = Object(error) as { readonly lineno?: unknown; readonly colno?: unknown };
  const [line, column] =
    error instanceof nunjucks.lib.TemplateError ? [Number(lineno), Number(colno)] : [0, 0];
  // Counted from 0, unlike those of syntax errors. Nunjucks starts with 0 and 0, where no expression can be.
  const place = line + column > 0 ? `${file}:${line + 1}:${column + 1}` : file;
  const reason = withoutName(errorMessage(error));
  const [, name] = UNKNOWN_CALL.exec(reason) ?? [];
  return cannotRender(
    place,
    name === undefined ? reason : `${name}() does not exist.${didYouMean(name, functions)}`,
  );
}

function cannotRender(place: string, reason: string): Error {
  return new Error(`The template cannot be rendered: ${place}: ${withoutName(reason.trim())}`);
}

function withoutName(message: string): string {
  return message.replace(/^Error: /, '');
}
