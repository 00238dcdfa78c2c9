import type { AccessRule } from '../../../mvc-auth';

/** What decides who may call what: the input of the access map. */
export interface AccessState {
  /** The hosted versions, in the order of the APIs. */
  readonly versions: readonly VersionState[];
  readonly adapters: readonly AdapterState[];
  /** Whether a module authenticates users, too: what adapters and files lack is then not a gap. */
  readonly hasCustomAuthentication: boolean;
}

export interface VersionState {
  readonly api: string;
  readonly version: number;
  readonly services: readonly ServiceState[];
}

export interface ServiceState {
  readonly name: string;
  /** The names of the adapters that guard it; empty for none. */
  readonly adapters: readonly string[];
  /** The effective rules of its operations, one each. */
  readonly rules: readonly AccessRule[];
}

export interface AdapterState {
  readonly name: string;
  /** Such as `Basic`. */
  readonly type: string;
  /** Whether it signs in readers of the documentation, or administrators. */
  readonly isUsedElsewhere: boolean;
  /** Its password files; empty for an adapter with users of its own. */
  readonly sources: readonly SourceState[];
  /** What to call the users of an adapter without password files, and their page below the admin. */
  readonly ownUsers: { readonly name: string; readonly detail: string; readonly path: string };
  readonly groups: GroupFileState | undefined;
}

/** The users of a password file, in the realm of the adapter. */
export interface SourceState {
  readonly path: string;
  readonly kind: 'htpasswd' | 'htdigest';
  /** Digest only. */
  readonly realm: string | undefined;
  /** Undefined if the file does not exist; empty if the admin does not read it. */
  readonly users: ReadonlySet<string> | undefined;
  /** Why the admin does not read it, as the end of a sentence. */
  readonly refusal: string | undefined;
}

export interface GroupFileState {
  readonly path: string;
  /** The number of members by group; undefined if the file does not exist or cannot be read. */
  readonly members: ReadonlyMap<string, number> | undefined;
}

/** The key of a version in the map of adapters, such as `Atlas-v1`. */
export function versionKey({ api, version }: Pick<VersionState, 'api' | 'version'>): string {
  return `${api}-v${version}`;
}

/** The adapters of all services of a version, in order of appearance. */
export function adaptersOf({ services }: VersionState): readonly string[] {
  return [...new Set(services.flatMap(({ adapters }) => adapters))];
}

/** The user and group names of list rules. */
export function namesIn(rules: readonly AccessRule[]): readonly string[] {
  return rules.flatMap((rule) => (Array.isArray(rule) ? (rule as readonly string[]) : []));
}

/** The groups of list rules, without the `@`. */
export function groupsIn(rules: readonly AccessRule[]): readonly string[] {
  return namesIn(rules).flatMap((name) => (name.startsWith('@') ? [name.slice(1)] : []));
}
