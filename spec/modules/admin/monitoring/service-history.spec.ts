import { ServiceHistory } from '../../../../src/modules/admin/monitoring/service-history';
import { RequestMetrics } from '../../../../src/modules/operations';

const LABELS = { api: 'Shop', version: '1', service: 'Order', operation: 'Shop_getOrder', method: 'GET' };

let history: ServiceHistory;
let metrics: RequestMetrics;
const user = {};

beforeEach(() => {
  metrics = new RequestMetrics();
  history = new ServiceHistory({ metrics: () => metrics, inFlight: () => 3 });
});
afterEach(() => history.release(user));

describe('The history of the service', () => {
  it('has the requests between two samples, and the state of the process', () => {
    history.retain(user);
    const start = performance.now();
    const order = metrics.operation(LABELS);
    order.count(200, 0.02, 5);
    order.count(404, 0.02, 5);
    history.sample(start + 5_000);
    order.count(500, 2, 5);
    history.sample(start + 10_000);
    history.sample(start + 15_000);
    const [first, second, third] = history.samples;
    expect(first?.outcomes).toMatchObject({ requests: 2, clientErrors: 1, serverErrors: 0 });
    expect(second).toMatchObject({
      seconds: expect.closeTo(5, 6) as number,
      inFlight: 3,
      outcomes: { requests: 1, serverErrors: 1 },
    });
    expect(second?.buckets.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(third?.outcomes.requests).toBe(0);
    expect(first?.memory.resident).toBeGreaterThan(first?.memory.heap ?? Infinity);
  });

  it('counts refused credentials by adapter, and neither challenges nor successes', () => {
    history.retain(user);
    metrics.countAuthentication('basic', 'failure');
    metrics.countAuthentication('basic', 'throttled');
    metrics.countAuthentication('basic', 'challenge');
    metrics.countAuthentication('digest', 'success');
    history.sample();
    history.sample();
    expect(history.samples.map(({ refusals }) => [...refusals])).toEqual([[['basic', 2]], []]);
  });

  it('leaves out administrators, and requests before it began', () => {
    metrics.operation(LABELS).count(200, 0.1, 0);
    history.retain(user);
    metrics.operation({ ...LABELS, api: 'Admin' }).count(200, 0.1, 0);
    metrics
      .operation({ api: '', version: '', service: '', operation: 'admin page overview GET', method: 'GET' })
      .count(200, 0.1, 0);
    history.sample();
    expect(history.samples[0]?.outcomes.requests).toBe(0);
    expect(history.operations(5).operations).toEqual([]);
  });

  it('keeps one hour, however long it runs', () => {
    history.retain(user);
    const start = performance.now();
    for (let at = 1; at <= 1_000; at++) {
      if (at % 12 === 0) metrics.operation(LABELS).count(200, 0.01, 0);
      history.sample(start + at * 5_000);
    }
    expect(history.samples).toHaveLength(720);
    expect(history.samples[0]?.at).toBe(start + 281 * 5_000);
    const [order] = history.operations(60).operations;
    expect(order?.labels.operation).toBe('Shop_getOrder');
    expect(order?.totals[0]).toBe(60);
    expect(history.operations(5).operations[0]?.totals[0]).toBe(5);
  });

  it('is measured until its last user has released it', () => {
    const other = {};
    history.retain(user);
    history.retain(other);
    history.release(user);
    metrics.operation(LABELS).count(200, 0.1, 0);
    history.retain(user);
    history.sample();
    // The second user did not start it again.
    expect(history.samples[0]?.outcomes.requests).toBe(1);
    history.release(user);
    history.release(other);
    metrics.operation(LABELS).count(200, 0.1, 0);
    history.retain(user);
    history.sample();
    // It began again.
    expect(history.samples[1]?.outcomes.requests).toBe(0);
  });
});
