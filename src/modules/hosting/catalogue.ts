import { needsUser } from '../mvc-auth';
import type { HostedApi, HostedService, HostedVersion } from './hosted-endpoint';

/** Every API that is hosted, as the listeners of requests and the documentation read it. */
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

  /** Every service of every version. */
  get services(): readonly HostedService[] {
    return this.apis.flatMap(({ versions }) => versions.flatMap(({ services }) => services));
  }

  /** Warnings of services with operations that need a user but have no adapter by which one could sign in. */
  closedForGood(): readonly string[] {
    return this.services
      .filter(({ guard, operations, entityOperations }) =>
        [...operations, ...entityOperations].some(({ access }) => guard === undefined && needsUser(access)),
      )
      .map(
        ({ api, version, name }) =>
          `${name} of ${api}-v${version} needs a user, but no adapter is mapped to it: map one in platform-mvc-auth.authentication.map, or it answers 403 to everyone.`,
      );
  }

  /** A version of an API; the default where none is given. */
  version(name: string, version?: number): HostedVersion | undefined {
    const api = this.api(name);
    const wanted = version ?? api?.defaultVersion;
    return api?.versions.find((one) => one.version === wanted);
  }
}
