import type { Measurement } from '../framework';
import type { ObservedWorkers } from '../modules/operations';

/** The workers of a primary. */
export interface Workers extends ObservedWorkers {
  /** The port that they listen on. */
  readonly port: number;
  /** How many there are. */
  readonly size: number;
  readonly isStopping: boolean;
  /** Of the workers as such. */
  readonly measurements: readonly Measurement[];
  /**
   * Replaces the workers one after the other: each successor listens before its predecessor stops.
   * @throws ConfigurationError if a successor cannot start; the remaining workers stay
   */
  replaceAll(): Promise<void>;
  /** Opens the log files of all workers again. */
  reopenLogs(): Promise<void>;
  /** Stops all workers gracefully. */
  stop(): Promise<void>;
}
