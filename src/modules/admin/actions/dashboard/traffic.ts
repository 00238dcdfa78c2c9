import type { OperationLabels } from '../../../operations';
import type { OperationTraffic } from '../../monitoring/operation-history';
import { addTotals, read, TOTALS, TOTALS_LENGTH } from '../../monitoring/operation-totals';
import { quantileOf } from '../../monitoring/quantile';

/** The requests of an operation, a service or an API during a time. */
export interface Traffic {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** 4xx. */
  readonly clientErrors: number;
  /** 5xx. */
  readonly serverErrors: number;
  /** The sum of the durations, in seconds. */
  readonly seconds: number;
  /** Of the durations, in seconds; null without requests. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** The requests of an operation. */
export type OperationRow = Traffic & OperationLabels;

/** The first operations by one measure. */
export interface TopOperations {
  readonly byRequests: readonly OperationRow[];
  /** By 5xx, then by 4xx; without operations that had neither. */
  readonly byErrors: readonly OperationRow[];
  readonly byTime: readonly OperationRow[];
}

/** Sums the requests of operations with the same key; undefined leaves an operation out. */
export function trafficBy(
  operations: readonly OperationTraffic[],
  keyOf: (one: OperationTraffic['labels']) => string | undefined,
  seconds: number,
): ReadonlyMap<string, Traffic> {
  const sums = new Map<string, Float64Array>();
  for (const { labels, totals } of operations) {
    const key = keyOf(labels);
    if (key === undefined) continue;
    const sum = sums.get(key) ?? new Float64Array(TOTALS_LENGTH);
    addTotals(sum, totals);
    sums.set(key, sum);
  }
  return new Map([...sums].map(([key, totals]) => [key, trafficOf(totals, seconds)]));
}

/** @param seconds the time that the totals are of */
function trafficOf(totals: Float64Array, seconds: number): Traffic {
  const requests = read(totals, TOTALS.requests);
  const sum = read(totals, TOTALS.seconds);
  const buckets = totals.subarray(TOTALS.buckets);
  const quantile = (of: number): number | null => {
    const value = quantileOf(buckets, of);
    // No duration exceeds the sum, which the estimate inside a bucket can.
    return Number.isNaN(value) ? null : Math.min(value, sum);
  };
  return {
    requests,
    requestsPerSecond: seconds > 0 ? requests / seconds : 0,
    clientErrors: read(totals, TOTALS.clientErrors),
    serverErrors: read(totals, TOTALS.serverErrors),
    seconds: sum,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
  };
}

/** @param count of each list */
export function topOperations(
  operations: readonly OperationTraffic[],
  seconds: number,
  count: number,
): TopOperations {
  const rows = operations.map(({ labels, totals }): OperationRow => ({
    ...labels,
    ...trafficOf(totals, seconds),
  }));
  const first = (compare: (a: OperationRow, b: OperationRow) => number): readonly OperationRow[] =>
    [...rows].sort(compare).slice(0, count);
  return {
    byRequests: first((a, b) => b.requests - a.requests),
    byErrors: first((a, b) => b.serverErrors - a.serverErrors || b.clientErrors - a.clientErrors).filter(
      ({ serverErrors, clientErrors }) => serverErrors + clientErrors > 0,
    ),
    byTime: first((a, b) => b.seconds - a.seconds),
  };
}
