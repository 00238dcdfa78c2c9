import { Problem } from '../../../framework';

/** `at attach (/srv/shop.js:12:5)`, `at async file:///srv/shop.mjs:3:1`; not `node:internal`. */
const FRAME = /^\s*at (?:.*? \()?(?:file:\/\/)?(\/[^()]*?|[A-Za-z]:\\[^()]*?):(\d+):\d+\)?$/m;

/**
 * Describes an error without its message, which may quote what a client sent: the status and code of a problem, or the
 * class of another error with the place that created it.
 *
 * @param shorten makes a path relative
 */
export function describeError(error: unknown, shorten: (file: string) => string): string {
  if (error instanceof Problem) return `${error.status} ${error.code ?? error.title}`;
  if (!(error instanceof Error)) return `a value of type ${error === null ? 'null' : typeof error}`;
  const name = /^[\w$]{1,80}$/.test(error.constructor.name) ? error.constructor.name : 'Error';
  const [, file, line] = FRAME.exec(error.stack?.slice(0, 8_192) ?? '') ?? [];
  return file === undefined || line === undefined ? name : `${name} at ${shorten(file)}:${line}`;
}
