import { channel } from 'node:diagnostics_channel';
import { isThenable, type MaybePromise, type MvcEvent } from '../../../framework';

/** The message of `apidesc:authentication`. */
interface AuthenticationMessage {
  /** Its `identity` is the authenticated user, or the guest. */
  readonly event: MvcEvent;
  /** In milliseconds. */
  readonly duration: number;
  /** The problem, such as a 401; undefined if the request continues. */
  readonly error: unknown;
}

/** A request that adapters guard was authenticated, continues as a guest, or was refused. */
export const authenticationChannel = channel('apidesc:authentication');

/** Authenticates a request, and publishes the result. */
export function publishAuthentication<T>(
  event: MvcEvent,
  authenticate: () => MaybePromise<T>,
): MaybePromise<T> {
  const started = performance.now();
  const publish = (error?: unknown): void => {
    const message: AuthenticationMessage = { event, duration: performance.now() - started, error };
    authenticationChannel.publish(message);
  };
  const fail = (error: unknown): never => {
    publish(error);
    throw error;
  };
  let result: MaybePromise<T>;
  try {
    result = authenticate();
  } catch (error) {
    return fail(error);
  }
  if (isThenable(result))
    return result.then((value) => {
      publish();
      return value;
    }, fail);
  publish();
  return result;
}
