import { ConfigurationError, didYouMean, listNames } from '../../../framework';
import type { AdapterMap } from './adapter-map';
import type { OpenAdapter } from './adapter-factory';
import { Guard } from './guard';

/** A service of an API version. */
export interface GuardedService {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/** The key of the documentation in the map and in rules. */
export const DOCUMENTATION = '@documentation';

/** The key of all folders of static files in the map and in rules; with the path of a folder behind it, of that folder. */
export const STATIC_FILES = '@static-files';

/** Whether a key of the map or of the rules is one of static files. */
export function isStaticFilesKey(key: string): boolean {
  return key === STATIC_FILES || key.startsWith(`${STATIC_FILES}/`);
}

/** The guards of services and documentation, from the configured map and the open adapters. */
export class Guards {
  readonly #adapters: ReadonlyMap<string, OpenAdapter>;
  readonly #map: AdapterMap;
  readonly #where: (key: string) => string;
  readonly #isDefault: (key: string) => boolean;
  readonly #guards: ReadonlyMap<string, Guard | undefined>;

  /**
   * @param where locates an entry of the map, for messages
   * @param isDefault whether an entry comes from the defaults of a module only
   */
  constructor(
    adapters: ReadonlyMap<string, OpenAdapter>,
    map: AdapterMap,
    where: (key: string) => string,
    isDefault: (key: string) => boolean = () => false,
  ) {
    this.#adapters = adapters;
    this.#map = map;
    this.#where = where;
    this.#isDefault = isDefault;
    for (const [key, names] of Object.entries(map)) this.#assertAdapters(key, listOf(names));
    this.#guards = new Map(Object.entries(map).map(([key, names]) => [key, this.#guardOf(listOf(names))]));
  }

  /** The guard of a service, from its most specific entry. */
  of({ api, version, service }: GuardedService): Guard | undefined {
    return this.#first([
      `${api}-v${version}/${service}`,
      `${api}/${service}`,
      `${api}-v${version}`,
      api,
      '*',
    ]);
  }

  /** The guard of an API's documentation: that of the API, otherwise that of the list of APIs. */
  ofApi(api: string, version: number): Guard | undefined {
    return this.#first([`${api}-v${version}`, api, '*', DOCUMENTATION]);
  }

  /**
   * The guard of the documentation of an API that is hidden from guests: that of the list, as for names that do not
   * exist, since another challenge would reveal the API. An API that a module maps by default, such as the admin, has a
   * public name, and keeps its own guard.
   */
  ofHiddenApi(api: string, version: number): Guard | undefined {
    return this.#isMappedByDefault(api) ? this.ofApi(api, version) : this.ofDocumentation();
  }

  /** The guard of a service's documentation: its own, otherwise that of its API. */
  ofServiceDocumentation({ api, version, service }: GuardedService): Guard | undefined {
    return (
      this.#guards.get(`${api}-v${version}/${service}`) ??
      this.#guards.get(`${api}/${service}`) ??
      this.ofApi(api, version)
    );
  }

  /** The guard of the list of APIs. */
  ofDocumentation(): Guard | undefined {
    return this.#first([DOCUMENTATION]);
  }

  /** The guard of a folder of static files. @param path at which it is served, such as `/app` */
  ofStaticFiles(path: string): Guard | undefined {
    return this.#first([STATIC_FILES + path, STATIC_FILES, '*']);
  }

  #isMappedByDefault(api: string): boolean {
    return this.#guards.has(api) && this.#isDefault(api);
  }

  /**
   * @param services all hosted services
   * @throws ConfigurationError for an entry of the map that names nothing hosted
   */
  assertKnown(services: readonly GuardedService[]): void {
    const known = new Set<string>(['*', DOCUMENTATION]);
    for (const { api, version, service } of services) {
      for (const key of [api, `${api}-v${version}`, `${api}/${service}`, `${api}-v${version}/${service}`])
        known.add(key);
    }
    for (const key of Object.keys(this.#map)) {
      // A module may map an API that its settings have disabled.
      if (known.has(key) || isStaticFilesKey(key) || this.#isDefault(key)) continue;
      const apis = [...new Set(services.flatMap(({ api, version }) => [api, `${api}-v${version}`]))];
      throw new ConfigurationError(
        `${this.#where(key)}: API, version or service "${key}" does not exist.${didYouMean(key, known)} Available: ${listNames(apis)}. Write a service as "Api-v1/Service".`,
      );
    }
  }

  /** An open adapter by its name, mapped or not. */
  adapter(name: string): OpenAdapter | undefined {
    return this.#adapters.get(name);
  }

  #first(keys: readonly string[]): Guard | undefined {
    for (const key of keys) {
      const guard = this.#guards.get(key);
      if (guard !== undefined || this.#guards.has(key)) return guard;
    }
    return undefined;
  }

  /** An entry without adapters disables authentication, whatever a less specific entry says. */
  #guardOf(names: readonly string[]): Guard | undefined {
    const open = [...new Set(names)].flatMap((name) => this.#adapters.get(name) ?? []);
    if (open.length === 0) return undefined;
    return new Guard(
      open.map(({ adapter }) => adapter),
      open.map(({ description }) => description),
    );
  }

  #assertAdapters(key: string, names: readonly string[]): void {
    for (const name of names) {
      if (this.#adapters.has(name)) continue;
      const known = [...this.#adapters.keys()].join(', ') || 'none';
      throw new ConfigurationError(
        `${this.#where(key)}: adapter "${name}" does not exist. Available: ${known}.`,
      );
    }
    const schemes = new Set(names.flatMap((name) => this.#adapters.get(name)?.description.schemes ?? []));
    const allowed = names.some((name) => this.#adapters.get(name)?.allowsDowngrade === true);
    if (names.length > 1 && schemes.has('basic') && schemes.has('digest') && !allowed) {
      throw new ConfigurationError(
        `${this.#where(key)}: Basic together with Digest lets clients choose the weaker scheme. Map one of them, or set "allow_downgrade": true in one of the adapters.`,
      );
    }
  }
}

function listOf(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names;
}
