/** What a server holds its connections to. */
export interface ConnectionLimits {
  /** Seconds within which a request must have come, with its body; 0 for no limit. */
  readonly requestTimeout: number;
  /** Seconds without progress after which a client is given up that does not read its answer, or stops sending; 0 for never. */
  readonly inactivityTimeout: number;
  /** Connections at the same time; Infinity for no limit. */
  readonly maxConnections: number;
  /** Connections from one address at the same time; Infinity for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Whether a peer stands for many clients, so that it has no limit of its own. */
  readonly isProxy: (peer: string) => boolean;
}

/** For what answers without a configuration. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  requestTimeout: 60,
  inactivityTimeout: 30,
  maxConnections: Infinity,
  maxConnectionsPerAddress: Infinity,
  isProxy: () => false,
};
