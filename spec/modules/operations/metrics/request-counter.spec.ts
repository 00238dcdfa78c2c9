import type { MvcEvent } from '../../../../src/framework';
import { RequestCounter, RequestMetrics } from '../../../../src/modules/operations/metrics/request-metrics';

describe('RequestCounter', () => {
  it('finds the counters of requests without an endpoint by their method, without making labels again', () => {
    const metrics = new RequestMetrics();
    const find = jest.spyOn(metrics, 'operation');
    const counter = new RequestCounter(metrics);
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'GET'])
      counter.count({
        request: { method },
        outgoing: { headersSent: false },
        response: { sentBytes: 1 },
        startedAt: 0,
      } as unknown as MvcEvent);
    expect(find).toHaveBeenCalledTimes(2);
    const counted = metrics
      .take()
      .operations.map(([{ operation, method }, [none]]) => [operation, method, none]);
    expect(counted).toEqual([
      ['', 'GET', 3],
      ['', 'HEAD', 2],
    ]);
  });
});
