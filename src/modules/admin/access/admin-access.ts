import {
  problem,
  serverSettings,
  ConfigurationError,
  type Configuration,
  type Problem,
} from '../../../framework';
import type { RequestOrigin } from '../../mvc-auth';
import { ADMIN_KEY, adminSettings } from '../settings';
import { HostNames } from './host-names';
import { Networks } from './networks';

/** From which networks, and under which host names, administrators use the service. */
export class AdminAccess {
  readonly #networks: Networks;
  readonly #hosts: HostNames;

  /** As `platform-admin.allow` and `platform-admin.hosts` say. @throws ConfigurationError for what is no network */
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

  /** Why a request is not answered; undefined where it is. */
  refusal({ address, host, isAddressUnknown = false }: RequestOrigin): Problem | undefined {
    if (!this.#networks.has(address)) return problem('address_not_allowed', {});
    // A proxy on this machine would make everyone look like somebody on this machine.
    return isAddressUnknown ? problem('client_address_unknown', {}) : this.hostRefusal(host);
  }

  /** The same where the network does not matter. */
  hostRefusal(host: string | undefined): Problem | undefined {
    return this.#hosts.has(host) ? undefined : problem('host_not_allowed', { host: host ?? '' });
  }
}

/** @throws ConfigurationError that names the place of a network that is none */
function networksOf(allow: readonly string[], configuration: Configuration): Networks {
  for (const [at, network] of allow.entries()) {
    try {
      new Networks([network]);
    } catch (error) {
      const key = [ADMIN_KEY, 'allow', at];
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigurationError(`${configuration.sourceOf(key)}: ${ADMIN_KEY}.allow[${at}]: ${reason}`, {
        cause: error,
      });
    }
  }
  return new Networks(allow);
}
