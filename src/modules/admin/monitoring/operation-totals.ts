import { DURATION_BUCKETS, STATUS_CLASSES, type OperationCounters } from '../../operations';
import { ADMIN_API } from '../changes/lockout';

/** The columns of totals: requests, 4xx, 5xx, the sum of the durations in seconds, and the buckets of the histogram. */
export const TOTALS = {
  requests: 0,
  clientErrors: 1,
  serverErrors: 2,
  seconds: 3,
  buckets: 4,
} as const;
export const TOTALS_LENGTH = TOTALS.buckets + DURATION_BUCKETS.length + 1;

const CLIENT_ERRORS = STATUS_CLASSES.indexOf('4xx');
const SERVER_ERRORS = STATUS_CLASSES.indexOf('5xx');

/** Whether requests of an operation are shown: not those of administrators, who would see their own looking, nor assets. */
export function isTraffic({ labels: { api, operation } }: OperationCounters): boolean {
  return api !== ADMIN_API && !/^(?:admin page|asset) /.test(operation);
}

/** Reads the counters of an operation, since the start of the process. */
export function totalsOf(counters: OperationCounters): Float64Array {
  const totals = new Float64Array(TOTALS_LENGTH);
  for (const at of STATUS_CLASSES.keys()) totals[TOTALS.requests] = read(totals, 0) + counters.requests(at);
  totals[TOTALS.clientErrors] = counters.requests(CLIENT_ERRORS);
  totals[TOTALS.serverErrors] = counters.requests(SERVER_ERRORS);
  totals[TOTALS.seconds] = counters.seconds;
  totals.set(counters.buckets, TOTALS.buckets);
  return totals;
}

/** Adds totals to others, column by column. */
export function addTotals(sum: Float64Array, totals: Float64Array | Float32Array, sign: 1 | -1 = 1): void {
  for (let at = 0; at < TOTALS_LENGTH; at++) sum[at] = read(sum, at) + sign * read(totals, at);
}

/** The value at an index that is inside. */
export function read(values: Float64Array | Float32Array, at: number): number {
  return values[at] ?? 0;
}
