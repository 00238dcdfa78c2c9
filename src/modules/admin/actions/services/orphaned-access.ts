import {
  hasPathPrefix,
  isObject,
  objectOf,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { RATE_LIMITS_KEY, rateLimitKeys, type HostedApi } from '../../../hosting';
import { rulesPath } from '../access/access-origin';
import { mapPath } from '../access/adapter-map';
import { accessKey, type GuardedService } from './guarded-service';

/**
 * Returns the key paths of access rules, adapters and rate limits that name nothing if an API has only these services,
 * which would be errors.
 */
export function orphanedAccess(
  configuration: Configuration,
  hosted: HostedApi,
  services: readonly GuardedService[],
): readonly KeyPath[] {
  return [
    ...orphanedRulesAndAdapters(configuration, hosted, services),
    ...orphanedLimits(configuration, hosted, services),
  ];
}

function orphanedLimits(
  configuration: Configuration,
  { name: api, versions }: HostedApi,
  services: readonly GuardedService[],
): readonly KeyPath[] {
  const keys = [api, ...versions.map(({ version }) => accessKey(api, version))];
  const known = new Set(
    services.flatMap(({ version, name: service, operations }) =>
      operations.flatMap(({ part, method }) => rateLimitKeys({ api, version, service, part, method })),
    ),
  );
  return Object.keys(objectOf(configuration.valueAt([RATE_LIMITS_KEY])))
    .filter((one) => keys.some((key) => hasPathPrefix(one, key)) && !known.has(one))
    .map((one) => [RATE_LIMITS_KEY, one]);
}

function orphanedRulesAndAdapters(
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
      ...map.filter((one) => hasPathPrefix(one, key) && !known.has(one)).map((one) => mapPath(one)),
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
