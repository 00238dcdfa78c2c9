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
import { secretsOf } from '../adapters/adapter-kinds';
import type { AuditLog } from '../../audit/audit-log';
import type { Actor } from '../../changes/change';
import { differenceSteps, type DifferenceLine } from '../../changes/comparison/difference';
import { withChangeProblems } from '../../changes/change-problem';

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
  readonly #audit: AuditLog;

  constructor(host: ApplicationHost, audit: AuditLog) {
    this.#host = host;
    this.#audit = audit;
  }

  async get(): Promise<PendingConfiguration> {
    try {
      const files = await this.#host.configuration();
      const application = this.#host.current;
      const isKnownSecret = await secretsOf(application);
      const isSecret = (path: KeyPath): boolean => isKnownSecret(path) || files.isSecret(path);
      const difference = await runCooperatively(
        differenceSteps(wholeOf(application.configuration), wholeOf(files), isSecret),
      );
      return difference.length === 0 ? { state: 'none' } : { state: 'changed', difference };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return { state: 'broken', reasons: error.message.split('\n') };
    }
  }

  /** Asserts that a reload would find valid files. @throws Problem 422 */
  async assertValid(): Promise<void> {
    await withChangeProblems(() => this.#host.configuration(), true);
  }

  /**
   * Reloads the files as `SIGHUP` does, even if that disables the admin.
   * @throws Problem 422 if the files are invalid; the running configuration stays active
   */
  reload(actor: Actor): Promise<ActivationResult> {
    return this.#audit.run({ action: 'reload', actor }, () =>
      withChangeProblems(() => this.#host.reload(), true),
    );
  }
}

function wholeOf(configuration: Configuration): ConfigObject {
  const whole = configuration.valueAt([]);
  return objectOf(whole);
}
