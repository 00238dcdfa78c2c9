import type { OperationCounters, OperationLabels } from '../../operations';
import { addTotals, isTraffic, read, TOTALS, TOTALS_LENGTH, totalsOf } from './operation-totals';

/** The requests of an operation during a time. */
export interface OperationTraffic {
  readonly labels: OperationLabels;
  /** In the columns of {@link TOTALS}. */
  readonly totals: Float64Array;
}

/** The requests of one period, in the order of the operations. */
interface Period {
  /** In milliseconds. */
  readonly endedAt: number;
  readonly operations: readonly OperationCounters[];
  /** {@link TOTALS_LENGTH} columns for each operation. */
  readonly totals: Float32Array;
}

/** The requests of the operations that had some, during a time. */
export interface OperationsTraffic {
  readonly operations: readonly OperationTraffic[];
  readonly seconds: number;
}

/** One hour of minutes. */
const MAX_PERIODS = 60;
/** Operations of a period that are kept, those with the most requests: limits memory to 5 MB. */
const MAX_OPERATIONS = 1_000;

/** What the operations did in each minute of the last hour. Only operations with requests take memory. */
export class OperationHistory {
  /** Oldest first. */
  readonly #periods: Period[] = [];
  /** The counters at the end of the last period. */
  readonly #previous = new Map<OperationCounters, Float64Array>();
  #beganAt = performance.now();

  /** Begins again with the requests from now on. */
  restart(operations: Iterable<OperationCounters>): void {
    this.#beganAt = performance.now();
    this.#periods.length = 0;
    for (const counters of operations) this.#previous.set(counters, totalsOf(counters));
  }

  /** Ends a period. @param now in milliseconds of `performance.now()` */
  record(operations: Iterable<OperationCounters>, now: number): void {
    const active = this.#sinceLast(operations)
      .sort((a, b) => read(b.totals, TOTALS.requests) - read(a.totals, TOTALS.requests))
      .slice(0, MAX_OPERATIONS);
    const totals = new Float32Array(active.length * TOTALS_LENGTH);
    for (const [at, one] of active.entries()) totals.set(one.totals, at * TOTALS_LENGTH);
    for (const { counters } of active) this.#previous.set(counters, totalsOf(counters));
    this.#periods.push({ endedAt: now, operations: active.map(({ counters }) => counters), totals });
    if (this.#periods.length > MAX_PERIODS) this.#beganAt = this.#periods.shift()?.endedAt ?? now;
  }

  /** The requests of the last periods, and those since then. @param operations all counters */
  during(periods: number, operations: Iterable<OperationCounters>, now: number): OperationsTraffic {
    const sums = new Map<OperationCounters, Float64Array>();
    for (const { counters, totals } of this.#sinceLast(operations)) sums.set(counters, totals);
    for (const { operations: own, totals } of this.#periods.slice(-periods))
      for (const [at, counters] of own.entries()) {
        const sum = sums.get(counters) ?? new Float64Array(TOTALS_LENGTH);
        addTotals(sum, totals.subarray(at * TOTALS_LENGTH, (at + 1) * TOTALS_LENGTH));
        sums.set(counters, sum);
      }
    const startedAt = this.#periods.at(-periods - 1)?.endedAt ?? this.#beganAt;
    return {
      operations: [...sums].map(([{ labels }, totals]) => ({ labels, totals })),
      seconds: Math.max(0, now - startedAt) / 1000,
    };
  }

  #sinceLast(
    operations: Iterable<OperationCounters>,
  ): { readonly counters: OperationCounters; readonly totals: Float64Array }[] {
    const active = [];
    for (const counters of operations) {
      if (!isTraffic(counters)) continue;
      const totals = totalsOf(counters);
      const previous = this.#previous.get(counters);
      if (previous !== undefined) addTotals(totals, previous, -1);
      if (read(totals, TOTALS.requests) > 0) active.push({ counters, totals });
    }
    return active;
  }
}
