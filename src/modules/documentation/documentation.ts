import { Problem, runCooperatively, type MaybePromise, type Steps, type Request } from '../../framework';
import type { Catalogue } from '../hosting';
import { Guard, requiresUser, type AccessRule, type Guards, type Identity } from '../mvc-auth';
import type { Addresses } from './build/from-catalogue';
import { loadApi } from './build/load-content';
import { numberOf, ScopeIndex, type Found, type Scope } from './build/scope-index';
import { visibleApis, type Audience, type DocumentedVersion, type VisibleApis } from './build/visible-apis';
import type { ApiListContent } from './content';
import type { Api } from './model/api';
import type { Service } from './model/service';

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

/** The documentation of all hosted APIs. That of a service is built on first use. */
export class Documentation {
  readonly #visible: Readonly<Record<Audience, VisibleApis>>;
  readonly #scopes: ScopeIndex;
  readonly #guards: Guards;
  /** By the version that users see. */
  readonly #guardsOfVersions: ReadonlyMap<DocumentedVersion, Guard | undefined>;

  /** Builds the documentation in steps, because another application serves requests meanwhile. */
  static *build(catalogue: Catalogue, guards: Guards, addresses: Addresses): Steps<Documentation> {
    return new Documentation(yield* visibleApis(catalogue, addresses), guards);
  }

  constructor(visible: Readonly<Record<Audience, VisibleApis>>, guards: Guards) {
    this.#visible = visible;
    this.#scopes = new ScopeIndex(visible);
    this.#guards = guards;
    const { users, guests } = visible;
    this.#guardsOfVersions = new Map(
      users.names.flatMap((name) =>
        users.versionsOf(name).map((one) => {
          const number = one.api.getVersion();
          const isHidden = guests.version(name) === undefined;
          return [one, isHidden ? guards.ofHiddenApi(name, number) : guards.ofApi(name, number)];
        }),
      ),
    );
  }

  /** The guard of the list of APIs, and of unknown names. */
  get guard(): Guard | undefined {
    return this.#guards.ofDocumentation();
  }

  /** Builds the documentation of all services of the requested version, as guests and users see it. */
  load({ api: name, version }: Scope): MaybePromise<void> {
    if (name === undefined) return undefined;
    const { users, guests } = this.#visible;
    const seen = [users, guests].flatMap((visible) => visible.version(name, numberOf(version)) ?? []);
    return runCooperatively(loadAll(new Set(seen.map(({ api }) => api))));
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
    const withheld = this.#scopes.withheld(scope);
    const isSecret = withheld === 'service' && !requiresUser(readers);
    const guard = reachableGuard(this.#guardOf(scope, isSecret), readers, request);
    // If nobody can sign in, hidden documentation responds 404 like a name that does not exist.
    const isForUsers = requiresUser(readers) || (withheld !== undefined && guard !== undefined);
    const forUsers = this.#scopes.find(scope, 'users');
    const forGuests =
      isForUsers || this.#scopes.isShared(scope) ? forUsers : this.#scopes.find(scope, 'guests');
    if (forGuests instanceof Problem && !isForUsers && (withheld === undefined || !hasOtherUsers()))
      throw forGuests;
    return {
      guard,
      access: isForUsers && !requiresUser(readers) ? 'authenticated' : readers,
      forGuests,
      forUsers,
    };
  }

  /**
   * Returns the guard of the documentation of an API or a service, whether it exists or not.
   * @param isSecret whether the guard must not reveal that the service exists; then it is the guard of the API
   */
  #guardOf({ api: name, version, service }: Scope, isSecret: boolean): Guard | undefined {
    if (name === undefined) return this.guard;
    const { users, guests } = this.#visible;
    const found = users.version(name, numberOf(version)) ?? users.version(name);
    if (found === undefined) return this.guard;
    if (
      service === undefined ||
      isSecret ||
      found.service(service) === undefined ||
      guests.version(name) === undefined
    )
      return this.#guardsOfVersions.get(found);
    return this.#guards.ofServiceDocumentation({ api: name, version: found.api.getVersion(), service });
  }

  /** Returns the list of APIs that are visible to guests or users. */
  listFor({ isGuest }: Pick<Identity, 'isGuest'>): ApiListContent {
    return this.#visible[isGuest ? 'guests' : 'users'].list;
  }

  /** Returns every version of the APIs of a list. @param entries the variable `apis` of its page */
  apisOf(entries: ApiListContent['apis']): readonly Api[] {
    const { users, guests } = this.#visible;
    return (users.list.apis === entries ? users : guests).list.getApis();
  }

  /** Returns whether guests see a page as it is. */
  isForGuests(page: Api | Service): boolean {
    return this.#visible.guests.has(page);
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
}

function* loadAll(apis: Iterable<Api>): Steps<void> {
  for (const api of apis) yield* loadApi(api);
}

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
