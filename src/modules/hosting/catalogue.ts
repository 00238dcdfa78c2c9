import { requiresUser } from '../mvc-auth';
import type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from './hosted-endpoint';

/** The hosted APIs, shared by the request listeners and the documentation. */
export class Catalogue {
  readonly apis: readonly HostedApi[];
  readonly #byName: ReadonlyMap<string, HostedApi>;

  constructor(apis: readonly HostedApi[]) {
    this.apis = Object.freeze([...apis]);
    this.#byName = new Map(apis.map((api) => [api.name, api]));
  }

  api(name: string): HostedApi | undefined {
    return this.#byName.get(name);
  }

  /** Returns the APIs whose services are compiled already. */
  withoutDeferred(): Catalogue {
    return new Catalogue(this.apis.filter(({ isDeferred }) => !isDeferred));
  }

  /** All services of all versions. */
  get services(): readonly HostedService[] {
    return this.apis.flatMap(({ versions }) => versions.flatMap(({ services }) => services));
  }

  /** All operations of all services. */
  get operations(): readonly HostedEndpoint[] {
    return this.services.flatMap(({ operations, entityOperations }) => [...operations, ...entityOperations]);
  }

  /**
   * Warnings about services that require a user but have no adapter to authenticate one, and about procedures with the
   * method OPTIONS, whose requests are not authenticated, as CORS preflights have no credentials.
   */
  inaccessibleWarnings(): readonly string[] {
    const withoutAdapter = this.services
      .filter(({ guard, operations, entityOperations }) =>
        [...operations, ...entityOperations].some(
          ({ access }) => guard === undefined && requiresUser(access),
        ),
      )
      .map(
        ({ api, version, name }) =>
          `${name} of ${api}-v${version} requires a user, but no adapter is mapped to it: map one in platform-mvc-auth.authentication.map, or it responds 403 to everyone.`,
      );
    const withoutAuthentication = this.services
      .flatMap(({ operations }) => operations)
      .filter(({ method, access }) => method === 'OPTIONS' && requiresUser(access))
      .map(
        ({ name, guard }) =>
          `${name} requires a user, but requests with this method are not authenticated: set its authorization to "guest", or it responds ${guard === undefined ? 403 : 401} to everyone.`,
      );
    return [...withoutAdapter, ...withoutAuthentication];
  }

  /** Returns a version of an API; defaults to the API's default version. */
  version(name: string, version?: number): HostedVersion | undefined {
    const api = this.api(name);
    const wanted = version ?? api?.defaultVersion;
    return api?.versions.find((one) => one.version === wanted);
  }
}
