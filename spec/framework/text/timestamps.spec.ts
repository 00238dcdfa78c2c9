import fc from 'fast-check';
import { Timestamps } from '../../../src/framework/text/timestamps';

it('formats every time as toISOString does, in whatever order they come', () => {
  const times = fc.oneof(
    fc.integer({ min: 0, max: 4_000 }).map((ms) => Date.UTC(2026, 10, 26, 23, 59, 58) + ms),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  );
  fc.assert(
    fc.property(fc.array(times, { maxLength: 50 }), (all) => {
      const timestamps = new Timestamps();
      for (const time of all) expect(timestamps.of(time)).toBe(new Date(time).toISOString());
    }),
  );
});
