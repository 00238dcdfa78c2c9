import { nearest, problem } from '../../framework';
import type { Catalogue } from '../hosting';
import type { Guard, Guards, Identity } from '../mvc-auth';
import { ApiContent, ApiListContent, ServiceContent, type DocumentationContent } from './content';
import { documentVersion } from './from-catalogue';
import type { Api } from './model/api';

/** What of the documentation is asked for. */
export interface Scope {
  readonly api?: string | undefined;
  /** The default where none is given. */
  readonly version?: string | undefined;
  readonly service?: string | undefined;
}

/** Something to show, and whose credentials are taken for it. */
export interface Found {
  readonly content: DocumentationContent;
  readonly guard: Guard | undefined;
}

/** The documentation of everything that is hosted, made once when the application is built. */
export class Documentation {
  readonly #list: ApiListContent;
  readonly #publicList: ApiListContent;
  readonly #hidden: ReadonlySet<string>;
  readonly #apis: ReadonlyMap<string, readonly Api[]>;
  readonly #guards: Guards;

  constructor(catalogue: Catalogue, guards: Guards, baseUrl: string) {
    this.#guards = guards;
    this.#apis = new Map(
      catalogue.apis.map((api) => [
        api.name,
        api.versions.map((version) => documentVersion(api, version, baseUrl)),
      ]),
    );
    this.#hidden = new Set(
      catalogue.apis.flatMap(({ name, visibility }) => (visibility === 'public' ? [] : [name])),
    );
    const all = [...this.#apis.values()].flat();
    this.#list = new ApiListContent(all);
    this.#publicList = new ApiListContent(all.filter((api) => !this.#hidden.has(api.getName())));
  }

  /** The guard of the list of APIs, and of what is not documented. */
  get guard(): Guard | undefined {
    return this.#guards.ofDocumentation();
  }

  /** Whether guests are told nothing of an API. */
  isHidden(name: string | undefined): boolean {
    return name !== undefined && this.#hidden.has(name);
  }

  /** The guard of an API's documentation, whatever of it is asked for. */
  guardOf(name: string | undefined): Guard | undefined {
    const api = name === undefined ? undefined : this.#apis.get(name)?.[0];
    return api === undefined ? this.guard : this.#guards.ofApi(api.getName(), api.getDefaultVersion());
  }

  /** The list of APIs as guests, or users, are told it. */
  listFor({ isGuest }: Identity): ApiListContent {
    return isGuest ? this.#publicList : this.#list;
  }

  /** The versions of an API; none for an unknown one. */
  versionsOf(name: string): readonly number[] {
    return this.#apis.get(name)?.[0]?.getVersions() ?? [];
  }

  /** @throws Problem 404 that names what exists */
  find({ api: name, version, service: serviceName }: Scope): Found {
    if (name === undefined) return { content: this.#publicList, guard: this.guard };
    const api = this.#version(name, version);
    const guard = this.#guards.ofApi(name, api.getVersion());
    if (serviceName === undefined) return { content: new ApiContent(api), guard };
    const service = api.getService(serviceName);
    if (service !== undefined) return { content: new ServiceContent(service), guard };
    const services = api.getServices().map((one) => one.getName());
    const args = { api: `${name}-v${api.getVersion()}`, service: serviceName, services };
    throw problem('documented_service_not_found', args, {
      extensions: { api: name, version: api.getVersion(), services, ...meant(serviceName, services) },
    });
  }

  #version(name: string, version: string | undefined): Api {
    const versions = this.#apis.get(name);
    const apis = [...this.#apis.keys()].filter((one) => !this.#hidden.has(one));
    if (versions === undefined) {
      throw problem(
        'documented_api_not_found',
        { api: name, apis },
        { extensions: { apis, ...meant(name, apis) } },
      );
    }
    const wanted = version === undefined ? versions[0]?.getDefaultVersion() : Number(version);
    const api = versions.find((one) => one.getVersion() === wanted);
    if (api !== undefined) return api;
    const known = this.versionsOf(name);
    throw problem(
      'version_not_found',
      { api: name, version: Number(version), versions: known },
      { extensions: { api: name, versions: known } },
    );
  }
}

function meant(name: string, known: readonly string[]): { readonly did_you_mean?: string } {
  const near = nearest(name, known);
  return near === undefined ? {} : { did_you_mean: near };
}
