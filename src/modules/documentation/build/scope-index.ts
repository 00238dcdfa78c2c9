import { closestMatch, MAX_NAMES, problem, Problem } from '../../../framework';
import { parseVersionNumber } from '../../hosting';
import { Changelog } from '../changelog/changelog';
import { Comparison } from '../compare/comparison';
import type { ApiContent, ApiListContent, ServiceContent } from '../content';
import type { Api } from '../model/api';
import type { Audience, DocumentedVersion, VisibleApis } from './visible-apis';

/** The requested part of the documentation. */
export interface Scope {
  readonly api?: string | undefined;
  /** Defaults to the default version. */
  readonly version?: string | undefined;
  readonly service?: string | undefined;
  /** A version to compare with. */
  readonly compare?: string | undefined;
  /** The page of an API with very many operations; defaults to 1. */
  readonly page?: string | undefined;
  /** Whether the changelog of the API is requested. */
  readonly isChangelog?: boolean;
}

/** The content of a scope. Comparisons and changelogs are computed when they are rendered. */
export type Found = ApiListContent | ApiContent | ServiceContent | Comparison | Changelog;

/** Finds the content of scopes among the APIs that guests and users see. */
export class ScopeIndex {
  readonly #visible: Readonly<Record<Audience, VisibleApis>>;
  /** Computed on first request and cached, with their rendered content. */
  readonly #comparisons = new WeakMap<DocumentedVersion, Map<DocumentedVersion, Comparisons>>();
  /** The names of the APIs of which guests and users see the same. */
  readonly #shared: ReadonlySet<string>;

  /** Composed on first request and cached. */
  readonly #changelogs = new Map<VisibleApis, Map<string, Changelog>>();

  constructor(visible: Readonly<Record<Audience, VisibleApis>>) {
    this.#visible = visible;
    const { guests, users } = visible;
    this.#shared = new Set(
      users.names.filter((name) => isSame(guests.versionsOf(name), users.versionsOf(name))),
    );
  }

  /**
   * Returns what an audience sees, or the Problem it gets: 404 for an API, a version or a service, 400 for `compare` and
   * `page`.
   */
  find(scope: Scope, audience: Audience): Found | Problem {
    try {
      return this.#find(scope, this.#visible[audience]);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  #find(scope: Scope, visible: VisibleApis): Found {
    if (scope.isChangelog === true) return this.#changelog(scope, visible);
    const { api: name, version, service, compare, page } = scope;
    if (name === undefined) {
      if (compare === undefined) return visible.list;
      const hint =
        'Only versions of one API can be compared. Name the API in the path, <api>?compare=<version>, or omit compare.';
      throw problem('bad_query', { names: ['compare'], hint });
    }
    const found = this.#version(visible, name, version);
    const content = service === undefined ? pageOf(found, page) : serviceOf(found, service);
    return compare === undefined ? content : this.#comparison(visible, compare, found, service);
  }

  #changelog({ api: name, version, service, compare }: Scope, visible: VisibleApis): Changelog {
    if (name === undefined || service !== undefined || compare !== undefined) {
      const hint = 'An API has a changelog: <api>?changelog, without a service and without compare.';
      throw problem('bad_query', { names: ['changelog'], hint });
    }
    this.#version(visible, name, version);
    const ofAudience = this.#changelogs.get(visible) ?? new Map<string, Changelog>();
    const versions = visible.versionsOf(name);
    const changelog =
      ofAudience.get(name) ??
      new Changelog(
        versions.map((one, at) => {
          const before = versions[at - 1]?.api.getVersion();
          const comparison =
            before === undefined ? undefined : this.#comparison(visible, String(before), one, undefined);
          return { api: one.api, comparison };
        }),
      );
    this.#changelogs.set(visible, ofAudience.set(name, changelog));
    return changelog;
  }

  /** Whether guests and users see the same of an API. */
  isShared({ api: name }: Scope): boolean {
    return name !== undefined && this.#shared.has(name);
  }

  #sharesVersion(name: string, version: string | undefined): boolean {
    const { guests, users } = this.#visible;
    return guests.version(name, numberOf(version)) === users.version(name, numberOf(version));
  }

  /**
   * Returns what may be hidden from guests: `api` for a name without an API that they see, `service` for a name without a
   * service that they see in a version that hides services. The result does not depend on whether the name exists, so
   * that guests cannot probe for hidden names.
   */
  withheld({ api: name, version, service, compare }: Scope): 'api' | 'service' | undefined {
    if (name === undefined) return undefined;
    if (this.#visible.guests.version(name) === undefined) return 'api';
    if (service === undefined) return undefined;
    const versions = compare === undefined ? [version] : [version, compare];
    return versions.some((one) => this.#withholds(name, one, service)) ? 'service' : undefined;
  }

  #withholds(name: string, version: string | undefined, service: string): boolean {
    if (this.#sharesVersion(name, version)) return false;
    return this.#visible.guests.version(name, numberOf(version))?.service(service) === undefined;
  }

  #comparison(
    visible: VisibleApis,
    compare: string,
    found: DocumentedVersion,
    service: string | undefined,
  ): Comparison {
    const { api } = found;
    const name = api.getName();
    if (parseVersionNumber(compare) === undefined) {
      const hint = `compare must be a version number. Available: ${numbersOf(visible, name).join(', ')}.`;
      throw problem('bad_query', { names: ['compare'], hint });
    }
    const before = this.#version(visible, name, compare);
    const isForGuests = visible === this.#visible.guests;
    if (isForGuests && service !== undefined && this.#withholds(name, compare, service))
      serviceOf(before, service);
    const hidden = isForGuests ? [...this.#hiddenIn(before.api), ...this.#hiddenIn(api)] : [];
    // Keyed by object, because guests and users see different objects of the same API.
    const withFound = this.#comparisons.get(found) ?? new Map<DocumentedVersion, Comparisons>();
    const ofBoth: Comparisons = withFound.get(before) ?? new Map<string | undefined, Comparison>();
    const comparison =
      ofBoth.get(service) ?? new Comparison(before.api, api, { service, except: new Set(hidden) });
    this.#comparisons.set(found, withFound.set(before, ofBoth.set(service, comparison)));
    return comparison;
  }

  /** Returns the services of a version that are hidden from guests. */
  #hiddenIn(api: Api): readonly string[] {
    const forUsers = this.#visible.users.version(api.getName(), api.getVersion())?.api;
    const names = forUsers?.getServices().map((service) => service.getName()) ?? [];
    return names.filter((name) => api.getService(name) === undefined);
  }

  #version(visible: VisibleApis, name: string, version: string | undefined): DocumentedVersion {
    const found = visible.version(name, numberOf(version));
    if (found !== undefined) return found;
    const versions = numbersOf(visible, name);
    const apis = this.#visible.guests.names;
    if (versions.length === 0) {
      throw problem(
        'documented_api_not_found',
        { api: name, apis },
        { extensions: { apis: apis.slice(0, MAX_NAMES), ...suggestion(name, apis) } },
      );
    }
    throw problem(
      'version_not_found',
      { api: name, version: Number(version), versions },
      { extensions: { api: name, versions } },
    );
  }
}

function isSame(one: readonly DocumentedVersion[], other: readonly DocumentedVersion[]): boolean {
  return one.length === other.length && one.every((version, at) => version === other[at]);
}

/** By service; undefined for the whole API. */
type Comparisons = Map<string | undefined, Comparison>;

function numbersOf(visible: VisibleApis, name: string): readonly number[] {
  return visible.versionsOf(name).map(({ api }) => api.getVersion());
}

export function numberOf(version: string | undefined): number | undefined {
  return version === undefined ? undefined : Number(version);
}

function pageOf(version: DocumentedVersion, page: string | undefined): ApiContent {
  if (page === undefined) return version.content;
  const found = /^\d{1,9}$/.test(page) ? version.page(Number(page)) : undefined;
  if (found !== undefined) return found;
  throw problem('bad_query', { names: ['page'], hint: `page must be a number from 1 to ${version.pages}.` });
}

function serviceOf(version: DocumentedVersion, name: string): ServiceContent {
  const content = version.service(name);
  if (content !== undefined) return content;
  const { api } = version;
  const services = api.getServices().map((one) => one.getName());
  const args = { api: `${api.getName()}-v${api.getVersion()}`, service: name, services };
  throw problem('documented_service_not_found', args, {
    extensions: {
      api: api.getName(),
      version: api.getVersion(),
      services: services.slice(0, MAX_NAMES),
      ...suggestion(name, services),
    },
  });
}

function suggestion(name: string, known: readonly string[]): { readonly did_you_mean?: string } {
  const near = closestMatch(name, known);
  return near === undefined ? {} : { did_you_mean: near };
}
