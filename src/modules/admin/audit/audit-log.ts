import {
  lazily,
  LogFiles,
  logFilePath,
  Problem,
  problem,
  type Application,
  type Log,
  type SharedState,
  errorMessage,
} from '../../../framework';
import { FailureCounts } from '../../mvc-auth';
import { ACCESS_LOG_FILE } from '../../operations';
import { ADMIN_KEY, adminSettings } from '../settings';
import {
  auditLine,
  type AuditAction,
  type AuditActor,
  type AuditDetails,
  type AuditEntry,
} from './audit-entry';
import { AuditFile } from './audit-file';
import { FailureLimit } from './failure-limit';
import { readAuditPage, type AuditPage, type AuditQuery } from './audit-reader';

/** The summary of the last failure of a kind and an address that is recorded. */
const OMITTED =
  'Further failures of this kind from this address are in the access log only, until platform-mvc-auth.throttling.window ends.';

/** An action that may fail. */
export interface AuditedAction extends AuditDetails {
  readonly action: AuditAction;
  readonly actor: AuditActor;
}

/**
 * The audit log: who did what, from where, and with what outcome. If an entry cannot be written, it is in the error log.
 */
export class AuditLog {
  readonly #file: AuditFile | undefined;
  readonly #log: Log;
  readonly #isRequired: boolean;
  readonly #failures: (() => FailureLimit) | undefined;

  /**
   * @param file without it, nothing is recorded
   * @param options `failures`: for {@link recordFailure}; defaults to no limit
   */
  constructor(
    file: AuditFile | undefined,
    log: Log,
    options: { readonly required: boolean; readonly failures?: () => FailureLimit },
  ) {
    this.#file = file;
    this.#log = log;
    this.#isRequired = options.required;
    this.#failures = options.failures;
  }

  /** An audit log that records nothing. */
  static none(): AuditLog {
    const ignore = (): void => undefined;
    return new AuditLog(undefined, { error: ignore, warn: ignore, info: ignore }, { required: false });
  }

  get isEnabled(): boolean {
    return this.#file !== undefined;
  }

  /** Closes the file; a further entry opens it again. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  /**
   * Repairs the end of the file.
   * @returns a warning if it is unusable
   */
  async prepare(): Promise<string | undefined> {
    try {
      await this.#file?.prepare();
      return undefined;
    } catch (error) {
      const effect = this.#isRequired
        ? 'Changes by administrators are refused.'
        : 'Changes by administrators are in the error log only.';
      return `${errorMessage(error)} This is the audit log. ${effect}`;
    }
  }

  /** Records what has happened. Never throws: an entry that cannot be written goes to the error log. */
  async record(entry: AuditEntry): Promise<void> {
    if (this.#file === undefined) return;
    try {
      await this.#file.append(auditLine(entry, new Date()));
    } catch (err) {
      this.#log.error({ err, file: this.#file.path, entry }, 'The audit log cannot be written.');
    }
  }

  /**
   * As {@link record}, for a failure that any client can repeat. Where throttling does not limit them, the last one recorded
   * says so.
   * @param isVerified whether a secret was verified, which throttling counts
   */
  async recordFailure(entry: Omit<AuditEntry, 'outcome'>, isVerified: boolean): Promise<void> {
    const recording = this.#failures?.().count(entry, isVerified);
    if (recording === 'omitted') return;
    const { summary } = entry;
    const texts = [...(summary === undefined ? [] : [summary]), ...(recording === 'last' ? [OMITTED] : [])];
    await this.record({
      ...entry,
      outcome: 'failure',
      ...(texts.length === 0 ? {} : { summary: texts.join(' ') }),
    });
  }

  /**
   * Runs an action, and records its outcome. Where the audit log is required, an entry is written before.
   * @param describe returns what is only known after the action
   * @throws the error of the action; Problem 507 if the log is required and cannot be written: the action has not run
   */
  async run<T>(
    { action, actor, ...details }: AuditedAction,
    work: () => Promise<T>,
    describe: (result: T) => Partial<AuditEntry> = () => ({}),
  ): Promise<T> {
    if (this.#file === undefined) return await work();
    const entry = { ...details, action, actor };
    if (this.#isRequired) await this.#start(this.#file, { ...entry, outcome: 'started' });
    try {
      const result = await work();
      await this.record({ ...entry, outcome: 'success', ...describe(result) });
      return result;
    } catch (error) {
      await this.record({ ...entry, outcome: 'failure', code: codeOf(error) });
      throw error;
    }
  }

  /** @throws the error of the file system */
  async read(query: AuditQuery): Promise<AuditPage> {
    return this.#file === undefined
      ? { entries: [], next: undefined }
      : await readAuditPage(this.#file.path, query);
  }

  async #start(file: AuditFile, entry: AuditEntry): Promise<void> {
    try {
      await file.append(auditLine(entry, new Date()));
    } catch (err) {
      this.#log.error(
        { err, file: file.path, entry },
        'The audit log cannot be written. A change was refused.',
      );
      const reason = `the audit log, which is required, cannot be written. ${err instanceof Error ? err.message : ''}`;
      throw problem('cannot_write', { reason }, { cause: err });
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Problem ? (error.code ?? String(error.status)) : 'error';
}

/** The files of audit logs, which survive reloads. */
class AuditFiles {
  readonly failures = new FailureCounts();
  readonly #byPath = new Map<string, AuditFile>();

  at(file: string, sharedState: SharedState): AuditFile {
    const known = this.#byPath.get(file);
    if (known !== undefined) return known;
    const created = new AuditFile(file, repairLine);
    sharedState.getOrCreate(LogFiles, () => new LogFiles()).add(created);
    this.#byPath.set(file, created);
    return created;
  }
}

/** Returns the entry about an incomplete line that was removed. */
export function repairLine(torn: string): string {
  const actor = { name: null, via: 'service' } as const;
  const summary = `Removed an incomplete line: ${torn}`;
  return auditLine({ action: 'repair', actor, outcome: 'success', summary }, new Date());
}

/** Returns the audit log of an application. */
export function auditLogOf({ configuration, sharedState, log }: Application): AuditLog {
  const { audit } = configuration.section(ADMIN_KEY, adminSettings);
  const files = sharedState.getOrCreate(AuditFiles, () => new AuditFiles());
  const others = [ACCESS_LOG_FILE, [ADMIN_KEY, 'administrators']];
  const file = audit.enabled
    ? files.at(logFilePath(configuration, [ADMIN_KEY, 'audit', 'file'], others), sharedState)
    : undefined;
  const failures = lazily(() => new FailureLimit(files.failures, configuration));
  return new AuditLog(file, log, { required: audit.required, failures });
}
