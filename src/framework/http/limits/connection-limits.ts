/** The limits of a server's connections and requests. */
export interface ConnectionLimits {
  /** Maximum bytes of a request line. Only those of the first application apply. */
  readonly maxRequestLine: number;
  /** Maximum bytes of the names and values of all header fields; as `maxRequestLine`. */
  readonly maxHeaderSize: number;
  /** Maximum header fields of a request; as `maxRequestLine`. */
  readonly maxHeaderFields: number;
  /** Maximum seconds for receiving the header section; 0 for no limit but that of the request. */
  readonly headerTimeout: number;
  /** Maximum seconds for receiving a request with its body; 0 for no limit. */
  readonly requestTimeout: number;
  /** Seconds after which a connection is closed whose client stops reading or sending; 0 for no limit. */
  readonly inactivityTimeout: number;
  /** Minimum bytes per second at which clients send bodies and read responses; 0 for no limit. */
  readonly minDataRate: number;
  /** Seconds that an idle connection stays open between two requests; 0 for no limit. */
  readonly keepAliveTimeout: number;
  /** Requests after which a connection is closed; 0 for no limit. */
  readonly maxRequestsPerConnection: number;
  /** Maximum concurrent connections; Infinity for no limit. */
  readonly maxConnections: number;
  /** Maximum concurrent connections per address; Infinity for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Maximum requests that are handled at the same time; Infinity for no limit. */
  readonly maxRequestsInFlight: number;
  /** Maximum requests that wait for others to finish. */
  readonly maxQueuedRequests: number;
  /** Maximum seconds that they wait. */
  readonly queueTimeout: number;
  /** Delay of the event loop in seconds beyond which requests are refused; 0 for no limit. */
  readonly maxEventLoopLag: number;
  /** Whether a peer is a trusted proxy, to which the limit per address does not apply. */
  readonly isProxy: (peer: string) => boolean;
  /** Whether connections of a peer begin with a header of the PROXY protocol; undefined if none do. */
  readonly sendsProxyHeader?: ((peer: string) => boolean) | undefined;
}

/** The limits of handlers that configure none. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  maxRequestLine: 8_192,
  maxHeaderSize: 16_384,
  maxHeaderFields: 100,
  headerTimeout: 30,
  requestTimeout: 60,
  inactivityTimeout: 30,
  minDataRate: 240,
  keepAliveTimeout: 75,
  maxRequestsPerConnection: 0,
  maxConnections: Infinity,
  maxConnectionsPerAddress: Infinity,
  maxRequestsInFlight: Infinity,
  maxQueuedRequests: 100,
  queueTimeout: 5,
  maxEventLoopLag: 0,
  isProxy: () => false,
};
