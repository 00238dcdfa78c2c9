import {
  objectOf,
  runCooperatively,
  type ApplicationHost,
  type Configuration,
  type ConfigObject,
  type KeyPath,
  type ActivationResult,
  ConfigurationError,
} from '../../../../framework';
import { differenceSteps, type DifferenceLine } from '../../changes/difference';
import { toChangeProblem } from '../../changes/change-problem';

/** The state of the configuration files compared with the running configuration. */
export type PendingConfiguration =
  | { readonly state: 'none' }
  /** A reload would apply the difference. */
  | { readonly state: 'changed'; readonly difference: readonly DifferenceLine[] }
  /** The files are invalid. */
  | { readonly state: 'broken'; readonly reasons: readonly string[] };

/** Detects and applies manual edits of the configuration files. */
export class PendingReload {
  readonly #host: ApplicationHost;

  constructor(host: ApplicationHost) {
    this.#host = host;
  }

  async get(): Promise<PendingConfiguration> {
    try {
      const files = await this.#host.configuration();
      const running = this.#host.current.configuration;
      const isSecret = (path: KeyPath): boolean => running.isSecret(path) || files.isSecret(path);
      const difference = await runCooperatively(differenceSteps(wholeOf(running), wholeOf(files), isSecret));
      return difference.length === 0 ? { state: 'none' } : { state: 'changed', difference };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return { state: 'broken', reasons: error.message.split('\n') };
    }
  }

  /**
   * Reloads the files as `SIGHUP` does, even if that disables the admin.
   * @throws Problem 422 if the files are invalid; the running configuration stays active
   */
  async reload(): Promise<ActivationResult> {
    try {
      return await this.#host.reload();
    } catch (error) {
      throw toChangeProblem(error);
    }
  }
}

function wholeOf(configuration: Configuration): ConfigObject {
  const whole = configuration.valueAt([]);
  return objectOf(whole);
}
