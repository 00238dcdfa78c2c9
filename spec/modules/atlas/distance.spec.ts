import fc from 'fast-check';
import { greatCircle } from '../../../src/modules/atlas/distance';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('greatCircle', () => {
  it('returns 0 for the same point, is symmetric, and at most half the circumference', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(greatCircle(a, a)).toBeCloseTo(0, 6);
        expect(greatCircle(a, b)).toBeCloseTo(greatCircle(b, a), 6);
        expect(greatCircle(a, b)).toBeLessThanOrEqual(Math.PI * 6371.01);
      }),
    );
  });

  it('returns a quarter of the circumference from the equator to a pole', () => {
    const pole = { latitude: 90, longitude: 0 };
    expect(greatCircle({ latitude: 0, longitude: 77 }, pole)).toBeCloseTo((Math.PI / 2) * 6371.0088, 6);
  });
});

describe('the procedure Distance', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: [...HOSTING, 'atlas'] })));
  afterAll(() => platform.stop());

  it.each(['from=DE&to=FR', 'from=de&to=fr'])('measures ?%s', async (query) => {
    const answer = await platform.request(`/atlas/distance?${query}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ from: 'DE', to: 'FR', kilometres: 757.7 });
  });

  it('is the same in both versions', async () => {
    for (const version of ['/v1', '/v2']) {
      const answer = await platform.request(`${version}/atlas/distance?from=DE&to=DE`);
      expect(await bodyOf(answer)).toMatchObject({ kilometres: 0 });
    }
  });

  it.each([
    ['from=DE', [{ parameter: 'to', message: 'is required' }]],
    ['from=DEU&to=FR', [{ parameter: 'from', message: 'must match pattern "^[A-Za-z]{2}$"' }]],
    ['from=DE&to=XX', [{ parameter: 'to', message: 'must be the ISO 3166-1 alpha-2 code of a country' }]],
  ])('rejects ?%s with the name of the parameter', async (query, errors) => {
    const answer = await platform.request(`/atlas/distance?${query}`);
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).errors).toEqual(errors);
  });
});
