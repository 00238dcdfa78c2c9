import { ConfigurationError } from '../../errors/configuration-error';
import { toError } from '../../errors/error-message';
import { timerDelay } from '../../values/timer-delay';
import type { Application } from '../application';

/**
 * Limits the time for building applications while another one runs. An application that is ready too late is disposed
 * of.
 */
export class BuildTimeout {
  readonly #seconds: number;
  readonly #abortController = new AbortController();

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  get isCancelled(): boolean {
    return this.#abortController.signal.aborted;
  }

  /** Rejects current and future builds. */
  cancel(): void {
    this.#abortController.abort();
  }

  /** @throws ConfigurationError if the build takes too long, or the service stops in the meantime */
  waitFor(building: Promise<Application>): Promise<Application> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#abortController;
      let isPending = true;
      const settle = (): boolean => {
        const isFirst = isPending;
        isPending = false;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        return isFirst;
      };
      const onAbort = (): void => {
        if (settle())
          reject(new ConfigurationError('The service stopped before the new application was ready.'));
      };
      const onTimeout = (): void => {
        if (settle()) reject(new ConfigurationError(timeoutMessage(this.#seconds)));
      };
      const timer = setTimeout(onTimeout, timerDelay(this.#seconds));
      signal.addEventListener('abort', onAbort);
      building.then(
        (application) => (settle() ? resolve(application) : void application.dispose()),
        (error: unknown) => (settle() ? reject(toError(error)) : undefined),
      );
    });
  }
}

function timeoutMessage(seconds: number): string {
  return (
    `The new application was not ready within ${seconds} s: a module or a service factory waits for ` +
    'something slow. Check the latest changes, or restart the service.'
  );
}
