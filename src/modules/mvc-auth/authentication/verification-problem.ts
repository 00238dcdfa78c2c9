import { DeploymentUnavailable, problem } from '../../../framework';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import { HashingAbortedError, HashingOverloadError } from '../passwords/hashing-queue';

/**
 * Converts the error of a verification that could not be done now: 429 with too many pending from the client's address,
 * 503 with too many pending in total, and while the state that nonces need, or the source of users, is out of reach. Other
 * errors are returned unchanged.
 */
export function toVerificationProblem(error: unknown): unknown {
  // The client is gone. A 4xx status, so that it does not count as a failure of the service.
  if (error instanceof HashingAbortedError)
    return problem(
      'bad_request',
      { reason: 'The client disconnected before the password was verified.' },
      { cause: error },
    );
  if (error instanceof DeploymentUnavailable || error instanceof AuthenticationUnavailable)
    return problem(
      'sign_in_unavailable',
      {},
      {
        fields: [
          ['Retry-After', String(error.retryAfter)],
          ['Cache-Control', 'no-store'],
        ],
        cause: error,
        // Whatever owns the state or the users reports every outage.
        logOnce: 'sign_in_unavailable',
      },
    );
  if (!(error instanceof HashingOverloadError)) return error;
  const { scope, retryAfter: seconds } = error;
  const options = {
    fields: [
      ['Retry-After', String(seconds)],
      ['Cache-Control', 'no-store'],
    ],
    cause: error,
  } as const;
  return scope === 'address'
    ? problem('too_many_sign_ins', { seconds }, options)
    : problem('overloaded', {}, options);
}
