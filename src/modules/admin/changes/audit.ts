import type { Log } from '../../../framework';
import type { Actor } from './change';

/** Something that an administrator has changed: what observers of `changed` are told. It holds no secrets. */
export interface AuditedChange {
  readonly actor: Actor;
  /** One sentence in the past tense: `Added the adapter "atlas-digest".` */
  readonly summary: string;
  /** The number of the revision, of a change of the configuration. */
  readonly revision?: number;
  /** The password file that was changed, from the project's root, and the user in it. */
  readonly file?: string;
  readonly user?: string;
  readonly realm?: string | undefined;
}

declare module '../../../framework' {
  interface Observations {
    /** The configuration, or a password file, was changed by the admin pages, their API or the command line. */
    changed: AuditedChange;
  }
}

/** The observer that logs changes. */
export function changeLogger(log: Log): (change: AuditedChange) => void {
  return function logChange({ actor: { name: by, via }, summary, ...rest }) {
    log.info({ by, via, ...rest }, summary);
  };
}
