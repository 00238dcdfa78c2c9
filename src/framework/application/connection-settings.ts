import { readFileSync } from 'node:fs';
import type { Configuration } from '../config/configuration';
import { ConfigurationError } from '../errors/configuration-error';
import { ClientAddresses } from '../http/server/client-address';
import type { ConnectionLimits } from '../http/limits/connection-limits';
import { isObject } from '../values/config-object';
import { serverSettings } from './settings';

/** The share of file descriptors for client connections: files and outgoing connections need the rest. */
const SHARE = 0.75;

/** @throws ConfigurationError for an invalid network */
export function clientAddresses(configuration: Configuration): ClientAddresses {
  const { trust_proxy: trusted } = configuration.section('server', serverSettings);
  try {
    return new ClientAddresses(trusted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const source = configuration.sourceOf(['server', 'trust_proxy']);
    throw new ConfigurationError(`${source}: server.trust_proxy: ${error.message}`, { cause: error });
  }
}

/** @param descriptors the file descriptor limit of the process */
export function connectionLimits(
  configuration: Configuration,
  addresses: ClientAddresses,
  descriptors = descriptorLimit(),
): ConnectionLimits {
  const settings = configuration.section('server', serverSettings);
  const defaultMaximum = descriptors === undefined ? 0 : Math.floor(descriptors * SHARE);
  return {
    requestTimeout: settings.request_timeout,
    inactivityTimeout: settings.inactivity_timeout,
    keepAliveTimeout: settings.keep_alive_timeout,
    maxConnections: unlessZero(settings.max_connections ?? defaultMaximum),
    maxConnectionsPerAddress: unlessZero(settings.max_connections_per_address),
    isProxy: (peer) => addresses.isProxy(peer),
  };
}

/** Warns if more connections are allowed than the process can open: further ones are closed without a response. */
export function connectionWarnings(
  { maxConnections }: ConnectionLimits,
  descriptors = descriptorLimit(),
): readonly string[] {
  if (descriptors === undefined || maxConnections < descriptors) return [];
  const allowed = maxConnections === Infinity ? 'any number of' : String(maxConnections);
  return [
    `server.max_connections allows ${allowed} connections, but the process may have ${descriptors} files and connections open. ` +
      `Raise that limit (ulimit -n), or set server.max_connections to ${Math.floor(descriptors * SHARE)} or less.`,
  ];
}

export function unlessZero(limit: number): number {
  return limit === 0 ? Infinity : limit;
}

/** Returns the file descriptor limit of the process; undefined if it is unknown. */
function descriptorLimit(): number | undefined {
  return process.platform === 'win32' ? undefined : (limitOfProc() ?? limitOfReport());
}

/** Reads the limit on Linux. */
function limitOfProc(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** Reads the limit on other systems, which takes some milliseconds. */
function limitOfReport(): number | undefined {
  const report: unknown = process.report.getReport();
  const limits = isObject(report) && isObject(report.userLimits) ? report.userLimits.open_files : undefined;
  const soft = isObject(limits) ? Number(limits.soft) : NaN;
  return Number.isInteger(soft) ? soft : undefined;
}
