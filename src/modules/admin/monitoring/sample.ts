/** What happened between two measurements of the service. Requests are those of {@link isTraffic}. */
export interface Sample {
  /** When it ended, in milliseconds of `performance.now()`: the clock of the machine can be set. */
  readonly at: number;
  /** Its length. */
  readonly seconds: number;
  readonly outcomes: Outcomes;
  /** The requests of each bucket of `DURATION_BUCKETS`, and the longer ones. */
  readonly buckets: readonly number[];
  /** Refused credentials, by adapter. */
  readonly refusals: ReadonlyMap<string, number>;
  /** The delay of the event loop, in seconds. */
  readonly lag: Lag;
  /** In bytes. */
  readonly memory: Memory;
  /** Requests without a complete response, at its end. */
  readonly inFlight: number;
}

/** Numbers of requests. */
interface Outcomes {
  readonly requests: number;
  /** Responses with 4xx. */
  readonly clientErrors: number;
  /** Responses with 5xx. */
  readonly serverErrors: number;
  /** The sum of their durations. */
  readonly seconds: number;
}

export interface Lag {
  readonly median: number;
  readonly p99: number;
  readonly maximum: number;
}

interface Memory {
  /** Resident set size: everything that the process has in memory. */
  readonly resident: number;
  /** The used part of the JavaScript heap. */
  readonly heap: number;
}

/** Between two samples, in milliseconds. */
export const SAMPLE_INTERVAL_MS = 5_000;
/** One hour. */
export const MAX_SAMPLES = 720;
