import type { ActivationResult, ClaimResult, ConfigurationSnapshot, IssuedNonce } from '../framework';
import type { ProcessMetric, RecordingOptions, WorkerReport } from '../modules/operations';
import type { CountChange } from './state/shared-counts';

/** What a worker needs to serve. */
export interface WorkerStart {
  /** From 1: its number, which its successor takes over. */
  readonly number: number;
  readonly root: string;
  readonly snapshot: ConfigurationSnapshot;
  readonly host: string;
  readonly port: number;
  readonly deployment: WorkerDeployment;
  /** What other processes have counted so far. */
  readonly counts: readonly CountChange[];
  /** Where requests of administrators are forwarded to. */
  readonly adminPort: ForwardingTarget;
}

/** What the primary shares with its workers. */
export interface WorkerDeployment {
  readonly generation: string;
  /** Milliseconds since the epoch by the clock of the primary. */
  readonly now: number;
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]];
}

/** A port of the primary on the loopback interface. */
export interface ForwardingTarget {
  readonly port: number;
  /** Authenticates the workers. */
  readonly secret: string;
}

interface Call<Input, Output = void> {
  readonly input: Input;
  readonly output: Output;
}

/** What the primary calls in workers. */
export interface WorkerCalls {
  /** Builds the application and listens. */
  readonly start: Call<WorkerStart>;
  /** Builds an application next to the active one. */
  readonly prepare: Call<ConfigurationSnapshot>;
  /** Activates what was prepared. */
  readonly activate: Call<null>;
  /** Disposes of what was prepared. */
  readonly discard: Call<null>;
  /** Opens log files again. @returns their number */
  readonly reopenLogs: Call<null, number>;
  /** Reports what was counted, and returns the metrics of the process. */
  readonly measure: Call<null, readonly ProcessMetric[]>;
  /** Records requests for administrators, or ends that. */
  readonly record: Call<RecordingOptions | undefined>;
  /** Merges what another process has counted. */
  readonly merge: Call<readonly CountChange[]>;
  /** Serves the requests in flight, then ends. */
  readonly stop: Call<{ readonly isReplaced: boolean }>;
}

/** What workers call in the primary. */
export interface PrimaryCalls {
  /** From now on, the worker receives messages. */
  readonly loaded: Call<null>;
  /** Reloads the configuration everywhere. */
  readonly reload: Call<null, ActivationResult>;
  /** Merges what a worker has counted, and tells the others. */
  readonly merge: Call<readonly CountChange[]>;
  /** Claims a nonce count. */
  readonly claim: Call<{ readonly nonce: IssuedNonce; readonly count: number }, ClaimResult>;
  /** Starts a successor: the worker ends after an uncaught exception, once its requests have finished. */
  readonly fail: Call<null>;
  /** Keeps what a worker has recorded for administrators. */
  readonly insight: Call<string>;
  /** Adds what a worker has counted since its last report. */
  readonly report: Call<WorkerReport>;
}
