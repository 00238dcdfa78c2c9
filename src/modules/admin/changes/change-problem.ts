import {
  ConfigurationChanged,
  ConfigurationUnavailable,
  FileError,
  Problem,
  problem,
  toProblem,
  ConfigurationError,
  RolloutRefused,
  tooManyOpenFiles,
} from '../../../framework';

/**
 * Converts the errors of a change to problems: 422 for a configuration that is invalid, here or on another node, 412 for
 * a concurrent change, 503 if the configuration store cannot be reached, 507 if the file cannot be written. Returns
 * other errors unchanged.
 *
 * @param isCurrent whether the configuration is that of the files, without a change
 */
export function toChangeProblem(error: unknown, isCurrent = false): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof ConfigurationChanged) {
    return problem('changed_meanwhile', { what: 'The configuration' }, { cause: error });
  }
  if (error instanceof FileError) {
    return tooManyOpenFiles(error) ?? problem('cannot_write', { reason: error.message }, { cause: error });
  }
  if (error instanceof RolloutRefused) {
    const { nodes } = error;
    return problem('rollout_refused', { nodes }, { extensions: { nodes }, cause: error });
  }
  if (error instanceof ConfigurationUnavailable) return toProblem(error);
  if (error instanceof ConfigurationError) {
    const reasons = error.message.split('\n');
    return problem(
      'configuration_refused',
      { reasons, isCurrent },
      { extensions: { reasons }, cause: error },
    );
  }
  return error;
}

/** Runs an action whose errors become problems. @param isCurrent as above @throws Problem */
export async function withChangeProblems<T>(action: () => Promise<T>, isCurrent = false): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw toChangeProblem(error, isCurrent);
  }
}
