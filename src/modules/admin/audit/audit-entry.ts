import { escapeControls } from '../../../framework';

/** What administrators do, as the audit log names it. */
export const AUDIT_ACTIONS = [
  'sign_in',
  'sign_out',
  'claim',
  'password_change',
  'administrator_add',
  'administrator_remove',
  'role_change',
  'second_factor_add',
  'second_factor_remove',
  'recovery_codes_change',
  'configuration_change',
  'password_file_change',
  'api_key_change',
  'snapshot_update',
  'reload',
  'restore',
  'trace_start',
  'trace_stop',
  'trace_removal',
  'repair',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `started` is written before a change where the audit log is required; another entry follows. */
export const AUDIT_OUTCOMES = ['started', 'success', 'unchanged', 'failure'] as const;

type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Who acts, and from where. */
export interface AuditActor {
  /** Null for an unknown name: it may be a password in the wrong field. */
  readonly name: string | null;
  readonly via: 'page' | 'api' | 'command' | 'signal' | 'service';
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What was done. Contains key paths and names, never values. */
export interface AuditDetails {
  /** What the action was about: a key path, a file, an administrator. */
  readonly target?: string | undefined;
  readonly summary?: string | undefined;
  /** The revisions of the configuration before and after. */
  readonly revisions?: readonly [before: number, after: number] | undefined;
  /** The key paths that changed. */
  readonly paths?: readonly string[] | undefined;
}

export interface AuditEntry extends AuditDetails {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly outcome: AuditOutcome;
  /** The error code of a failure. */
  readonly code?: string | undefined;
}

/** More key paths than that are cut off. */
const MAX_PATHS = 200;

/** Longer texts are cut off. */
const MAX_LENGTH = 1_000;

/** Returns the line of an entry: JSON with a line break. Control characters are escaped. */
export function auditLine(entry: AuditEntry, time: Date): string {
  const { action, actor, outcome, target, summary, revisions, paths, code } = entry;
  const members = {
    time: time.toISOString(),
    action,
    outcome,
    administrator: cut(actor.name),
    via: actor.via,
    address: actor.address,
    request_id: actor.requestId,
    target: cut(target),
    summary: cut(summary),
    revision_before: revisions?.[0],
    revision_after: revisions?.[1],
    paths: paths?.slice(0, MAX_PATHS).map((path) => cut(path)),
    code,
  };
  return `${escapeControls(JSON.stringify(members))}\n`;
}

function cut<T extends string | null | undefined>(text: T): T | string {
  return typeof text === 'string' && text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
