import {
  isTree,
  type ApplicationHost,
  type Configuration,
  type ConfigTree,
  type KeyPath,
  type PutOutcome,
  StartError,
} from '../../../../framework';
import { differenceOf, type DifferenceLine } from '../../changes/difference';
import { refusalOf } from '../../changes/refusal';

/** What the files say that the service does not do yet. */
export type Pending =
  | { readonly state: 'none' }
  /** A reload would take it up. */
  | { readonly state: 'changed'; readonly difference: readonly DifferenceLine[] }
  /** The service could not start with the files as they are. */
  | { readonly state: 'broken'; readonly reasons: readonly string[] };

/** Configuration files that were changed by hand while the service runs. */
export class PendingReload {
  readonly #host: ApplicationHost;

  constructor(host: ApplicationHost) {
    this.#host = host;
  }

  async get(): Promise<Pending> {
    try {
      const files = await this.#host.configuration();
      const running = this.#host.current.configuration;
      const isSecret = (path: KeyPath): boolean => running.isSecret(path) || files.isSecret(path);
      const difference = differenceOf(wholeOf(running), wholeOf(files), isSecret);
      return difference.length === 0 ? { state: 'none' } : { state: 'changed', difference };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { state: 'broken', reasons: error.message.split('\n') };
    }
  }

  /**
   * Takes the files up as `SIGHUP` does: what was written by hand counts, also where it switches the admin off.
   * @throws Problem 422 that says why the service goes on as it was
   */
  async reload(): Promise<PutOutcome> {
    try {
      return await this.#host.reload();
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

function wholeOf(configuration: Configuration): ConfigTree {
  const whole = configuration.valueAt([]);
  return isTree(whole) ? whole : {};
}
