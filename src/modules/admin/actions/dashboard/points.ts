import type { Sample } from '../../monitoring/sample';
import { quantileOf } from '../../monitoring/quantile';

/** The times that a dashboard can show, in minutes. */
export const RANGES = [5, 15, 60] as const;
export type Range = (typeof RANGES)[number];

/** Seconds between two points, so that a chart has 60 to 120 of them. */
const STEPS: Readonly<Record<Range, number>> = { 5: 5, 15: 10, 60: 30 };

/** One value for each point of the time; null where nothing is known. */
export type Values = readonly (number | null)[];

/** The samples of a time as series of values, one per point, oldest first. */
export interface Points {
  /** Seconds between two points. */
  readonly step: number;
  /** Seconds before now, of each point: ends with the latest. */
  readonly ages: readonly number[];
  /** Per second. */
  readonly requests: Values;
  /** Per second: responses that are not errors. */
  readonly successes: Values;
  /** Per second: 4xx. */
  readonly clientErrors: Values;
  /** Per second: 5xx. */
  readonly serverErrors: Values;
  /** Of the requests, 0 to 1: 4xx, and 5xx. */
  readonly clientErrorShare: Values;
  readonly serverErrorShare: Values;
  /** Of durations, in seconds. */
  readonly p50: Values;
  readonly p95: Values;
  readonly p99: Values;
  /** Refused credentials per minute, by adapter. */
  readonly refusals: readonly { readonly adapter: string; readonly values: Values }[];
  /** The delay of the event loop, in seconds. */
  readonly lagMedian: Values;
  readonly lagMaximum: Values;
  /** In bytes. */
  readonly resident: Values;
  readonly heap: Values;
  readonly inFlight: Values;
}

/** Samples by the points of a time. */
export interface Grid<S> {
  /** Seconds between two points. */
  readonly step: number;
  /** Seconds before now, of each point: ends with the latest. */
  readonly ages: readonly number[];
  /** Of each point, oldest first. */
  readonly groups: readonly (readonly S[])[];
}

/**
 * Groups samples into the points of a range. The borders of points are multiples of the step, so that a sample stays in
 * the same point as time passes.
 * @param now in milliseconds of the clock of the samples
 */
export function gridOf<S extends { readonly at: number }>(
  samples: readonly S[],
  range: Range,
  now: number,
): Grid<S> {
  const step = STEPS[range];
  const count = (range * 60) / step;
  const last = Math.ceil(now / 1000 / step);
  const groups = Array.from({ length: count }, (): S[] => []);
  for (const sample of samples) groups[Math.ceil(sample.at / 1000 / step) - last + count - 1]?.push(sample);
  const ages = groups.map((_, at) => Math.max(0, now / 1000 - (last - count + 1 + at) * step));
  return { step, ages, groups };
}

/**
 * The samples of a range as series.
 * @param now in milliseconds of the clock of the samples
 */
export function pointsOf(samples: readonly Sample[], range: Range, now: number): Points {
  const { step, ages, groups } = gridOf(samples, range, now);
  const series = (value: (group: readonly Sample[]) => number): Values =>
    groups.map((group) => (group.length === 0 ? null : finite(value(group))));
  const perSecond = (count: (sample: Sample) => number): Values =>
    series((group) => sum(group, count) / sum(group, ({ seconds }) => seconds));
  const share = (count: (sample: Sample) => number): Values =>
    series((group) => sum(group, count) / sum(group, ({ outcomes }) => outcomes.requests));
  const quantile = (of: number): Values => series((group) => quantileOf(sumBuckets(group), of));
  const adapters = new Set(groups.flat().flatMap(({ refusals }) => [...refusals.keys()]));
  return {
    step,
    ages,
    requests: perSecond(({ outcomes }) => outcomes.requests),
    successes: perSecond(({ outcomes }) => outcomes.requests - outcomes.clientErrors - outcomes.serverErrors),
    clientErrors: perSecond(({ outcomes }) => outcomes.clientErrors),
    serverErrors: perSecond(({ outcomes }) => outcomes.serverErrors),
    clientErrorShare: share(({ outcomes }) => outcomes.clientErrors),
    serverErrorShare: share(({ outcomes }) => outcomes.serverErrors),
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    refusals: [...adapters].sort().map((adapter) => ({
      adapter,
      values: perSecond(({ refusals }) => 60 * (refusals.get(adapter) ?? 0)),
    })),
    lagMedian: series((group) => sum(group, ({ lag }) => lag.median) / group.length),
    lagMaximum: series((group) => Math.max(...group.map(({ lag }) => lag.maximum))),
    resident: series((group) => group.at(-1)?.memory.resident ?? NaN),
    heap: series((group) => group.at(-1)?.memory.heap ?? NaN),
    inFlight: series((group) => Math.max(...group.map(({ inFlight }) => inFlight))),
  };
}

function sum(samples: readonly Sample[], value: (sample: Sample) => number): number {
  return samples.reduce((total, sample) => total + value(sample), 0);
}

function sumBuckets(samples: readonly Sample[]): readonly number[] {
  const total: number[] = [];
  for (const { buckets } of samples)
    for (const [at, count] of buckets.entries()) total[at] = (total[at] ?? 0) + count;
  return total;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
