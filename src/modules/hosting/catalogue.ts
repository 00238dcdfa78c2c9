import { requiresUser } from '../mvc-auth';
import { describeLocations } from './grouped-warnings';
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
    const withoutAdapter = this.services.filter(({ guard, operations, entityOperations }) =>
      [...operations, ...entityOperations].some(({ access }) => guard === undefined && requiresUser(access)),
    );
    const withoutAuthentication = this.services
      .flatMap(({ operations }) => operations)
      .filter(({ method, access }) => method === 'OPTIONS' && requiresUser(access))
      .map(
        ({ name, guard }) =>
          `${name} requires a user, but requests with this method are not authenticated: set its authorization to "guest", or it responds ${guard === undefined ? 403 : 401} to everyone.`,
      );
    return [...missingAdapterWarnings(withoutAdapter), ...withoutAuthentication];
  }

  /** Returns a version of an API; defaults to the API's default version. */
  version(name: string, version?: number): HostedVersion | undefined {
    const api = this.api(name);
    const wanted = version ?? api?.defaultVersion;
    return api?.versions.find((one) => one.version === wanted);
  }
}

/** Returns one warning for each version: an imported API may have hundreds of such services. */
function missingAdapterWarnings(services: readonly HostedService[]): readonly string[] {
  const names = new Map<string, Set<string>>();
  for (const { api, version, name } of services) {
    const label = `${api}-v${version}`;
    names.set(label, (names.get(label) ?? new Set()).add(name));
  }
  return [...names].map(([label, of]) => {
    const [require, them, they] =
      of.size === 1 ? ['requires', 'it', 'it responds'] : ['require', 'them', 'they respond'];
    return `${describeLocations(of)} of ${label} ${require} a user, but no adapter is mapped to ${them}: map one in platform-mvc-auth.authentication.map, or ${they} 403 to everyone.`;
  });
}
