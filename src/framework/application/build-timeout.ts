import { ConfigurationError } from '../errors/configuration-error';
import type { Application } from './application';

/**
 * How long applications that are built beside the running one are waited for. One that is ready too late is
 * put away: nobody is there to take it.
 */
export class BuildTimeout {
  readonly #seconds: number;
  readonly #abortController = new AbortController();

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** Whether nothing is waited for any more. */
  get isCancelled(): boolean {
    return this.#abortController.signal.aborted;
  }

  /** Gives up what is waited for now, and whatever comes. */
  cancel(): void {
    this.#abortController.abort();
  }

  /** @throws ConfigurationError when it takes too long, or the service has stopped meanwhile */
  waitFor(building: Promise<Application>): Promise<Application> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#abortController;
      let waiting = true;
      const settle = (): boolean => {
        const first = waiting;
        waiting = false;
        clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
        return first;
      };
      const stopped = (): void => {
        if (settle())
          reject(new ConfigurationError('The service has stopped before the new application was ready.'));
      };
      const late = (): void => {
        if (settle()) reject(new ConfigurationError(tooLate(this.#seconds)));
      };
      const timer = setTimeout(late, this.#seconds * 1000);
      signal.addEventListener('abort', stopped);
      building.then(
        (application) => (settle() ? resolve(application) : void application.dispose()),
        (error: unknown) => (settle() ? reject(asError(error)) : undefined),
      );
    });
  }
}

function tooLate(seconds: number): string {
  return (
    `The new application was not ready within ${seconds} s: a module or a service factory waits for ` +
    'something slow. Check the latest changes, or restart the service.'
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
