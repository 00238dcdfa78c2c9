import { closestMatch, problem, type RenderSteps } from '../../framework';
import type { Catalogue } from '../hosting';
import type { Guard, Guards, Identity } from '../mvc-auth';
import { Comparison } from './compare/comparison';
import { ApiContent, ServiceContent, type ApiListContent } from './content';
import type { Api } from './model/api';
import { Service } from './model/service';
import { visibleApis, type Audience, type VisibleApis } from './build/visible-apis';

/** What of the documentation is asked for. */
export interface Scope {
  readonly api?: string | undefined;
  /** The default where none is given. */
  readonly version?: string | undefined;
  readonly service?: string | undefined;
  /** A version to compare with. */
  readonly compare?: string | undefined;
}

/** What there is to show; a comparison is made when it is shown. */
export type Found = ApiListContent | ApiContent | ServiceContent | Comparison;

/** The documentation of everything that is hosted, made once when the application is built. */
export class Documentation {
  readonly #told: Readonly<Record<Audience, VisibleApis>>;
  readonly #guards: Guards;
  /** Each made when it is first asked for: what is shown of it is kept with it. */
  readonly #comparisons = new WeakMap<Api, Map<Api, Map<string | undefined, Comparison>>>();
  /** One for each API and service, for the same reason. */
  readonly #contents = new WeakMap<Api | Service, ApiContent | ServiceContent>();

  /** In steps: an application is built while another one answers. */
  static *build(catalogue: Catalogue, guards: Guards, baseUrl: string): RenderSteps<Documentation> {
    return new Documentation(yield* visibleApis(catalogue, baseUrl), guards);
  }

  constructor(told: Readonly<Record<Audience, VisibleApis>>, guards: Guards) {
    this.#told = told;
    this.#guards = guards;
  }

  /** The guard of the list of APIs, and of what is not documented. */
  get guard(): Guard | undefined {
    return this.#guards.ofDocumentation();
  }

  /**
   * What guests are not told of: `api` for a name that they know no API by; `service` for a name that they know no
   * service by, where a version that is asked for hides any. Whether there is one of that name makes no difference, so
   * that nobody finds out what is hidden by asking for it.
   */
  withheld({ api: name, version, service, compare }: Scope): 'api' | 'service' | undefined {
    if (name === undefined) return undefined;
    if (this.#told.guests.version(name) === undefined) return 'api';
    if (service === undefined) return undefined;
    const asked = compare === undefined ? [version] : [version, compare];
    return asked.some((one) => this.#withholds(name, one, service)) ? 'service' : undefined;
  }

  #withholds(name: string, version: string | undefined, service: string): boolean {
    const forUsers = this.#told.users.version(name, numberOf(version));
    const forGuests = this.#told.guests.version(name, numberOf(version));
    return forUsers !== forGuests && forGuests?.getService(service) === undefined;
  }

  /**
   * The guard of the documentation of an API, or of a service, whether that exists or not.
   * @param isSecret whether the guard may not tell that there is a service: then it is that of its API
   */
  guardOf({ api: name, version, service }: Scope, isSecret = false): Guard | undefined {
    const { users, guests } = this.#told;
    if (name === undefined) return this.guard;
    const api = users.version(name, numberOf(version)) ?? users.version(name);
    if (api === undefined) return this.guard;
    if (guests.version(name) === undefined) return this.#guards.ofHiddenApi(name, api.getVersion());
    const found = service === undefined ? undefined : api.getService(service);
    const at = { api: name, version: api.getVersion() };
    return found === undefined || isSecret
      ? this.#guards.ofApi(at.api, at.version)
      : this.#guards.ofServiceDocumentation({ ...at, service: found.getName() });
  }

  /** The list of APIs as guests, or users, are told it. */
  listFor({ isGuest }: Pick<Identity, 'isGuest'>): ApiListContent {
    return this.#told[isGuest ? 'guests' : 'users'].list;
  }

  /** The versions of an API; none for an unknown one. */
  versionsOf(name: string): readonly number[] {
    return this.#told.users.version(name)?.getVersions() ?? [];
  }

  /**
   * Whether a version of an API has a service of a name.
   * @param page where that is told: what guests read too tells of what they are told of
   */
  hasService(name: string, version: number, service: string, page?: Api | Service): boolean {
    const { users, guests } = this.#told;
    const told = page !== undefined && users.has(page) && !guests.has(page) ? users : guests;
    return told.version(name, version)?.getService(service) !== undefined;
  }

  /** @throws Problem 404 that names what exists, 400 for a comparison of everything */
  find({ api: name, version, service: serviceName, compare }: Scope, audience: Audience): Found {
    const told = this.#told[audience];
    if (name === undefined) {
      if (compare !== undefined) {
        const hint =
          'Versions of one API are compared: name it in the path, <api>?compare=<version>, or leave compare out.';
        throw problem('bad_query', { names: ['compare'], hint });
      }
      return told.list;
    }
    const api = this.#version(told, name, version);
    const service = serviceName === undefined ? undefined : serviceOf(api, serviceName);
    if (compare !== undefined) return this.#comparison(told, compare, api, serviceName);
    return this.#contentOf(service ?? api);
  }

  #contentOf(shown: Api | Service): ApiContent | ServiceContent {
    const known = this.#contents.get(shown);
    if (known !== undefined) return known;
    const content = shown instanceof Service ? new ServiceContent(shown) : new ApiContent(shown);
    this.#contents.set(shown, content);
    return content;
  }

  #comparison(told: VisibleApis, compare: string, api: Api, service: string | undefined): Comparison {
    if (!/^\d{1,9}$/.test(compare)) {
      const versions = told.versionsOf(api.getName()).map((one) => one.getVersion());
      const hint = `compare must be a version number. Available: ${versions.join(', ')}.`;
      throw problem('bad_query', { names: ['compare'], hint });
    }
    const before = this.#version(told, api.getName(), compare);
    const isForGuests = told === this.#told.guests;
    if (isForGuests && service !== undefined && this.#withholds(api.getName(), compare, service)) {
      serviceOf(before, service);
    }
    const hidden = isForGuests ? [...this.#hiddenIn(before), ...this.#hiddenIn(api)] : [];
    // By the objects themselves: those of two audiences are not the same.
    const withApi = this.#comparisons.get(api) ?? new Map<Api, Map<string | undefined, Comparison>>();
    const ofBoth = withApi.get(before) ?? new Map<string | undefined, Comparison>();
    const comparison =
      ofBoth.get(service) ?? new Comparison(before, api, { service, except: new Set(hidden) });
    this.#comparisons.set(api, withApi.set(before, ofBoth.set(service, comparison)));
    return comparison;
  }

  /** The services of a version that guests are not told of. */
  #hiddenIn(api: Api): readonly string[] {
    const forUsers = this.#told.users.version(api.getName(), api.getVersion());
    const names = forUsers?.getServices().map((service) => service.getName()) ?? [];
    return names.filter((name) => api.getService(name) === undefined);
  }

  #version(told: VisibleApis, name: string, version: string | undefined): Api {
    const api = told.version(name, numberOf(version));
    if (api !== undefined) return api;
    const versions = told.versionsOf(name).map((one) => one.getVersion());
    const apis = this.#told.guests.names;
    if (versions.length === 0) {
      throw problem(
        'documented_api_not_found',
        { api: name, apis },
        { extensions: { apis, ...meant(name, apis) } },
      );
    }
    throw problem(
      'version_not_found',
      { api: name, version: Number(version), versions },
      { extensions: { api: name, versions } },
    );
  }
}

function numberOf(version: string | undefined): number | undefined {
  return version === undefined ? undefined : Number(version);
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
  const near = closestMatch(name, known);
  return near === undefined ? {} : { did_you_mean: near };
}
