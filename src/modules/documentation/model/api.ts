import { immutable } from '../../../framework';
import type { AdapterData, ApiData, ContactData, LicenseData, SharedSchemaData } from './data';
import { Service, type DeferredService, type ServiceJson } from './service';

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

/**
 * One version of an API (specification 2.2).
 *
 * @example
 * const api = new Api(data);
 * api.getServices().map((service) => service.getName()); // ['Country', 'Distance']
 * JSON.stringify(api); // the documentation, serialized
 */
export class Api {
  readonly #data: ApiData;
  readonly #services: readonly Service[];

  /** @param deferred services in place of those of the data, built on first use */
  constructor(data: ApiData, deferred?: readonly DeferredService[]) {
    this.#data = immutable(data);
    const services = deferred ?? this.#data.services;
    this.#services = Object.freeze(services.map((service) => new Service(service, this)));
    Object.freeze(this);
  }

  getName(): string {
    return this.#data.name;
  }

  /** The version that this object describes. */
  getVersion(): number {
    return this.#data.version;
  }

  getDescription(): string {
    return this.#data.description;
  }

  getServices(): readonly Service[] {
    return this.#services;
  }

  /** Returns undefined for an unknown name. */
  getService(name: string): Service | undefined {
    return this.#services.find((service) => service.getName() === name);
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
    return this.#data.versions;
  }

  /** The version for requests without one. */
  getDefaultVersion(): number {
    return this.#data.defaultVersion;
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
    return { name: this.#data.name, versions: this.#data.versions };
  }

  toJSON(): ApiJson {
    return { ...this.toPartialJson(), services: this.#services.map((service) => service.toJSON()) };
  }

  /**
   * Returns its JSON with services that are not converted yet.
   * @internal
   */
  toPartialJson(): Omit<ApiJson, 'services'> & { readonly services: readonly Service[] } {
    const { name, version, description } = this.#data;
    return { name, version, description, services: this.#services };
  }
}
