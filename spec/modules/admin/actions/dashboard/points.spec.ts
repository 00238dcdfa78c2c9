import fc from 'fast-check';
import { pointsOf, RANGES, type Values } from '../../../../../src/modules/admin/actions/dashboard/points';
import type { Sample } from '../../../../../src/modules/admin/monitoring/sample';
import { DURATION_BUCKETS } from '../../../../../src/modules/operations';

function sample(at: number, requests = 0, more: Partial<Sample> = {}): Sample {
  const buckets = DURATION_BUCKETS.map(() => 0);
  buckets[5] = requests;
  return {
    at,
    seconds: 5,
    outcomes: { requests, clientErrors: 0, serverErrors: 0, seconds: requests / 100 },
    buckets,
    refusals: new Map(),
    lag: { median: 0.001, p99: 0.002, maximum: 0.004 },
    memory: { resident: 100, heap: 50 },
    inFlight: 0,
    ...more,
  };
}

const known = (values: Values): readonly number[] => values.filter((value) => value !== null);

describe('The points of a dashboard', () => {
  it('have rates per second, shares of the requests, and percentiles', () => {
    const outcomes = { requests: 50, clientErrors: 10, serverErrors: 5, seconds: 1 };
    const { requests, successes, serverErrorShare, clientErrorShare, p50, refusals } = pointsOf(
      [sample(600_000, 50, { outcomes, refusals: new Map([['basic', 2]]) })],
      5,
      600_000,
    );
    expect([requests.at(-1), successes.at(-1)]).toEqual([10, 7]);
    expect([serverErrorShare.at(-1), clientErrorShare.at(-1)]).toEqual([0.1, 0.2]);
    expect(p50.at(-1)).toBeGreaterThan(0.01);
    expect(refusals).toEqual([
      { adapter: 'basic', values: requests.map((one) => (one === null ? null : 24)) },
    ]);
  });

  it('have no shares and percentiles without requests, and no values without samples', () => {
    const points = pointsOf([sample(600_000)], 15, 600_000);
    expect(known(points.requests)).toEqual([0]);
    expect(known(points.serverErrorShare)).toEqual([]);
    expect(known(points.p99)).toEqual([]);
    expect(known(pointsOf([], 60, 600_000).resident)).toEqual([]);
  });

  it('have the requests of every sample of the range once, oldest first', () => {
    const steps = fc.array(fc.integer({ min: 4_000, max: 9_000 }), { maxLength: 800 });
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom(...RANGES),
        fc.integer({ min: 0, max: 4_999 }),
        (gaps, range, late) => {
          let at = 10_000_000;
          const samples = gaps.map((gap) => sample((at += gap), 5));
          const now = at + late;
          const points = pointsOf(samples, range, now);
          const sums = points.requests.map((rate, index) => (rate === null ? 0 : index));
          expect([...points.ages].sort((a, b) => b - a)).toEqual(points.ages);
          expect(sums.length).toBe((range * 60) / points.step);
          const inside = samples.filter((one) => one.at > now - (range * 60 - points.step) * 1_000);
          // Each sample of 5 s has 5 requests: every known rate is 1.
          expect(new Set(known(points.requests)).size).toBeLessThanOrEqual(1);
          expect(known(points.requests).length > 0).toBe(
            inside.length > 0 || known(points.requests).length > 0,
          );
          if (inside.length > 0) expect(known(points.requests)[0]).toBeCloseTo(1);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keep a sample in its point as time passes', () => {
    const samples = [sample(1_000_000, 5), sample(1_005_000, 10), sample(1_010_000, 15)];
    const [before, after] = [pointsOf(samples, 15, 1_010_001), pointsOf(samples, 15, 1_019_999)];
    expect(known(before.requests)).toEqual(known(after.requests));
  });
});
