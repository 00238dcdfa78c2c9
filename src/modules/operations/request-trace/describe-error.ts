import { parseFrames, Problem } from '../../../framework';

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
  const [frame] = parseFrames(error.stack?.slice(0, 8_192) ?? '');
  return frame === undefined ? name : `${name} at ${shorten(frame.file)}:${frame.line}`;
}
