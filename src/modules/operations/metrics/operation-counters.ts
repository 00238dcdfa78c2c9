/** Upper bounds of the duration histogram, in seconds. */
export const DURATION_BUCKETS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Status classes; the first one is of requests whose client disconnected before the response. */
export const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What requests are counted by. */
export interface OperationLabels {
  /** Empty for requests that no API has received: documentation, and unknown paths. */
  readonly api: string;
  readonly version: string;
  readonly service: string;
  /** The documented operation id; the name of an endpoint of the platform; empty without an endpoint. */
  readonly operation: string;
  readonly method: string;
}

const BYTES = STATUS_CLASSES.length;
const SECONDS = BYTES + 1;
const FIRST_BUCKET = SECONDS + 1;

/** The counters of one operation, in one array: counting a request costs some nanoseconds. */
export class OperationCounters {
  readonly labels: OperationLabels;
  readonly #values = new Float64Array(FIRST_BUCKET + DURATION_BUCKETS.length + 1);

  constructor(labels: OperationLabels) {
    this.labels = labels;
  }

  /**
   * Counts a request.
   * @param status 0 without a response
   */
  count(status: number, seconds: number, bytes: number): void {
    const values = this.#values;
    const statusClass = (status / 100) | 0;
    increase(values, statusClass < STATUS_CLASSES.length ? statusClass : 0, 1);
    increase(values, BYTES, bytes);
    increase(values, SECONDS, seconds);
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] ?? 0)) bucket++;
    increase(values, FIRST_BUCKET + bucket, 1);
  }

  /** Returns what was counted since the last call, and starts again from zero; undefined without requests. */
  take(): Float64Array | undefined {
    if (this.#values.every((value) => value === 0)) return undefined;
    const taken = this.#values.slice();
    this.#values.fill(0);
    return taken;
  }

  /** Adds what another process has taken. */
  add(taken: Float64Array): void {
    for (const [index, value] of taken.entries()) increase(this.#values, index, value);
  }

  /** The number of requests with a status class, by its index in {@link STATUS_CLASSES}. */
  requests(statusClass: number): number {
    return this.#values[statusClass] ?? 0;
  }

  get bytes(): number {
    return this.#values[BYTES] ?? 0;
  }

  /** The sum of the durations. */
  get seconds(): number {
    return this.#values[SECONDS] ?? 0;
  }

  /** The requests of each bucket, not cumulated; the last one has no upper bound. */
  get buckets(): Float64Array {
    return this.#values.subarray(FIRST_BUCKET);
  }
}

function increase(values: Float64Array, index: number, by: number): void {
  values[index] = (values[index] ?? 0) + by;
}
