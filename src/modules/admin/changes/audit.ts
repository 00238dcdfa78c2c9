import type { Log } from '../../../framework';
import type { Actor } from './change';

/** The payload of the observation `changed`. Contains no secrets. */
export interface AuditedChange {
  readonly actor: Actor;
  /** One sentence in the past tense: `Added the adapter "atlas-digest".` */
  readonly summary: string;
  /** The revision of a configuration change. */
  readonly revision?: number;
  /** The changed password file, relative to the project root, and the user. */
  readonly file?: string;
  readonly user?: string;
  readonly realm?: string | undefined;
}

declare module '../../../framework' {
  interface Observations {
    /** An administrator changed the configuration or a password file on the pages, by API or command line. */
    changed: AuditedChange;
  }
}

/** Creates an observer that logs changes. */
export function changeLogger(log: Log): (change: AuditedChange) => void {
  return function logChange({ actor: { name: by, via }, summary, ...rest }) {
    log.info({ by, via, ...rest }, summary);
  };
}
