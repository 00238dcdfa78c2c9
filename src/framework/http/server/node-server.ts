import { createServer, type RequestListener, type Server as HttpServer, type ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import { MAX_REFUSALS } from '../limits/connection-gate';
import type { ConnectionLimits } from '../limits/connection-limits';

/**
 * How often Node checks for request timeouts, in milliseconds: it ends all that have expired at once, which must not
 * stall other requests when thousands of slow clients connect.
 */
const TIMEOUT_CHECK_MS = 100;

/** The maximum time for receiving the header section without limits, in milliseconds: Node's default. */
const HEADERS_TIMEOUT_MS = 60_000;

/** The longest time between two requests, in milliseconds: Node adds a second, and its timers take at most 2^31 - 1. */
const MAX_KEEP_ALIVE_MS = 2_147_482_000;

/** How often a closing server closes idle connections, in milliseconds. */
const SWEEP_MS = 50;

/** From Node.js 24.12 on. */
interface EmptyRequestOptions {
  /** Requests without body emit no events of streams, for which Node would need several ticks each. */
  readonly optimizeEmptyRequests: boolean;
}

/** Creates Node's server. @param limits those of the header section, which cannot change later */
export function createNodeServer(
  { maxRequestLine, maxHeaderSize }: ConnectionLimits,
  listener: RequestListener,
): HttpServer {
  const options: ServerOptions & EmptyRequestOptions = {
    requireHostHeader: false,
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Distinguishes a long request line from a large header section.
    maxHeaderSize: maxRequestLine + maxHeaderSize,
  };
  const server = createServer(options, listener);
  // The parser would drop further fields silently.
  server.maxHeadersCount = 0;
  return server;
}

/** Applies the timeouts and the number of connections; those of the header section cannot change. */
export function limitNodeServer(server: HttpServer, limits: ConnectionLimits): void {
  const { headerTimeout, requestTimeout, inactivityTimeout, keepAliveTimeout, maxConnections } = limits;
  server.requestTimeout = requestTimeout * 1_000;
  server.headersTimeout = Math.min(
    ...[headerTimeout, requestTimeout].filter((seconds) => seconds > 0).map((seconds) => seconds * 1_000),
    HEADERS_TIMEOUT_MS,
  );
  server.timeout = inactivityTimeout * 1_000;
  // With 0, Node would close idle connections after the timeout of busy ones.
  server.keepAliveTimeout = Math.min((keepAliveTimeout || Infinity) * 1_000, MAX_KEEP_ALIVE_MS);
  // The additional ones receive a 503.
  server.maxConnections = maxConnections + MAX_REFUSALS;
}

/**
 * Stops accepting connections, and waits until the last one has ended.
 * @param closeIdle closes connections without a request in flight: called repeatedly, as busy ones become idle after
 *   their response and clients would keep them open
 * @param idleGrace how long idle connections may still send a request, in seconds
 */
export async function closeNodeServer(
  server: HttpServer,
  closeIdle: () => void,
  idleGrace: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The method of the HTTP server would close the idle connections at once.
    if (server.listening) NetServer.prototype.close.call(server, () => resolve());
    else resolve();
  });
  const sweepFrom = performance.now() + idleGrace * 1_000;
  const sweep = setInterval(() => {
    // Timers run before connections are read: requests may wait if the process was busy.
    if (performance.now() >= sweepFrom) setImmediate(closeIdle);
  }, SWEEP_MS);
  await closed;
  clearInterval(sweep);
  // Stops checking for request timeouts.
  server.close();
}
