import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { RequestMetrics } from '../../operations';
import { OperationHistory, type OperationsTraffic } from './operation-history';
import { addTotals, isTraffic, read, TOTALS, TOTALS_LENGTH, totalsOf } from './operation-totals';
import { RecentErrors } from './recent-errors';
import { MAX_SAMPLES, SAMPLE_INTERVAL_MS, type Lag, type Sample } from './sample';
import { Sampler } from './sampler';

/** How often the event loop is measured, in milliseconds. */
const RESOLUTION_MS = 20;
const SAMPLES_PER_PERIOD = 60_000 / SAMPLE_INTERVAL_MS;
/** Outcomes of authentication that are refusals: a challenge or a stale nonce is followed by another request. */
const REFUSALS = ['failure', 'throttled'] as const;

/** What a history measures. */
export interface HistorySources {
  /** Undefined without the module `operations`. */
  readonly metrics: () => RequestMetrics | undefined;
  readonly inFlight: () => number;
}

/**
 * The last hour of the service, in memory: a sample every five seconds, shared by all administrators. It survives
 * reloads, and is measured while an application uses it, whether anyone looks at it or not.
 */
export class ServiceHistory {
  readonly errors = new RecentErrors();
  readonly #operations = new OperationHistory();
  readonly #sources: HistorySources;
  /** Oldest first. */
  readonly #samples: Sample[] = [];
  readonly #sampler = new Sampler(() => this.sample(), SAMPLE_INTERVAL_MS);
  #previous = new Float64Array(TOTALS_LENGTH);
  #previousRefusals: ReadonlyMap<string, number> = new Map();
  #measuredAt = performance.now();
  #taken = 0;
  #delay: IntervalHistogram | undefined;

  constructor(sources: HistorySources) {
    this.#sources = sources;
  }

  /** Whether requests are counted. */
  get isCounting(): boolean {
    return this.#sources.metrics() !== undefined;
  }

  get samples(): readonly Sample[] {
    return this.#samples;
  }

  /** Measures until each user has released it. */
  retain(user: object): void {
    if (!this.#sampler.retain(user)) return;
    this.#begin();
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
  }

  release(user: object): void {
    if (this.#sampler.release(user)) this.#delay?.disable();
  }

  /** The requests of the operations. @param minutes up to 60 */
  operations(minutes: number): OperationsTraffic {
    const operations = this.#sources.metrics()?.operations ?? [];
    return this.#operations.during(minutes, operations, performance.now());
  }

  /** Adds a sample. */
  sample(now = performance.now()): void {
    const operations = [...(this.#sources.metrics()?.operations ?? [])];
    const totals = new Float64Array(TOTALS_LENGTH);
    for (const one of operations) if (isTraffic(one)) addTotals(totals, totalsOf(one));
    const difference = totals.slice();
    addTotals(difference, this.#previous, -1);
    const refusals = this.#countRefusals();
    const { rss, heapUsed } = process.memoryUsage();
    this.#samples.push({
      at: now,
      seconds: Math.max(0.001, (now - this.#measuredAt) / 1000),
      outcomes: {
        requests: read(difference, TOTALS.requests),
        clientErrors: read(difference, TOTALS.clientErrors),
        serverErrors: read(difference, TOTALS.serverErrors),
        seconds: read(difference, TOTALS.seconds),
      },
      buckets: [...difference.subarray(TOTALS.buckets)],
      refusals: differenceOf(refusals, this.#previousRefusals),
      lag: lagOf(this.#delay),
      memory: { resident: rss, heap: heapUsed },
      inFlight: this.#sources.inFlight(),
    });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#delay?.reset();
    [this.#previous, this.#previousRefusals, this.#measuredAt] = [totals, refusals, now];
    if (++this.#taken % SAMPLES_PER_PERIOD === 0) this.#operations.record(operations, now);
  }

  /** Requests before the first user, such as those before the admin was switched on, have no place in time. */
  #begin(): void {
    const operations = [...(this.#sources.metrics()?.operations ?? [])];
    this.#previous = new Float64Array(TOTALS_LENGTH);
    for (const one of operations) if (isTraffic(one)) addTotals(this.#previous, totalsOf(one));
    this.#previousRefusals = this.#countRefusals();
    this.#measuredAt = performance.now();
    this.#operations.restart(operations);
  }

  /** By adapter, since the start of the process. */
  #countRefusals(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [adapter, outcomes] of this.#sources.metrics()?.authentications ?? []) {
      const count = REFUSALS.reduce((sum, outcome) => sum + (outcomes.get(outcome) ?? 0), 0);
      if (count > 0) counts.set(adapter, count);
    }
    return counts;
  }
}

function differenceOf(
  counts: ReadonlyMap<string, number>,
  previous: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const differences = [...counts].map(
    ([adapter, count]) => [adapter, count - (previous.get(adapter) ?? 0)] as const,
  );
  return new Map(differences.filter(([, count]) => count > 0));
}

/** The histogram has the whole interval between two of its measurements, in nanoseconds. */
function lagOf(delay: IntervalHistogram | undefined): Lag {
  if (delay === undefined || delay.count === 0) return { median: 0, p99: 0, maximum: 0 };
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds - RESOLUTION_MS * 1e6) / 1e9;
  return {
    median: seconds(delay.percentile(50)),
    p99: seconds(delay.percentile(99)),
    maximum: seconds(delay.max),
  };
}
