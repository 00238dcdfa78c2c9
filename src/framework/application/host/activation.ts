/** A built application that can be activated here and in all replicas. */
export interface PreparedActivation {
  activate(): Promise<ActivationResult>;
  /** Disposes of the application instead. */
  discard(): Promise<void>;
}

/** The result of activating an application. */
export interface ActivationResult {
  /** Changed key paths that require a restart, such as `server.port`. */
  readonly restart: readonly string[];
}
