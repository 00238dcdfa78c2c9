import { readFileSync } from 'node:fs';
import type { Configuration } from '../config/configuration';
import { ConfigurationError } from '../errors/configuration-error';
import { ClientAddresses } from '../http/proxies/client-addresses';
import { compileTrust } from '../http/proxies/trust';
import type { ConnectionLimits } from '../http/limits/connection-limits';
import { isObject } from '../values/config-object';
import { serverSettings } from './settings';

/** The share of file descriptors for client connections: files and outgoing connections need the rest. */
const SHARE = 0.75;

/** @throws ConfigurationError for an invalid network, and for fields that may contradict each other */
export function clientAddresses(configuration: Configuration): ClientAddresses {
  const settings = configuration.section('server', serverSettings);
  const { trust_proxy: trusted, forwarding_fields: fields = [], public_url: publicUrl } = settings;
  if (fields.length > 1 && fields.includes('forwarded')) {
    const source = configuration.sourceOf(['server', 'forwarding_fields']);
    throw new ConfigurationError(
      `${source}: server.forwarding_fields: lists "forwarded" and ${JSON.stringify(fields.find((name) => name !== 'forwarded'))}, which may contradict each other. ` +
        'List the fields that your proxy sets: either "forwarded" alone, or those that begin with "x-forwarded-".',
    );
  }
  try {
    const publicScheme = publicUrl === undefined ? undefined : schemeOf(publicUrl);
    return new ClientAddresses(trusted, {
      ...(settings.forwarding_fields === undefined ? {} : { fields }),
      publicScheme,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const source = configuration.sourceOf(['server', 'trust_proxy']);
    throw new ConfigurationError(`${source}: server.trust_proxy: ${error.message}`, { cause: error });
  }
}

/**
 * Reads `server.proxy_protocol`.
 * @throws ConfigurationError for an invalid network, and for `true` without networks in `trust_proxy`
 */
function proxyHeaderPeers(configuration: Configuration): ((peer: string) => boolean) | undefined {
  const { proxy_protocol: setting = false, trust_proxy: trusted } = configuration.section(
    'server',
    serverSettings,
  );
  if (setting === false) return undefined;
  const networks = setting === true ? trusted : setting;
  const source = configuration.sourceOf(['server', 'proxy_protocol']);
  if (typeof networks === 'number' || networks.length === 0) {
    throw new ConfigurationError(
      `${source}: server.proxy_protocol: does not say which proxies send the header. ` +
        'List their networks, e.g. ["10.0.0.0/8"], or list them in server.trust_proxy and set it to true.',
    );
  }
  try {
    const trust = compileTrust(networks);
    return (peer) => trust?.(peer, 0) === true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError(`${source}: server.proxy_protocol: ${error.message}`, { cause: error });
  }
}

function schemeOf(url: string): 'http' | 'https' {
  return url.startsWith('https:') ? 'https' : 'http';
}

/** @param descriptors the file descriptor limit of the process */
export function connectionLimits(
  configuration: Configuration,
  addresses: ClientAddresses,
  descriptors = descriptorLimit(),
): ConnectionLimits {
  const settings = configuration.section('server', serverSettings);
  const sendsProxyHeader = proxyHeaderPeers(configuration);
  const defaultMaximum = descriptors === undefined ? 0 : Math.floor(descriptors * SHARE);
  return {
    maxRequestLine: settings.max_request_line,
    maxHeaderSize: settings.max_header_size,
    maxHeaderFields: settings.max_header_fields,
    headerTimeout: settings.header_timeout,
    requestTimeout: settings.request_timeout,
    inactivityTimeout: settings.inactivity_timeout,
    minDataRate: settings.min_data_rate,
    maxRequestsPerConnection: settings.max_requests_per_connection,
    maxRequestsInFlight: unlessZero(settings.max_requests_in_flight),
    maxQueuedRequests: settings.max_queued_requests,
    queueTimeout: settings.queue_timeout,
    maxEventLoopLag: settings.max_event_loop_lag,
    keepAliveTimeout: settings.keep_alive_timeout,
    maxConnections: unlessZero(settings.max_connections ?? defaultMaximum),
    maxConnectionsPerAddress: unlessZero(settings.max_connections_per_address),
    isProxy: (peer) => addresses.isProxy(peer) || sendsProxyHeader?.(peer) === true,
    sendsProxyHeader,
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
