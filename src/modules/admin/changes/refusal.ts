import {
  ConfigurationChanged,
  FileError,
  Problem,
  problem,
  ConfigurationError,
  tooManyOpenFiles,
} from '../../../framework';

/**
 * Why a change was not made, as a problem: the configuration would not do (422), it was changed meanwhile (412),
 * or it could not be written (507). What is none of these is returned as it is.
 */
export function forbiddenMessage(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof ConfigurationChanged) {
    return problem('changed_meanwhile', { what: 'The configuration' }, { cause: error });
  }
  if (error instanceof FileError) {
    return tooManyOpenFiles(error) ?? problem('cannot_write', { reason: error.message }, { cause: error });
  }
  if (error instanceof ConfigurationError) {
    const reasons = error.message.split('\n');
    return problem('configuration_refused', { reasons }, { extensions: { reasons }, cause: error });
  }
  return error;
}
