import { immutable, lazily } from '../../../framework';
import type { AdapterData, ApiData, ContactData, LicenseData, SharedSchemaData } from './data';
import type { DeferredService } from './deferred-service';
import { Service } from './service';
import type { ServiceJson } from './service-json';

/** The JSON of an API. */
export interface ApiJson {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly services: readonly ServiceJson[];
}

/** An entry of the list of APIs (specification 2.1). */
export interface ApiListEntry {
  readonly name: string;
  readonly versions: readonly number[];
}

/** A version of an API of which all but its names and numbers is built on first use. */
export interface DeferredApi extends Pick<ApiData, 'name' | 'version' | 'versions' | 'defaultVersion'> {
  readonly build: () => { readonly data: ApiData; readonly services: readonly DeferredService[] };
}

/**
 * One version of an API (specification 2.2).
 *
 * @example
 * const api = new Api(data);
 * api.getServices().map((service) => service.getName()); // ['Country', 'Distance']
 * JSON.stringify(api); // the documentation, serialized
 */
export class Api {
  readonly #entry: Omit<DeferredApi, 'build'>;
  readonly #parts: () => { readonly data: ApiData; readonly services: readonly Service[] };

  /** @param deferred services in place of those of the data, built on first use */
  constructor(api: ApiData | DeferredApi, deferred?: readonly DeferredService[]) {
    const isDeferred = 'build' in api;
    this.#entry = isDeferred ? api : immutable(api);
    this.#parts = lazily(() => {
      const { data, services } = isDeferred ? api.build() : { data: api, services: deferred ?? api.services };
      return {
        data: immutable(data),
        services: Object.freeze(services.map((service) => new Service(service, this))),
      };
    });
    if (!isDeferred) this.#parts();
    Object.freeze(this);
  }

  get #data(): ApiData {
    return this.#parts().data;
  }

  getName(): string {
    return this.#entry.name;
  }

  /** The version that this object describes. */
  getVersion(): number {
    return this.#entry.version;
  }

  getDescription(): string {
    return this.#data.description;
  }

  getServices(): readonly Service[] {
    return this.#parts().services;
  }

  /** Returns undefined for an unknown name. */
  getService(name: string): Service | undefined {
    return this.getServices().find((service) => service.getName() === name);
  }

  /** The schemas that operations share. */
  getSchemas(): readonly SharedSchemaData[] {
    return this.#data.schemas ?? [];
  }

  /** The authentication adapters of the API. */
  getAdapters(): readonly AdapterData[] {
    return this.#data.adapters;
  }

  /** The path before every route, e.g. `/api`; may be empty. */
  getBaseUrl(): string {
    return this.#data.baseUrl;
  }

  /** The origin that clients use, such as `https://api.example.com`; empty if it is not configured. */
  getPublicUrl(): string {
    return this.#data.publicUrl ?? '';
  }

  /** The path of this version below the base URL, e.g. `/v2` or `/shop/v2`. */
  getVersionPath(): string {
    return `${this.#data.basePath ?? ''}/v${this.#data.version}`;
  }

  /** Every version of this API, this one included. */
  getVersions(): readonly number[] {
    return this.#entry.versions;
  }

  /** The version for requests without one. */
  getDefaultVersion(): number {
    return this.#entry.defaultVersion;
  }

  /** The day of its release, `2026-12-31`. */
  getReleaseDate(): string | null {
    return this.#data.releaseDate ?? null;
  }

  /** What this version changes for clients, as CommonMark; may be empty. */
  getReleaseNotes(): string {
    return this.#data.releaseNotes ?? '';
  }

  getLicense(): LicenseData | null {
    return this.#data.license ?? null;
  }

  getContact(): ContactData | null {
    return this.#data.contact ?? null;
  }

  /** Its entry in the list of APIs. */
  toListEntry(): ApiListEntry {
    return { name: this.#entry.name, versions: this.#entry.versions };
  }

  toJSON(): ApiJson {
    const { name, version, description } = this.#data;
    return { name, version, description, services: this.getServices().map((service) => service.toJSON()) };
  }

  /**
   * Returns its JSON with services that are built and converted when they are written.
   * @internal
   */
  toPartialJson(): Omit<ApiJson, 'services'> & { readonly services: readonly { toJSON(): ServiceJson }[] } {
    const { name, version, description } = this.#data;
    return { name, version, description, services: this.getServices().map((one) => one.toLazyJson()) };
  }
}
