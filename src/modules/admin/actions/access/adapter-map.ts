import type { Configuration, ConfigValue, KeyPath } from '../../../../framework';
import { MVC_AUTH_KEY } from '../../../mvc-auth';

/** The key of the list of the documentation. */
export const DOCUMENTATION = '@documentation';

/** An entry of the map from APIs and services to adapters. */
export interface MapEntry {
  /** `Atlas-v1/Country`, `Atlas/Country`, `Atlas-v1`, `Atlas`, `*` or `@documentation`. */
  readonly key: string;
  /** The adapters' names: an empty list says that there is none; undefined for no entry. */
  readonly adapters: readonly string[] | undefined;
  /** The file with line and column; undefined for no entry. */
  readonly source: string | undefined;
}

/** Where an entry of the map stands, or the map itself. */
export function mapPath(...key: readonly string[]): KeyPath {
  return [MVC_AUTH_KEY, 'authentication', 'map', ...key];
}

/** The names of the adapters that are configured. */
export function adapterNames(configuration: Configuration): readonly string[] {
  const adapters = configuration.valueAt([MVC_AUTH_KEY, 'authentication', 'adapters']);
  return typeof adapters === 'object' && adapters !== null ? Object.keys(adapters) : [];
}

export function mapEntry(configuration: Configuration, key: string): MapEntry {
  const path = mapPath(key);
  const value = configuration.valueAt(path);
  return {
    key,
    adapters: listOf(value),
    source: value === undefined ? undefined : configuration.sourceOf(path),
  };
}

/** The keys that may speak of a service, the most specific first: the first that stands in the map counts. */
export function keysFor(api: string, version: number, service?: string): readonly string[] {
  const ofService = service === undefined ? [] : [`${api}-v${version}/${service}`, `${api}/${service}`];
  return [...ofService, `${api}-v${version}`, api, '*'];
}

/** The entry that counts; undefined where none speaks of it. */
export function entryInForce(configuration: Configuration, keys: readonly string[]): MapEntry | undefined {
  return keys.map((key) => mapEntry(configuration, key)).find(({ adapters }) => adapters !== undefined);
}

function listOf(value: ConfigValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : undefined;
}
