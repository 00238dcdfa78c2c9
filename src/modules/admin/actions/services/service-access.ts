import {
  isObject,
  memberAt,
  objectOf,
  type ConfigEdit,
  type ConfigObject,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import type { HostedApi } from '../../../hosting';
import { rulePath, rulesPath, type OperationReference } from '../access/access-origin';
import { mapPath } from '../access/adapter-map';
import { layeredEdits } from '../layered-edits';
import { definitionPath, type DeclaredVersion } from '../texts/declared-api';
import { unsetEdit } from '../unset-edit';

type Operation = Pick<OperationReference, 'part' | 'method'>;

/** A service of a version, as access rules and the adapter map name it. */
interface GuardedService {
  readonly version: number;
  readonly name: string;
  /** The name whose rules and adapters it keeps; undefined for a service that is not renamed. */
  readonly formerName?: string;
  readonly operations: readonly Operation[];
}

/** A change of a service that configuration declares. */
export interface ServiceChange {
  readonly name: string;
  readonly declaration: ConfigObject;
  /** Undefined to remove it. */
  readonly target: { readonly name: string; readonly declaration: ConfigObject } | undefined;
}

/** Returns the edits of access rules and adapters that belong to a change of a service. */
export function accessEdits(
  configuration: Configuration,
  declared: DeclaredVersion,
  change: ServiceChange,
): readonly ConfigEdit[] {
  const services = servicesAfter(configuration, declared, change);
  return [
    ...orphanedAccess(configuration, declared.api, services).map((path) => unsetEdit(configuration, path)),
    ...services.flatMap((service) => renamedAccess(configuration, declared.api, service)),
  ];
}

/** Returns the services of all versions of an API. */
export function guardedServices({ versions }: HostedApi): readonly GuardedService[] {
  return versions.flatMap(({ version, services }) =>
    services.map(({ name, operations, entityOperations }) => ({
      version,
      name,
      operations: [...operations, ...entityOperations],
    })),
  );
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
        : configuration.valueAt(definitionPath(api.name, ['versions', String(version), 'services', name]));
    if (own !== undefined && target?.name !== name) return [service];
    if (target === undefined) return [];
    const left = operations.filter(
      (one) => !declares(declaration, one) || declares(target.declaration, one) || declares(own, one),
    );
    return [
      { version, name: target.name, operations: left, ...(target.name === name ? {} : { formerName: name }) },
    ];
  });
}

function declares(declaration: ConfigValue | undefined, { part, method }: Operation): boolean {
  return isObject(memberAt(declaration, [part === 'rpc' ? 'methods' : part, method]));
}

/**
 * Returns the key paths of access rules and adapters that name nothing if an API has only these services, which would
 * be errors.
 */
export function orphanedAccess(
  configuration: Configuration,
  { name: api, versions }: HostedApi,
  services: readonly GuardedService[],
): readonly KeyPath[] {
  const map = Object.keys(objectOf(configuration.valueAt(mapPath())));
  return [undefined, ...versions.map(({ version }) => version)].flatMap((version) => {
    const key = accessKey(api, version);
    const left = services.filter((one) => version === undefined || one.version === version);
    const known = new Set(left.flatMap(({ name }) => [key, `${key}/${name}`]));
    return [
      ...orphanedRules(configuration.valueAt(rulesPath(key)), left).map((below) => [
        ...rulesPath(key),
        ...below,
      ]),
      ...map.filter((one) => isBelow(one, key) && !known.has(one)).map((one) => mapPath(one)),
    ];
  });
}

/** @returns paths in the rules of an API or a version; the empty one for all rules */
function orphanedRules(
  rules: ConfigValue | undefined,
  services: readonly GuardedService[],
): readonly KeyPath[] {
  if (!isObject(rules)) return [];
  if (services.every(({ operations }) => operations.length === 0)) return [[]];
  return Object.entries(rules).flatMap(([name, ofService]) => {
    const operations = services.filter((one) => one.name === name).flatMap((one) => one.operations);
    if (operations.length === 0) return [[name]];
    return Object.entries(objectOf(ofService)).flatMap(([key, rule]): KeyPath[] => {
      if (key !== 'collection' && key !== 'entity')
        return operations.some(({ part, method }) => part === 'rpc' && method === key) ? [] : [[name, key]];
      const methods = operations.filter(({ part }) => part === key).map(({ method }) => method);
      if (methods.length === 0) return [[name, key]];
      const orphans = Object.keys(objectOf(rule)).filter((method) => !methods.includes(method));
      return orphans.map((method) => [name, key, method]);
    });
  });
}

/**
 * Returns the edits that keep the access to a service that is renamed. What is set for all versions may be for other
 * services of either name, so that it is set for the version.
 */
function renamedAccess(
  configuration: Configuration,
  { name: api }: HostedApi,
  { name, formerName, version, operations }: GuardedService,
): readonly ConfigEdit[] {
  if (formerName === undefined) return [];
  const own = accessKey(api, version);
  const moved = (pathOf: (key: string, service: string) => KeyPath): readonly ConfigEdit[] => {
    const values = [own, api].map((key) => configuration.valueAt(pathOf(key, formerName)));
    const value = values.find((one) => one !== undefined);
    return layeredEdits(configuration, pathOf(own, name), value);
  };
  return [
    ...operations.flatMap(({ part, method }) =>
      moved((key, service) => rulePath(key, { service, part, method })),
    ),
    ...moved((key, service) => mapPath(`${key}/${service}`)),
  ];
}

/** Returns the edits that give a new version the access rules and adapters of another one. */
export function copiedAccess(
  configuration: Configuration,
  api: string,
  from: number,
  to: number,
): readonly ConfigEdit[] {
  const [source, target] = [accessKey(api, from), accessKey(api, to)];
  const keys = Object.keys(objectOf(configuration.valueAt(mapPath()))).filter((key) => isBelow(key, source));
  const copied: readonly (readonly [from: KeyPath, to: KeyPath])[] = [
    [rulesPath(source), rulesPath(target)],
    ...keys.map((key) => [mapPath(key), mapPath(target + key.slice(source.length))] as const),
  ];
  return copied.flatMap(([path, newPath]) =>
    layeredEdits(configuration, newPath, configuration.valueAt(path)),
  );
}

/** The key of the rules and adapters of a version, or of all versions. */
function accessKey(api: string, version: number | undefined): string {
  return version === undefined ? api : `${api}-v${version}`;
}

function isBelow(mapKey: string, key: string): boolean {
  return mapKey === key || mapKey.startsWith(`${key}/`);
}
