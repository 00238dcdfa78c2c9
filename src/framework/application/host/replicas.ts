import type { ConfigurationSnapshot } from './configuration-snapshot';

/** Other processes that serve the same configuration. */
export interface Replicas {
  /**
   * Builds an application with this configuration in every process, next to its active one.
   * @throws ConfigurationError with the message of a process that cannot; the others have disposed of theirs
   */
  prepare(snapshot: ConfigurationSnapshot): Promise<PreparedReplicas>;
}

/** Built applications that are not active yet. */
export interface PreparedReplicas {
  /** Activates them everywhere, and waits until that is done. */
  activate(): Promise<void>;
  /** Disposes of them. */
  discard(): void;
}
