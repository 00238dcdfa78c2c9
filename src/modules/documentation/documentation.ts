import { closestMatch, problem, Problem, type RenderSteps, type Request } from '../../framework';
import type { Catalogue } from '../hosting';
import { Guard, requiresUser, type AccessRule, type Guards, type Identity } from '../mvc-auth';
import type { Addresses } from './build/from-catalogue';
import { visibleApis, type Audience, type DocumentedVersion, type VisibleApis } from './build/visible-apis';
import { Comparison } from './compare/comparison';
import type { ApiContent, ApiListContent, ServiceContent } from './content';
import type { Api } from './model/api';
import type { Service } from './model/service';

/** The requested part of the documentation. */
export interface Scope {
  readonly api?: string | undefined;
  /** Defaults to the default version. */
  readonly version?: string | undefined;
  readonly service?: string | undefined;
  /** A version to compare with. */
  readonly compare?: string | undefined;
}

/** The content of a scope. A comparison is computed when it is rendered. */
export type Found = ApiListContent | ApiContent | ServiceContent | Comparison;

/** The content of a scope for guests and users, resolved before authentication. */
export interface Resolution {
  /** The adapters that authenticate the request. */
  readonly guard: Guard | undefined;
  /** Who may read it. */
  readonly access: AccessRule;
  /** For a client that is not authenticated. */
  readonly forGuests: Found | Problem;
  readonly forUsers: Found | Problem;
}

/** The documentation of all hosted APIs, built with the application. */
export class Documentation {
  readonly #visible: Readonly<Record<Audience, VisibleApis>>;
  readonly #guards: Guards;
  /** Computed on first request and cached, with their rendered content. */
  readonly #comparisons = new WeakMap<DocumentedVersion, Map<DocumentedVersion, Comparisons>>();

  /** Builds the documentation in steps, because another application serves requests meanwhile. */
  static *build(catalogue: Catalogue, guards: Guards, addresses: Addresses): RenderSteps<Documentation> {
    return new Documentation(yield* visibleApis(catalogue, addresses), guards);
  }

  constructor(visible: Readonly<Record<Audience, VisibleApis>>, guards: Guards) {
    this.#visible = visible;
    this.#guards = guards;
  }

  /** The guard of the list of APIs, and of unknown names. */
  get guard(): Guard | undefined {
    return this.#guards.ofDocumentation();
  }

  /**
   * Resolves a scope before the client is authenticated: which adapters authenticate it, and what guests and users see.
   * Throws an error immediately if nobody may see more; otherwise it is part of the resolution, so that a 401 or 403
   * takes precedence.
   *
   * @param readers who may read the documentation
   * @param hasOtherUsers whether there may be users that no adapter authenticated
   * @throws Problem 404 that lists the available names, 400 for a comparison without an API
   */
  resolve(scope: Scope, readers: AccessRule, request: Request, hasOtherUsers: () => boolean): Resolution {
    const withheld = this.#withheld(scope);
    const isSecret = withheld === 'service' && !requiresUser(readers);
    const guard = reachableGuard(this.#guardOf(scope, isSecret), readers, request);
    // If nobody can sign in, hidden documentation responds 404 like a name that does not exist.
    const isForUsers = requiresUser(readers) || (withheld !== undefined && guard !== undefined);
    const forUsers = this.find(scope, 'users');
    const forGuests = isForUsers || this.#isShared(scope) ? forUsers : this.find(scope, 'guests');
    if (forGuests instanceof Problem && !isForUsers && (withheld === undefined || !hasOtherUsers()))
      throw forGuests;
    return {
      guard,
      access: isForUsers && !requiresUser(readers) ? 'authenticated' : readers,
      forGuests,
      forUsers,
    };
  }

  /** Returns what an audience sees, or the Problem it gets: 404 for an API, a version or a service, 400 for `compare`. */
  find(scope: Scope, audience: Audience): Found | Problem {
    try {
      return this.#find(scope, this.#visible[audience]);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  #find({ api: name, version, service, compare }: Scope, visible: VisibleApis): Found {
    if (name === undefined) {
      if (compare === undefined) return visible.list;
      const hint =
        'Only versions of one API can be compared. Name the API in the path, <api>?compare=<version>, or omit compare.';
      throw problem('bad_query', { names: ['compare'], hint });
    }
    const found = this.#version(visible, name, version);
    const content = service === undefined ? found.content : serviceOf(found, service);
    return compare === undefined ? content : this.#comparison(visible, compare, found, service);
  }

  /** Whether guests and users see the same. */
  #isShared({ api: name, version, compare }: Scope): boolean {
    if (name === undefined) return false;
    const { guests, users } = this.#visible;
    const isVisible = guests.versionsOf(name).length === users.versionsOf(name).length;
    return isVisible && [version, compare ?? version].every((one) => this.#sharesVersion(name, one));
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
  #withheld({ api: name, version, service, compare }: Scope): 'api' | 'service' | undefined {
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

  /**
   * Returns the guard of the documentation of an API or a service, whether it exists or not.
   * @param isSecret whether the guard must not reveal that the service exists; then it is the guard of the API
   */
  #guardOf({ api: name, version, service }: Scope, isSecret: boolean): Guard | undefined {
    const { users, guests } = this.#visible;
    if (name === undefined) return this.guard;
    const found = users.version(name, numberOf(version)) ?? users.version(name);
    if (found === undefined) return this.guard;
    const at = { api: name, version: found.api.getVersion() };
    if (guests.version(name) === undefined) return this.#guards.ofHiddenApi(at.api, at.version);
    return service === undefined || isSecret || found.service(service) === undefined
      ? this.#guards.ofApi(at.api, at.version)
      : this.#guards.ofServiceDocumentation({ ...at, service });
  }

  /** Returns the list of APIs that are visible to guests or users. */
  listFor({ isGuest }: Pick<Identity, 'isGuest'>): ApiListContent {
    return this.#visible[isGuest ? 'guests' : 'users'].list;
  }

  /** Returns the versions of an API; empty for an unknown one. */
  versionsOf(name: string): readonly number[] {
    return this.#visible.users.version(name)?.api.getVersions() ?? [];
  }

  /**
   * Returns whether a version of an API has a service with a name.
   * @param page the page that shows the result: pages for guests ignore hidden services
   */
  hasService(name: string, version: number, service: string, page?: Api | Service): boolean {
    const { users, guests } = this.#visible;
    const visible = page !== undefined && users.has(page) && !guests.has(page) ? users : guests;
    return visible.version(name, version)?.service(service) !== undefined;
  }

  #comparison(
    visible: VisibleApis,
    compare: string,
    found: DocumentedVersion,
    service: string | undefined,
  ): Comparison {
    const { api } = found;
    const name = api.getName();
    if (!/^\d{1,9}$/.test(compare)) {
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
        { extensions: { apis, ...suggestion(name, apis) } },
      );
    }
    throw problem(
      'version_not_found',
      { api: name, version: Number(version), versions },
      { extensions: { api: name, versions } },
    );
  }
}

/** By service; undefined for the whole API. */
type Comparisons = Map<string | undefined, Comparison>;

/**
 * Returns the guard of public documentation for a request: without an adapter that is usable from the client's address,
 * the client is a guest. Documentation that requires a user keeps its guard, which refuses such requests.
 *
 * @param access who may read it
 */
export function reachableGuard(
  guard: Guard | undefined,
  access: AccessRule,
  request: Request,
): Guard | undefined {
  if (guard === undefined || requiresUser(access)) return guard;
  const reachable = guard.reachableFrom(request);
  return reachable instanceof Guard ? reachable : undefined;
}

function numbersOf(visible: VisibleApis, name: string): readonly number[] {
  return visible.versionsOf(name).map(({ api }) => api.getVersion());
}

function numberOf(version: string | undefined): number | undefined {
  return version === undefined ? undefined : Number(version);
}

function serviceOf(version: DocumentedVersion, name: string): ServiceContent {
  const content = version.service(name);
  if (content !== undefined) return content;
  const { api } = version;
  const services = api.getServices().map((one) => one.getName());
  const args = { api: `${api.getName()}-v${api.getVersion()}`, service: name, services };
  throw problem('documented_service_not_found', args, {
    extensions: { api: api.getName(), version: api.getVersion(), services, ...suggestion(name, services) },
  });
}

function suggestion(name: string, known: readonly string[]): { readonly did_you_mean?: string } {
  const near = closestMatch(name, known);
  return near === undefined ? {} : { did_you_mean: near };
}
