import { isDeepStrictEqual } from 'node:util';
import {
  escapeReferences,
  hasKeyPrefix,
  hasPathPrefix,
  isObject,
  listOf,
  objectOf,
  type ConfigObject,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { RATE_LIMITS_KEY, type RateLimit } from '../../../hosting';
import type { CopyEdit } from '../../changes/change';
import { rulePath, rulesPath, type OperationReference } from '../access/access-origin';
import { keysFor, mapPath } from '../access/adapter-map';
import { copiesOf, copyEdits, layeredEdits } from '../layered-edits';
import { versionDefinitionPath } from '../texts/declared-api';
import { accessKey, type GuardedService } from './guarded-service';

/**
 * Returns the edits that keep the access to services: of a renamed one, and of a QUERY that has the rule of a GET that
 * is removed. What is set for all versions may be for other services of either name, so that it is set for the version.
 *
 * @param orphans the paths that are removed
 */
export function keptAccess(
  configuration: Configuration,
  api: string,
  services: readonly GuardedService[],
  orphans: readonly KeyPath[],
): readonly CopyEdit[] {
  return services.flatMap((service) => [
    ...keptRules(configuration, api, service, orphans),
    ...keptAdapters(configuration, api, service),
    ...keptLimits(configuration, api, service),
  ]);
}

function keptRules(
  configuration: Configuration,
  api: string,
  service: GuardedService,
  orphans: readonly KeyPath[],
): readonly CopyEdit[] {
  const { name, formerName, version, operations } = service;
  const own = accessKey(api, version);
  return operations.flatMap(({ part, method, access, declared }) => {
    const pathsOf = (of: string, one = method): readonly KeyPath[] =>
      [own, api].map((key) => rulePath(key, { service: of, part, method: one }));
    const isSet = (path: KeyPath): boolean => configuration.valueAt(path) !== undefined;
    const configured = pathsOf(formerName ?? name).find(isSet);
    const isQueryAlone =
      part === 'collection' &&
      method === 'QUERY' &&
      !operations.some((one) => one.part === part && one.method === 'GET');
    const losesRule =
      isQueryAlone &&
      (service.losesRuleOfGet === true ||
        pathsOf(formerName ?? name, 'GET').some(
          (path) =>
            isSet(path) && (formerName !== undefined || orphans.some((one) => hasKeyPrefix(path, one))),
        ));
    // A rule for all versions of the new name would replace the declared one.
    const isReplaced =
      formerName !== undefined &&
      [...pathsOf(name), ...(isQueryAlone ? pathsOf(name, 'GET') : [])].some(isSet);
    const [path] = pathsOf(name);
    if (path === undefined) return [];
    if (configured === undefined) {
      if (!losesRule && !isReplaced) return [];
      if (declared !== undefined) {
        const from = declarationPath(api, version, formerName ?? name, { part, method });
        return copiesOf(from, path, layeredEdits(configuration, path, declared));
      }
      const methods = isQueryAlone ? [method, 'GET'] : [method];
      const source = [
        ...methods.flatMap((one) => pathsOf(formerName ?? name, one)),
        ...versionsOf(configuration, api, version).flatMap((of) =>
          methods.map((one) => declarationPath(api, of, formerName ?? name, { part, method: one })),
        ),
      ].find((one) => isDeepStrictEqual(configuration.valueAt(one), access));
      return source === undefined
        ? layeredEdits(configuration, path, escaped(access))
        : copyEdits(configuration, source, path);
    }
    return formerName === undefined ? [] : copyEdits(configuration, configured, path);
  });
}

/** Returns the path of the rule that configuration may declare for an operation. */
function declarationPath(
  api: string,
  version: number,
  service: string,
  { part, method }: Pick<OperationReference, 'part' | 'method'>,
): KeyPath {
  const members = [part === 'rpc' ? 'methods' : part, method, 'authorization'];
  return versionDefinitionPath(api, version, ['services', service, ...members]);
}

/** Returns a version, and those that it inherits from. */
function versionsOf(configuration: Configuration, api: string, version: number): readonly number[] {
  const inherits = configuration.valueAt(versionDefinitionPath(api, version, ['inherits']));
  return typeof inherits === 'number' && inherits < version
    ? [version, ...versionsOf(configuration, api, inherits)]
    : [version];
}

/** Returns a rule as a file has to contain it: that of code may have texts such as `${NAME}`. */
function escaped(rule: ConfigValue): ConfigValue {
  if (typeof rule === 'string') return escapeReferences(rule);
  if (isObject(rule))
    return Object.fromEntries(Object.entries(rule).map(([key, member]) => [key, escaped(member)]));
  return Array.isArray(rule) ? rule.map((member: ConfigValue) => escaped(member)) : rule;
}

function keptAdapters(
  configuration: Configuration,
  api: string,
  { name, formerName, version }: GuardedService,
): readonly CopyEdit[] {
  if (formerName === undefined) return [];
  // An entry for all versions of the new name would replace the one of the version, of the API or of `*`.
  const isReplaced = configuration.valueAt(mapPath(`${api}/${name}`)) !== undefined;
  const keys = keysFor(api, version, formerName);
  const former = (isReplaced ? keys : keys.filter((key) => key.includes('/')))
    .map((key) => mapPath(key))
    .find((one) => configuration.valueAt(one) !== undefined);
  const path = mapPath(`${accessKey(api, version)}/${name}`);
  return former === undefined
    ? layeredEdits(configuration, path, isReplaced ? [] : undefined)
    : copyEdits(configuration, former, path);
}

function keptLimits(
  configuration: Configuration,
  api: string,
  { name, formerName, version, operations }: GuardedService,
): readonly CopyEdit[] {
  if (formerName === undefined) return [];
  const own = accessKey(api, version);
  const suffixes = operations.map(({ part, method }) => ` ${part === 'rpc' ? '' : `${part} `}${method}`);
  return ['', ...suffixes].flatMap((suffix) => {
    // Validated by the schema of the section.
    const limits = [own, api].flatMap(
      (key) =>
        listOf(
          configuration.valueAt([RATE_LIMITS_KEY, `${key}/${formerName}${suffix}`]),
        ) as readonly RateLimitValue[],
    );
    if (limits.length === 0) return [];
    return layeredEdits(configuration, [RATE_LIMITS_KEY, `${own}/${name}${suffix}`], strictest(limits));
  });
}

type RateLimitValue = ConfigObject & Pick<RateLimit, 'per' | 'window' | 'limit'>;

/** An entry has one limit for the same clients and window, while all entries that match apply. */
function strictest(limits: readonly RateLimitValue[]): ConfigValue[] {
  const byName = new Map<string, RateLimitValue>();
  for (const one of limits) {
    const name = `${one.per}:${one.window}`;
    const former = byName.get(name);
    if (former === undefined || one.limit < former.limit) byName.set(name, one);
  }
  return [...byName.values()];
}

/** Returns the edits that give a new version the access rules, adapters and rate limits of another one. */
export function copiedAccess(
  configuration: Configuration,
  api: string,
  from: number,
  to: number,
): readonly CopyEdit[] {
  const [source, target] = [accessKey(api, from), accessKey(api, to)];
  const copied: readonly (readonly [from: KeyPath, to: KeyPath])[] = [
    [rulesPath(source), rulesPath(target)],
    ...[mapPath(), [RATE_LIMITS_KEY]].flatMap((path) =>
      Object.keys(objectOf(configuration.valueAt(path)))
        .filter((key) => hasPathPrefix(key, source))
        .map(
          (key) =>
            [
              [...path, key],
              [...path, target + key.slice(source.length)],
            ] as const,
        ),
    ),
  ];
  return copied.flatMap(([path, newPath]) => copyEdits(configuration, path, newPath));
}
