import { isObject, type ConfigObject } from '../../../../framework';
import type { HostedService, HostedVersion } from '../../../hosting';
import type { DeclaredVersion } from '../texts/declared-api';

/** A service of a version, and where it is declared. */
export interface ServiceView {
  readonly api: string;
  readonly version: number;
  readonly name: string;
  readonly kind: string;
  readonly route: string;
  /** The file with line and column, the module, or the version that it is inherited from. */
  readonly source: string;
  /** Whether it is declared in configuration, so that it can be changed here. */
  readonly isEditable: boolean;
  /**
   * The declaration in configuration, with references to environment variables as written; empty for a service that is not
   * editable.
   */
  readonly declaration: ConfigObject;
  /** The declaration with the values of environment variables, which may be secret. */
  readonly values: ConfigObject;
  /** Such as `GET /products/:id`. */
  readonly operations: readonly string[];
  readonly tag: string;
}

/** The services of a version. */
export interface ServiceList {
  readonly api: string;
  readonly version: number;
  readonly versions: readonly number[];
  readonly isCode: boolean;
  readonly services: readonly ServiceView[];
  /** The tag of the API. */
  readonly tag: string;
}

/** Whether configuration declares a service itself, and does not only change an inherited one. */
export function isComplete(value: ConfigObject): boolean {
  return typeof value.route === 'string';
}

export function kindOf(value: unknown, { kind }: HostedService): string {
  return isObject(value) && typeof value.kind === 'string' ? value.kind : kind;
}

export function otherSource({ code }: DeclaredVersion, { version }: HostedVersion, isCode: boolean): string {
  if (isCode && code !== undefined) return `the module "${code.module}"`;
  return `an earlier version, inherited by version ${version}`;
}

export function operationsOf({ route, operations, entityOperations }: HostedService): readonly string[] {
  return [...operations, ...entityOperations].map(({ method, part }) =>
    part === 'rpc' ? `${method} ${route}` : `${method} ${route} (${part})`,
  );
}
