import {
  problem,
  serverSettings,
  ConfigurationError,
  type Configuration,
  type Problem,
  errorMessage,
} from '../../../framework';
import type { RequestOrigin } from '../../mvc-auth';
import { ADMIN_KEY, adminSettings } from '../settings';
import { HostNames } from './host-names';
import { Networks } from './networks';

/** The networks and host names from which administrators may use the service. */
export class AdminAccess {
  readonly #networks: Networks;
  readonly #hosts: HostNames;

  /** Reads `platform-admin.allow` and `platform-admin.hosts`. @throws ConfigurationError for an invalid network */
  constructor(configuration: Configuration) {
    const { allow, hosts } = configuration.section(ADMIN_KEY, adminSettings);
    const { host, public_url: publicUrl } = configuration.section('server', serverSettings);
    this.#networks = networksOf(allow, configuration);
    this.#hosts = new HostNames([
      host,
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
      ...hosts,
    ]);
  }

  isInside(address: string): boolean {
    return this.#networks.has(address);
  }

  /** Returns the problem for a request that is not allowed; undefined if it is allowed. */
  refusal({ address, host, isAddressUnknown = false }: RequestOrigin): Problem | undefined {
    if (!this.#networks.has(address)) return problem('address_not_allowed', {});
    // Behind a proxy on this machine, every client would appear to be local.
    return isAddressUnknown ? problem('client_address_unknown', {}) : this.hostRefusal(host);
  }

  /** Like {@link refusal}, but checks the host name only. */
  hostRefusal(host: string | undefined): Problem | undefined {
    return this.#hosts.has(host) ? undefined : problem('host_not_allowed', { host: host ?? '' });
  }
}

/** @throws ConfigurationError with the source of an invalid network */
function networksOf(allow: readonly string[], configuration: Configuration): Networks {
  for (const [at, network] of allow.entries()) {
    try {
      new Networks([network]);
    } catch (error) {
      const key = [ADMIN_KEY, 'allow', at];
      const reason = errorMessage(error);
      throw new ConfigurationError(`${configuration.sourceOf(key)}: ${ADMIN_KEY}.allow[${at}]: ${reason}`, {
        cause: error,
      });
    }
  }
  return new Networks(allow);
}
