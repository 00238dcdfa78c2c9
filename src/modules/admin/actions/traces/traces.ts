import {
  RequestTraces,
  type RecordingOptions,
  type RecordingState,
  type RequestTrace,
  type TraceSummary,
} from '../../../operations';
import type { AuditAction } from '../../audit/audit-entry';
import type { AuditLog } from '../../audit/audit-log';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid, type FieldError } from '../../changes/field-errors';

/** The limits of a recording. */
export const MAX_REQUESTS = 1_000;
export const MAX_MINUTES = 60;
const MAX_TEXT = 2_000;

const OFF: RecordingState = {
  recording: false,
  always: false,
  remaining: 0,
  until: null,
  path: null,
  user: null,
};

const UNAVAILABLE: FieldError = {
  pointer: '',
  message: 'Requests are recorded by the module "operations". Add it to config/application.json.',
};

/** Records requests on demand, and shows their traces. */
export class Traces {
  readonly #changes: ConfigurationChanges;
  readonly #audit: AuditLog;

  constructor(changes: ConfigurationChanges, audit: AuditLog) {
    this.#changes = changes;
    this.#audit = audit;
  }

  /** Whether the project has the module that records requests. */
  get isAvailable(): boolean {
    return this.#traces !== undefined;
  }

  get state(): RecordingState {
    return this.#traces?.state ?? OFF;
  }

  /** Newest first. */
  list(): readonly TraceSummary[] {
    return this.#traces?.list() ?? [];
  }

  /** Returns the latest trace with a request id. */
  find(id: string): RequestTrace | undefined {
    return this.#traces?.find(id);
  }

  /**
   * Starts a recording, which replaces the previous one.
   * @throws Problem 422 for invalid options, 507 if a required audit log cannot be written
   */
  async start(input: RecordingOptions, actor: Actor): Promise<RecordingState> {
    const traces = this.#traces;
    const errors = traces === undefined ? [UNAVAILABLE] : errorsOf(input);
    if (traces === undefined || errors.length > 0) throw invalid(errors);
    const { requests, minutes, path, user } = input;
    const options: RecordingOptions = {
      requests,
      minutes,
      ...(path === undefined || path === '' ? {} : { path }),
      ...(user === undefined || user === '' ? {} : { user }),
    };
    return this.#record('trace_start', actor, 'Started recording requests.', () => traces.start(options));
  }

  /** @throws Problem 507 if a required audit log cannot be written */
  stop(actor: Actor): Promise<RecordingState> {
    return this.#record(
      'trace_stop',
      actor,
      'Stopped recording requests.',
      () => this.#traces?.stop() ?? OFF,
    );
  }

  /** Removes all traces. @throws Problem 507 if a required audit log cannot be written */
  clear(actor: Actor): Promise<void> {
    return this.#record('trace_removal', actor, 'Removed the traces of requests.', () =>
      this.#traces?.clear(),
    );
  }

  get #traces(): RequestTraces | undefined {
    return this.#changes.running.sharedState.find(RequestTraces);
  }

  /** Does what the audit log and the error log then contain. */
  async #record<T>(action: AuditAction, actor: Actor, summary: string, work: () => T): Promise<T> {
    const result = await this.#audit.run({ action, actor, summary }, () => Promise.resolve(work()));
    this.#changes.running.log.info({ by: actor.name, via: actor.via }, summary);
    return result;
  }
}

function errorsOf({ requests, minutes, path, user }: RecordingOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  const add = (name: string, message: string): void => void errors.push({ pointer: `/${name}`, message });
  if (!isBetween(requests, MAX_REQUESTS)) add('requests', `Enter a whole number from 1 to ${MAX_REQUESTS}.`);
  if (!isBetween(minutes, MAX_MINUTES))
    add('minutes', `Enter a whole number of minutes from 1 to ${MAX_MINUTES}.`);
  if (path !== undefined && path !== '' && (!path.startsWith('/') || path.length > MAX_TEXT))
    add('path', 'Enter the beginning of a path that starts with "/", such as /v1/atlas/countries.');
  if (user !== undefined && user.length > MAX_TEXT) add('user', `Enter at most ${MAX_TEXT} characters.`);
  return errors;
}

function isBetween(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}
