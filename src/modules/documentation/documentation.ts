import { nearest, problem } from '../../framework';
import type { Catalogue } from '../hosting';
import type { Guard, Guards, Identity } from '../mvc-auth';
import { ComparisonContent } from './compare/comparison-content';
import { ApiContent, ApiListContent, ServiceContent, type DocumentationContent } from './content';
import { documentVersion } from './from-catalogue';
import type { Api } from './model/api';
import { Service } from './model/service';

/** What of the documentation is asked for. */
export interface Scope {
  readonly api?: string | undefined;
  /** The default where none is given. */
  readonly version?: string | undefined;
  readonly service?: string | undefined;
  /** A version to compare with. */
  readonly compare?: string | undefined;
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
  /** Each made when it is first asked for: what is shown of it is kept with it. */
  readonly #comparisons = new Map<string, ComparisonContent>();
  /** One for each API and service, for the same reason. */
  readonly #contents = new WeakMap<Api | Service, ApiContent | ServiceContent>();

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
  listFor({ isGuest }: Pick<Identity, 'isGuest'>): ApiListContent {
    return isGuest ? this.#publicList : this.#list;
  }

  /** The versions of an API; none for an unknown one. */
  versionsOf(name: string): readonly number[] {
    return this.#apis.get(name)?.[0]?.getVersions() ?? [];
  }

  /** Whether a version of an API has a service of a name. */
  hasService(name: string, version: number, service: string): boolean {
    return (
      this.#apis
        .get(name)
        ?.find((api) => api.getVersion() === version)
        ?.getService(service) !== undefined
    );
  }

  /** @throws Problem 404 that names what exists, 400 for a comparison of everything */
  find({ api: name, version, service: serviceName, compare }: Scope): Found {
    if (name === undefined) {
      if (compare !== undefined) throw problem('bad_query', { names: ['compare'] });
      return { content: this.#publicList, guard: this.guard };
    }
    const api = this.#version(name, version);
    const guard = this.#guards.ofApi(name, api.getVersion());
    const service = serviceName === undefined ? undefined : serviceOf(api, serviceName);
    if (compare !== undefined) return { content: this.#comparison(compare, api, serviceName), guard };
    return { content: this.#contentOf(service ?? api), guard };
  }

  #contentOf(shown: Api | Service): ApiContent | ServiceContent {
    const known = this.#contents.get(shown);
    if (known !== undefined) return known;
    const content = shown instanceof Service ? new ServiceContent(shown) : new ApiContent(shown);
    this.#contents.set(shown, content);
    return content;
  }

  #comparison(compare: string, api: Api, service: string | undefined): ComparisonContent {
    if (!/^\d{1,9}$/.test(compare)) throw problem('bad_query', { names: ['compare'] });
    const before = this.#version(api.getName(), compare);
    const key = JSON.stringify([api.getName(), before.getVersion(), api.getVersion(), service]);
    const known = this.#comparisons.get(key) ?? new ComparisonContent(before, api, service);
    this.#comparisons.set(key, known);
    return known;
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

function serviceOf(api: Api, name: string): Service {
  const service = api.getService(name);
  if (service !== undefined) return service;
  const services = api.getServices().map((one) => one.getName());
  const args = { api: `${api.getName()}-v${api.getVersion()}`, service: name, services };
  throw problem('documented_service_not_found', args, {
    extensions: { api: api.getName(), version: api.getVersion(), services, ...meant(name, services) },
  });
}

function meant(name: string, known: readonly string[]): { readonly did_you_mean?: string } {
  const near = nearest(name, known);
  return near === undefined ? {} : { did_you_mean: near };
}
