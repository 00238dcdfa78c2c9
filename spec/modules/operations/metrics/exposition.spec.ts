import fc from 'fast-check';
import { metricHead, operationMetrics, sample } from '../../../../src/modules/operations/metrics/exposition';
import {
  DURATION_BUCKETS,
  OperationCounters,
} from '../../../../src/modules/operations/metrics/operation-counters';
import { anyText } from '../../../factories/any-text';

const labels = { api: 'Shop', version: '1', service: 'Order', operation: 'Shop_getOrder', method: 'GET' };

describe('The text format of metrics', () => {
  it('escapes label values, so that any text can be read back', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        const line = sample('x', { name: value }, 1);
        const [, escaped = ''] = /^x\{name="((?:[^"\\\n]|\\[\\"n])*)"\} 1\n$/.exec(line) ?? [];
        const read = escaped.replace(/\\([\\"n])/g, (_, one: string) => (one === 'n' ? '\n' : one));
        expect(read).toBe(value);
      }),
    );
  });

  it('introduces metrics with their help and type, and writes values without labels', () => {
    expect(metricHead('up', 'One\nline \\ two', 'gauge')).toBe(
      '# HELP up One\\nline \\\\ two\n# TYPE up gauge\n',
    );
    expect(sample('up', {}, 1.5)).toBe('up 1.5\n');
    expect(sample('up', {}, Infinity)).toBe('up +Inf\n');
    expect(sample('up', { shard: 1 }, 2)).toBe('up{shard="1"} 2\n');
  });

  it('counts each request in its status class, its bucket and the sums', () => {
    const counters = new OperationCounters(labels);
    counters.count(200, 0.0004, 10);
    counters.count(204, 0.0005, 0);
    counters.count(404, 0.3, 90);
    counters.count(0, 11, 0);
    counters.count(700, 0.002, 0);
    const text = [...operationMetrics([counters])].join('');
    const shown = 'api="Shop",version="1",service="Order",operation="Shop_getOrder",method="GET"';
    for (const line of [
      `apidesc_http_requests_total{${shown},status="none"} 2`,
      `apidesc_http_requests_total{${shown},status="2xx"} 2`,
      `apidesc_http_requests_total{${shown},status="4xx"} 1`,
      `apidesc_http_response_bytes_total{${shown}} 100`,
      `apidesc_http_request_duration_seconds_bucket{${shown},le="0.0005"} 2`,
      `apidesc_http_request_duration_seconds_bucket{${shown},le="0.0025"} 3`,
      `apidesc_http_request_duration_seconds_bucket{${shown},le="0.5"} 4`,
      `apidesc_http_request_duration_seconds_bucket{${shown},le="10"} 4`,
      `apidesc_http_request_duration_seconds_bucket{${shown},le="+Inf"} 5`,
      `apidesc_http_request_duration_seconds_count{${shown}} 5`,
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('status="5xx"');
  });

  it('has buckets in ascending order, whose counts never decrease', () => {
    expect([...DURATION_BUCKETS].sort((one, other) => one - other)).toEqual(DURATION_BUCKETS);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), (durations) => {
        const counters = new OperationCounters(labels);
        for (const seconds of durations) counters.count(200, seconds, 1);
        const text = [...operationMetrics([counters])].join('');
        const found = [...text.matchAll(/_bucket\{.*,le="(.*)"\} (\d+)$/gm)].map(
          ([, bound, count]) => [bound === '+Inf' ? Infinity : Number(bound), Number(count)] as const,
        );
        for (const [bound, count] of found)
          expect(count).toBe(durations.filter((seconds) => seconds <= bound).length);
        expect(found).toHaveLength(DURATION_BUCKETS.length + 1);
      }),
    );
  });
});
