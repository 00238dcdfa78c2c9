import type { AccessRule } from '../../../mvc-auth';
import type { RuleWithSource, OperationReference } from './access-origin';
import type { MapEntry } from './adapter-map';

/** An API in the list of APIs. */
export interface ApiSummary {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly {
    readonly version: number;
    readonly isDefault: boolean;
    readonly services: readonly string[];
    /** The map entry of services without their own entry. */
    readonly effective: MapEntry | undefined;
  }[];
}

/** The map entries that do not belong to a single API. */
export interface DefaultAccess {
  /** The names of all configured adapters. */
  readonly adapters: readonly string[];
  /** For all other APIs (`*`) and for the API list of the documentation (`@documentation`). */
  readonly entries: readonly MapEntry[];
  /** The strong validator of the map, without quotes. */
  readonly tag: string;
}

/** Authentication and authorization of a version of an API. */
export interface AccessView {
  readonly api: string;
  readonly version: number;
  /** The names of all configured adapters. */
  readonly adapters: readonly string[];
  /** The entries for the version, for the API and for all other APIs; the first that is set applies. */
  readonly entries: readonly MapEntry[];
  /** The entry of services without their own entry. */
  readonly effective: MapEntry | undefined;
  readonly services: readonly ServiceAccess[];
  /** The strong validators of the map and of the version's rules, without quotes. */
  readonly tags: { readonly map: string; readonly rules: string };
}

export interface ServiceAccess {
  readonly name: string;
  /** The tags of the service, by which the documentation groups it. */
  readonly groups: readonly string[];
  /** The entry for the service in this version. */
  readonly entry: MapEntry;
  readonly effective: MapEntry | undefined;
  readonly operations: readonly OperationAccess[];
}

export interface OperationAccess extends OperationReference {
  /** The rule of this version; undefined if not set. */
  readonly own: AccessRule | undefined;
  /** The rule that applies. */
  readonly effective: RuleWithSource;
  /** The rule that applies if none is set for this version. */
  readonly inherited: RuleWithSource;
}

/** A version of an API. */
export interface VersionReference {
  readonly api: string;
  readonly version: number;
}

/** A new rule for an operation; undefined removes the rule of this version. */
export interface RuleChange extends OperationReference {
  readonly rule: AccessRule | undefined;
}
