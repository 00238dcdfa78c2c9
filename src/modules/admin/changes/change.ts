import type { ConfigEdit, KeyPath } from '../../../framework';

/** A change of the configuration that somebody has in mind: nothing happens before it is applied. */
export interface Change {
  /** One line for the list of revisions, in the past tense: `Added the adapter "atlas-digest".` */
  readonly summary: string;
  /** What is written into `config/autoload/local.json`. */
  readonly edits: readonly ConfigEdit[];
  /** Where what is changed stands: who says `If-Match` speaks of the value there. */
  readonly subject: KeyPath;
  /** Whether the edits put back what the file said before, rather than what somebody typed. */
  readonly isUndoing?: boolean;
}

/** Who changes something. */
export interface Actor {
  /** The administrator's name; on the command line that of the user of the system. */
  readonly name: string;
  readonly via: 'page' | 'api' | 'command';
  /** The network address of the administrator's client, where there is one. */
  readonly address?: string;
  /** The host that the administrator's client names, e.g. `localhost:8080`. */
  readonly host?: string | undefined;
  /** The origin of the page that sent it, as the administrator's browser says, e.g. `http://127.0.0.1:8080`. */
  readonly origin?: string;
  /** The adapter that the administrator signed in to the admin API with. */
  readonly adapter?: string;
  /** The groups that the adapter says the administrator belongs to. */
  readonly groups?: readonly string[];
}

/** The whole of `config/autoload/local.json` put back as it was: undefined for no file. */
export interface Restoration {
  readonly summary: string;
  readonly text: string | undefined;
}
