/** The limits of a server's connections. */
export interface ConnectionLimits {
  /** Maximum seconds for receiving a request with its body; 0 for no limit. */
  readonly requestTimeout: number;
  /** Seconds after which a connection is closed whose client stops reading or sending; 0 for no limit. */
  readonly inactivityTimeout: number;
  /** Seconds that an idle connection stays open between two requests; 0 for no limit. */
  readonly keepAliveTimeout: number;
  /** Maximum concurrent connections; Infinity for no limit. */
  readonly maxConnections: number;
  /** Maximum concurrent connections per address; Infinity for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Whether a peer is a trusted proxy, to which the limit per address does not apply. */
  readonly isProxy: (peer: string) => boolean;
  /** Whether connections of a peer begin with a header of the PROXY protocol; undefined if none do. */
  readonly sendsProxyHeader?: ((peer: string) => boolean) | undefined;
}

/** The limits of handlers that configure none. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  requestTimeout: 60,
  inactivityTimeout: 30,
  keepAliveTimeout: 75,
  maxConnections: Infinity,
  maxConnectionsPerAddress: Infinity,
  isProxy: () => false,
};
