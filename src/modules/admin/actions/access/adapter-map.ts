import type { ConfigEdit, Configuration, ConfigValue, KeyPath } from '../../../../framework';
import { loneAdapter, MVC_AUTH_KEY } from '../../../mvc-auth';
import { layeredEdits } from '../layered-edits';

/** The map key of the API list of the documentation. */
export const DOCUMENTATION = '@documentation';

/** An entry of the map from APIs and services to adapters. */
export interface MapEntry {
  /** `Atlas-v1/Country`, `Atlas/Country`, `Atlas-v1`, `Atlas`, `*` or `@documentation`. */
  readonly key: string;
  /** The names of the adapters; empty for explicitly none, undefined if not set. */
  readonly adapters: readonly string[] | undefined;
  /** The file with line and column; undefined if not set. */
  readonly source: string | undefined;
}

/** Returns the key path of a map entry, or of the map itself. */
export function mapPath(...key: readonly string[]): KeyPath {
  return [MVC_AUTH_KEY, 'authentication', 'map', ...key];
}

/** Returns the names of the configured adapters. */
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

/** Returns the map keys that apply to a service, most specific first. */
export function keysFor(api: string, version: number, service?: string): readonly string[] {
  const ofService = service === undefined ? [] : [`${api}-v${version}/${service}`, `${api}/${service}`];
  return [...ofService, `${api}-v${version}`, api, '*'];
}

/** Returns the first entry that is set; without any map, the only adapter is that of `*`, which has no source. */
export function effectiveEntry(configuration: Configuration, keys: readonly string[]): MapEntry | undefined {
  const set = keys.map((key) => mapEntry(configuration, key)).find(({ adapters }) => adapters !== undefined);
  const lone = set === undefined && keys.includes('*') ? loneAdapter(configuration) : undefined;
  return lone === undefined ? set : { key: '*', adapters: [lone], source: undefined };
}

/** Keeps APIs guarded that rely on the only adapter: with a map or a second one, they need an entry. */
export function loneAdapterEdits(configuration: Configuration): readonly ConfigEdit[] {
  const lone = loneAdapter(configuration);
  return lone === undefined ? [] : layeredEdits(configuration, mapPath('*'), lone);
}

function listOf(value: ConfigValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : undefined;
}
