import type { MaybePromise } from '../../events/maybe-promise';
import { describeValue } from '../../text/describe-value';
import type { Application } from '../application';
import { BackgroundRuns } from './background-runs';

/**
 * A service for work that a response does not wait for, such as sending a message. The work survives reloads of the
 * configuration, a shutdown waits for it within `server.shutdown_timeout`, and an error is logged.
 *
 * @example
 * constructor(@inject(BackgroundWork) private readonly work: BackgroundWork) {}
 * create(order) {
 *   this.work.run('confirm-order', (signal) => sendMail(order, { signal }));
 * }
 */
export class BackgroundWork {
  readonly #application: Application;

  constructor(application: Application) {
    this.#application = application;
  }

  /**
   * Begins work, and returns immediately.
   * @param name for the log
   * @param act receives a signal that is aborted when the time of the shutdown is used up
   * @throws TypeError for what is not a function, such as the promise of work that has begun: nothing waits for that
   */
  run(name: string, act: (signal: AbortSignal) => MaybePromise<unknown>): void {
    if (typeof act !== 'function')
      throw new TypeError(
        `BackgroundWork.run(name, act) needs a function, such as () => send(order), not ${describeValue(act)}.`,
      );
    const { sharedState, log } = this.#application;
    const runs = sharedState.getOrCreate(BackgroundRuns, () => new BackgroundRuns());
    void runs.run(this.#application, { name }, log, () => act(runs.signal));
  }
}
