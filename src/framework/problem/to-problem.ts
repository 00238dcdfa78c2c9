import { problem } from './errors';
import { Problem } from './problem';

/** What the system says when the process, or all of them, may open nothing more. */
const EXHAUSTED: readonly unknown[] = ['EMFILE', 'ENFILE'];

/** How far causes are looked at. */
const MAX_CAUSES = 5;

/**
 * Makes a problem of whatever was thrown. What is not a Problem is unexpected: a bare 500 that tells
 * nothing of the inside, with the thrown thing as its cause, for the log. Without a descriptor left it is a 503:
 * nothing is wrong with the request, nor with what serves it.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return (
    tooManyOpenFiles(thrown) ??
    new Problem(500, 'The server encountered an unexpected condition.', { cause: thrown })
  );
}

/** The problem of an error that says, or whose cause says, that nothing more can be opened; undefined for others. */
export function tooManyOpenFiles(error: unknown): Problem | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth++) {
    if (EXHAUSTED.includes(Reflect.get(cause, 'code')))
      return problem('too_many_open_files', {}, { fields: [['Retry-After', '1']], cause: error });
    cause = Reflect.get(cause, 'cause');
  }
  return undefined;
}
