import { StartError } from '../../framework';
import type { OpenAdapter } from './adapter-factory';
import { Guard } from './guard';

/** What a guard is asked for: a service of a version of an API. */
export interface GuardedService {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/** The key under which the documentation is guarded. */
export const DOCUMENTATION = '@documentation';

type AdapterMap = Readonly<Record<string, string | readonly string[]>>;

/** Which adapters guard what: the configured map over the adapters that are open. */
export class Guards {
  readonly #adapters: ReadonlyMap<string, OpenAdapter>;
  readonly #map: AdapterMap;
  readonly #where: (key: string) => string;
  readonly #isDefault: (key: string) => boolean;
  /** Made once for each entry: documentation asks for them at every request. */
  readonly #guards: ReadonlyMap<string, Guard | undefined>;

  /**
   * @param where the place of an entry of the map, for messages
   * @param isDefault whether a module's defaults alone say an entry
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

  /** The guard of a service, by the most specific entry; undefined where none is mapped. */
  of({ api, version, service }: GuardedService): Guard | undefined {
    return this.#first([
      `${api}-v${version}/${service}`,
      `${api}/${service}`,
      `${api}-v${version}`,
      api,
      '*',
    ]);
  }

  /** The guard of an API's documentation: that of the API, or of the list where the API has none. */
  ofApi(api: string, version: number): Guard | undefined {
    return this.#first([`${api}-v${version}`, api, '*', DOCUMENTATION]);
  }

  /** The guard of a service's documentation: its own, or that of its API where it has none. */
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

  /** Whether an API has an adapter by a module's defaults alone. */
  isMappedByDefault(api: string): boolean {
    return this.#guards.has(api) && this.#isDefault(api);
  }

  /**
   * @param services every service that is hosted
   * @throws StartError for an entry of the map that is about nothing that exists
   */
  assertKnown(services: readonly GuardedService[]): void {
    const known = new Set<string>(['*', DOCUMENTATION]);
    for (const { api, version, service } of services) {
      for (const key of [api, `${api}-v${version}`, `${api}/${service}`, `${api}-v${version}/${service}`])
        known.add(key);
    }
    for (const key of Object.keys(this.#map)) {
      // A module maps an API that its settings may have switched off.
      if (known.has(key) || this.#isDefault(key)) continue;
      const apis = [...new Set(services.flatMap(({ api, version }) => [api, `${api}-v${version}`]))].join(
        ', ',
      );
      throw new StartError(
        `${this.#where(key)}: no API, version or service is called "${key}". There is: ${apis || 'none'}; a service is written "Api-v1/Service".`,
      );
    }
  }

  /** The open adapter of a name, mapped or not. */
  adapter(name: string): OpenAdapter | undefined {
    return this.#adapters.get(name);
  }

  #first(keys: readonly string[]): Guard | undefined {
    const key = keys.find((one) => this.#guards.has(one));
    return key === undefined ? undefined : this.#guards.get(key);
  }

  /** An entry that names no adapter says that there is none, whatever a less specific one says. */
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
      const known = [...this.#adapters.keys()].join(', ') || 'none is configured';
      throw new StartError(`${this.#where(key)}: there is no adapter "${name}". There is: ${known}.`);
    }
    const schemes = new Set(names.flatMap((name) => this.#adapters.get(name)?.description.schemes ?? []));
    const allowed = names.some((name) => this.#adapters.get(name)?.allowsDowngrade === true);
    if (names.length > 1 && schemes.has('basic') && schemes.has('digest') && !allowed) {
      throw new StartError(
        `${this.#where(key)}: Basic beside Digest lets clients choose the weaker one. Map one of them, or give one of the adapters "allow_downgrade": true.`,
      );
    }
  }
}

function listOf(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names;
}
