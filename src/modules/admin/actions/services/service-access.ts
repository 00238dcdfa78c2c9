import {
  isObject,
  memberAt,
  objectOf,
  type ConfigEdit,
  type ConfigObject,
  type Configuration,
} from '../../../../framework';
import type { AccessRule } from '../../../mvc-auth';
import type { OperationReference } from '../access/access-origin';
import type { CopyEdit } from '../../changes/change';
import { versionDefinitionPath, type DeclaredVersion } from '../texts/declared-api';
import { unsetEdit } from '../unset-edit';
import { guardedServices, type GuardedService } from './guarded-service';
import { keptAccess } from './kept-access';
import { orphanedAccess } from './orphaned-access';

type Operation = Pick<OperationReference, 'part' | 'method'>;

/** A change of a service that configuration declares. */
export interface ServiceChange {
  readonly name: string;
  readonly declaration: ConfigObject;
  /** Undefined to remove it. */
  readonly target: { readonly name: string; readonly declaration: ConfigObject } | undefined;
}

/** Returns the edits of access rules, adapters and rate limits that belong to a change of a service. */
export function accessEdits(
  configuration: Configuration,
  declared: DeclaredVersion,
  change: ServiceChange,
): readonly CopyEdit[] {
  return accessEditsFor(configuration, declared, servicesAfter(configuration, declared, change));
}

/** Returns these edits for an API that will have these services. */
export function accessEditsFor(
  configuration: Configuration,
  { api }: Pick<DeclaredVersion, 'api'>,
  services: readonly GuardedService[],
): readonly CopyEdit[] {
  const orphans = orphanedAccess(configuration, api, services);
  return [
    ...orphans.map((path) => unsetEdit(configuration, path)),
    ...keptAccess(configuration, api.name, services, orphans),
  ];
}

/** Whether an edit removes a rule, an adapter or a limit, and keeps none. */
export function isRemoval({ value }: ConfigEdit): boolean {
  return value === undefined || value === null;
}

/** Returns them after a change of a service of a version. It also changes in the versions that inherit from it. */
function servicesAfter(
  configuration: Configuration,
  { api, hosted, definition }: DeclaredVersion,
  { name, declaration, target }: ServiceChange,
): readonly GuardedService[] {
  const isConcerned = (version: number): boolean => {
    const inherits = memberAt(definition, ['versions', String(version), 'inherits']);
    return version === hosted.version || (typeof inherits === 'number' && isConcerned(inherits));
  };
  return guardedServices(api).flatMap((service) => {
    const { version, operations } = service;
    if (service.name !== name || !isConcerned(version)) return [service];
    const own =
      version === hosted.version
        ? undefined
        : configuration.writtenAt(versionDefinitionPath(api.name, version, ['services', name]));
    if (own !== undefined && target?.name !== name) return [service];
    if (target === undefined) return [];
    const after = [own, target.declaration].filter((one) => isObject(one));
    return [
      {
        version,
        name: target.name,
        operations: operations
          .filter((one) => isLeft(one, declaration, after))
          .map((one) => ({ ...one, declared: ruleIn(after, one) })),
        losesRuleOfGet:
          ruleIn([declaration], LIST) !== undefined &&
          ruleIn(after, { ...LIST, method: 'QUERY' }) === undefined,
        ...(target.name === name ? {} : { formerName: name }),
      },
    ];
  });
}

const LIST = { part: 'collection', method: 'GET' } as const;

/** @param after the declarations afterwards, of the version and of the one that it inherits from */
function isLeft(operation: Operation, before: ConfigObject, after: readonly ConfigObject[]): boolean {
  const isDeclared = after.some((one) => declares(one, operation));
  if (before.kind !== 'table' || operation.part !== 'collection' || operation.method !== 'QUERY')
    return isDeclared || !declares(before, operation);
  // A table has a QUERY with its GET and its filters, and not without them.
  const filters = after.flatMap((one) => [one.filters, one.sql_filters]).map(objectOf);
  const isNested = after.map((one) => one.nested_filters ?? undefined).find((one) => one !== undefined);
  return (
    after.some((one) => declares(one, LIST)) &&
    filters.some((one) => Object.values(one).some((filter) => filter !== null)) &&
    isNested !== false
  );
}

function declares(declaration: ConfigObject, operation: Operation): boolean {
  return isObject(memberAt(declaration, pathOf(operation)));
}

function ruleIn(declarations: readonly ConfigObject[], operation: Operation): AccessRule | undefined {
  const rules = declarations.map((one) => memberAt(one, [...pathOf(operation), 'authorization']));
  // Validated by the schema of the section.
  return rules.find((one) => one !== undefined && one !== null) as AccessRule | undefined;
}

function pathOf({ part, method }: Operation): readonly string[] {
  return [part === 'rpc' ? 'methods' : part, method];
}
