import type { ConfigEdit, KeyPath } from '../../../framework';
import type { AdminRole } from '../accounts/roles';
import type { ServiceReference } from '../../hosting';

/** The configuration that a change was prepared from. If it has changed since, the change is prepared again. */
interface ChangeBasis {
  /** @param text of `config/autoload/local.json` as it is now; undefined without the file */
  readonly isCurrent: (text: string | undefined) => boolean;
  /** Prepares the change from the configuration as it is now. @throws Problem as the first preparation */
  readonly prepare: () => Promise<Change | Restoration>;
}

/** An edit, and what it copies, with its references to environment variables. */
export interface CopyEdit extends ConfigEdit {
  readonly copyOf?: KeyPath;
}

/** A prepared configuration change; it has no effect until it is applied. */
export interface Change {
  /** One line for the list of revisions, in the past tense: `Added the adapter "atlas-digest".` */
  readonly summary: string;
  /** The edits of `config/autoload/local.json`. */
  readonly edits: readonly CopyEdit[];
  /** The path of the changed value; `If-Match` is compared with the tag of this value. */
  readonly subject: KeyPath;
  /** The service that the change creates or edits; its preview shows the documentation. */
  readonly service?: ServiceReference;
  /** Whether the edits restore previous values instead of adding new input. */
  readonly isUndoing?: boolean;
  /** Undefined if the edits do not depend on the configuration. */
  readonly basis?: ChangeBasis;
}

/** The author of a change. */
export interface Actor {
  /** The administrator's name; on the command line, the name of the operating system user. */
  readonly name: string;
  readonly via: 'page' | 'api' | 'command';
  /** The name of the identity; `name` may have the adapter, too. */
  readonly identity?: string;
  /** The network address of the client; undefined on the command line. */
  readonly address?: string;
  /** The id of the request; undefined on the command line. */
  readonly requestId?: string;
  /** The `Host` of the request, e.g. `localhost:8080`. */
  readonly host?: string | undefined;
  /** The `Origin` of the request, e.g. `http://127.0.0.1:8080`. */
  readonly origin?: string;
  /** The adapter that authenticated the administrator for the admin API. */
  readonly adapter?: string;
  /** The administrator's role; undefined on the command line, and for what the service does. */
  readonly role?: AdminRole;
  /** The administrator's groups according to the adapter. */
  readonly groups?: readonly string[];
  /** What the credentials of the administrator allow. */
  readonly scopes?: readonly string[];
  /** What the OpenID provider said about the administrator, who signed in with it. */
  readonly openid?: { readonly groups: readonly string[] };
}

/** A change that replaces the whole of `config/autoload/local.json` with an earlier state. */
export interface Restoration {
  readonly summary: string;
  /** Undefined to remove the file. */
  readonly text: string | undefined;
  /** Undefined if the text replaces any other. */
  readonly basis?: ChangeBasis;
}
