import { AuthenticationUnavailable } from '../http/authentication-unavailable';

/** Also for the body, which some schemes verify. */
const MAX_SECONDS = 60;

/**
 * Limits the time of a verification: a request waits for it in one of the places of `max_requests_in_flight`, also when
 * its client has disconnected.
 * @throws AuthenticationUnavailable after a minute
 */
export function decidedInTime<T>(verdict: PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new AuthenticationUnavailable(`No authentication adapter responded within ${MAX_SECONDS} seconds.`),
        ),
      MAX_SECONDS * 1000,
    );
    void verdict.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
