import type { AccessRule } from '../../../mvc-auth';
import type { PlacedRule, RuledOperation } from './access-origin';
import type { MapEntry } from './adapter-map';

/** An API as the list of them has it. */
export interface ListedApi {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly {
    readonly version: number;
    readonly isDefault: boolean;
    readonly services: readonly string[];
    /** The entry of the map that counts for services without one of their own. */
    readonly inForce: MapEntry | undefined;
  }[];
}

/** The entries of the map that are about no API alone. */
export interface CommonAccess {
  /** The adapters that there are. */
  readonly adapters: readonly string[];
  /** For the APIs that have none (`*`), and for the list of the documentation (`@documentation`). */
  readonly entries: readonly MapEntry[];
  /** The strong validator of the map, without quotes. */
  readonly tag: string;
}

/** Who may do what in a version of an API, and how they sign in. */
export interface AccessView {
  readonly api: string;
  readonly version: number;
  /** The adapters that there are. */
  readonly adapters: readonly string[];
  /** The entries for the version, for the API, and for all that has none; the first that is there counts. */
  readonly entries: readonly MapEntry[];
  /** The one that counts for services that have no entry of their own. */
  readonly inForce: MapEntry | undefined;
  readonly services: readonly ServiceAccess[];
  /** The strong validators of the map and of the version's rules, without quotes. */
  readonly tags: { readonly map: string; readonly rules: string };
}

interface ServiceAccess {
  readonly name: string;
  /** The entry for the service in this version. */
  readonly entry: MapEntry;
  readonly inForce: MapEntry | undefined;
  readonly operations: readonly OperationAccess[];
}

export interface OperationAccess extends RuledOperation {
  /** What stands for this version; undefined where nothing does. */
  readonly own: AccessRule | undefined;
  /** What counts. */
  readonly inForce: PlacedRule;
  /** What would count without a rule for this version. */
  readonly inherited: PlacedRule;
}

/** A rule that is wanted for an operation; undefined takes the one of this version away. */
export interface WantedRule extends RuledOperation {
  readonly rule: AccessRule | undefined;
}
