import { ConfigurationUnavailable } from '../config/shared-configuration';
import { problem } from './errors';
import { Problem } from './problem';

/** The system error codes for exhausted file descriptors, of the process or the system. */
const EXHAUSTED: readonly unknown[] = ['EMFILE', 'ENFILE'];

/** An error that decides its response itself, instead of a 500. */
interface ProblemSource {
  toProblem(): Problem;
}

/** Maximum depth of causes that are checked. */
const MAX_CAUSES = 5;

/**
 * Converts any thrown value to a problem. An unexpected error becomes a 500 that discloses nothing, with the error as
 * its cause, for the log; exhausted file descriptors and a configuration store that is out of reach become a 503. A {@link ProblemSource} converts itself.
 * Never throws, also for a value whose traps or getters do.
 */
export function toProblem(thrown: unknown): Problem {
  try {
    return inspect(thrown);
  } catch {
    return unexpected(new TypeError('The thrown value cannot be inspected: its traps or getters throw.'));
  }
}

function inspect(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (isProblemSource(thrown)) return thrown.toProblem();
  if (thrown instanceof ConfigurationUnavailable)
    return problem('configuration_store_unavailable', { reason: thrown.message }, { cause: thrown });
  return tooManyOpenFiles(thrown) ?? unexpected(thrown);
}

function unexpected(cause: unknown): Problem {
  return new Problem(500, 'The server encountered an unexpected condition.', { cause });
}

function isProblemSource(thrown: unknown): thrown is ProblemSource {
  return thrown instanceof Error && 'toProblem' in thrown && typeof thrown.toProblem === 'function';
}

/** Returns a 503 if an error or its cause reports exhausted file descriptors; undefined for other errors. */
export function tooManyOpenFiles(error: unknown): Problem | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth++) {
    if (EXHAUSTED.includes(Reflect.get(cause, 'code')))
      return problem('too_many_open_files', {}, { fields: [['Retry-After', '1']], cause: error });
    cause = Reflect.get(cause, 'cause');
  }
  return undefined;
}
