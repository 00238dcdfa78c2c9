import { topOperations } from '../../../../../src/modules/admin/actions/dashboard/traffic';
import { TOTALS, TOTALS_LENGTH } from '../../../../../src/modules/admin/monitoring/operation-totals';
import { DURATION_BUCKETS } from '../../../../../src/modules/operations';

describe('The traffic of an operation', () => {
  it('has no percentile above the sum of its durations, whatever the bounds of the buckets', () => {
    const seconds = 0.042;
    const totals = new Float64Array(TOTALS_LENGTH);
    totals[TOTALS.requests] = 1;
    totals[TOTALS.seconds] = seconds;
    totals[TOTALS.buckets + DURATION_BUCKETS.findIndex((bound) => bound >= seconds)] = 1;
    const labels = { api: 'Shop', version: '1', service: 'Product', operation: 'fetchAll', method: 'GET' };
    const [row] = topOperations([{ labels, totals }], 60, 1).byTime;
    expect(row?.p50).toBeLessThan(seconds);
    expect([row?.p95, row?.p99]).toEqual([seconds, seconds]);
  });
});
