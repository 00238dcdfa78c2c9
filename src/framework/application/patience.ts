import { StartError } from '../config/start-error';
import type { Application } from './application';

/**
 * How long applications that are built beside the running one are waited for. One that is ready too late is
 * put away: nobody is there to take it.
 */
export class Patience {
  readonly #seconds: number;
  readonly #stop = new AbortController();

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** Whether nothing is waited for any more. */
  get ended(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Gives up what is waited for now, and whatever comes. */
  end(): void {
    this.#stop.abort();
  }

  /** @throws StartError when it takes too long, or the service has stopped meanwhile */
  waitFor(building: Promise<Application>): Promise<Application> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#stop;
      let waiting = true;
      const settle = (): boolean => {
        const first = waiting;
        waiting = false;
        clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
        return first;
      };
      const stopped = (): void => {
        if (settle()) reject(new StartError('The service has stopped before the new application was ready.'));
      };
      const late = (): void => {
        if (settle()) reject(new StartError(tooLate(this.#seconds)));
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
    `The new application was not ready within ${seconds} s: a module, or a factory of a service, waits for what ` +
    'is slow or never happens. Look at what was changed last, or restart the service.'
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
