import fc from 'fast-check';
import { ClientUsage } from '../../../../src/modules/mvc-auth/throttling/usage/client-usage';

interface Step {
  readonly client: string;
  readonly weight: number;
  /** Milliseconds since the previous step. */
  readonly wait: number;
}

const steps = (window: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      client: fc.constantFrom('a', 'b'),
      weight: fc.integer({ min: 1, max: 3 }),
      wait: fc.oneof(fc.nat(5), fc.nat(window * 1_500), fc.constant(window * 1_000)),
    }),
    { maxLength: 120 },
  );

/** Everything that passed, which a limiter with unlimited memory would remember. */
class Log {
  readonly #passed: { readonly client: string; readonly weight: number; readonly at: number }[] = [];

  add(client: string, weight: number, at: number): void {
    this.#passed.push({ client, weight, at });
  }

  /** What a client used after a moment. */
  usedSince(client: string, from: number): number {
    return this.#passed
      .filter((one) => one.client === client && one.at > from)
      .reduce((sum, { weight }) => sum + weight, 0);
  }
}

describe('A sliding window', () => {
  it('lets no window have more than the limit, and refuses nothing that a window with a 256th more would allow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }).chain((window) => fc.tuple(fc.constant(window), steps(window))),
        fc.integer({ min: 3, max: 12 }),
        fc.nat(1e9),
        ([window, sequence], limit, start) => {
          let now = start;
          const usage = new ClientUsage(window, { now: () => now });
          const log = new Log();
          for (const { client, weight, wait } of sequence) {
            now += wait;
            const ms = usage.msUntil(client, weight, limit);
            const length = window * 1_000;
            if (ms === 0) {
              usage.add(client, weight);
              log.add(client, weight, now);
              expect(log.usedSince(client, now - length)).toBeLessThanOrEqual(limit);
            } else {
              expect(ms).toBeGreaterThan(0);
              expect(ms).toBeLessThanOrEqual(length + (2 * length) / 256);
              expect(log.usedSince(client, now - length - (2 * length) / 256) + weight).toBeGreaterThan(
                limit,
              );
            }
            const quota = usage.quota(client, limit);
            expect(quota.remaining).toBeLessThanOrEqual(limit - log.usedSince(client, now - length));
            expect(quota.remaining).toBeGreaterThanOrEqual(0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('allows a request after the time that it reported, and not before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_600 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(1e9),
        (window, limit, start) => {
          let now = start;
          const usage = new ClientUsage(window, { now: () => now });
          for (let used = 0; used < limit; used++) usage.add('a', 1);
          const ms = usage.msUntil('a', 1, limit);
          now = start + ms - 0.01;
          expect(usage.msUntil('a', 1, limit)).toBeGreaterThan(0);
          now = start + ms + 0.01;
          expect(usage.msUntil('a', 1, limit)).toBe(0);
        },
      ),
    );
  });

  it('reports when enough has expired for the weight of a request', () => {
    let now = 0;
    const usage = new ClientUsage(256, { now: () => now });
    usage.add('a', 1);
    now = 100_000;
    usage.add('a', 1);
    expect([1, 2].map((weight) => usage.msUntil('a', weight, 2))).toEqual([157_000, 257_000]);
    expect(usage.quota('a', 2)).toEqual({ remaining: 0, reset: 157_000 });
  });

  it('applies a changed limit to what was used', () => {
    const usage = new ClientUsage(60, { now: () => 0 });
    for (let used = 0; used < 10; used++) usage.add('a', 1);
    expect(usage.msUntil('a', 1, 11)).toBe(0);
    expect(usage.msUntil('a', 1, 5)).toBeGreaterThan(0);
    expect(usage.quota('a', 5).remaining).toBe(0);
  });
});

describe('What another process has counted', () => {
  const usedIn = (usage: ClientUsage, client: string): number => 1_000 - usage.quota(client, 1_000).remaining;

  it('is counted once, and as long as there', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }).chain((window) => fc.tuple(fc.constant(window), steps(window))),
        fc.nat(1e9),
        ([window, sequence], start) => {
          let now = start;
          const [here, there] = [1, 2].map(() => new ClientUsage(window, { now: () => now })) as [
            ClientUsage,
            ClientUsage,
          ];
          for (const { client, weight, wait } of sequence) {
            now += wait;
            there.add(client, weight);
          }
          for (let time = 0; time < 2; time++)
            for (const [client, uses] of there.uses()) here.raise(client, uses);
          for (const client of ['a', 'b']) {
            const since = now;
            let before = usedIn(there, client);
            expect(usedIn(here, client)).toBe(before);
            for (; before > 0; now += (window * 1_010) / 256) {
              expect(usedIn(here, client)).toBeGreaterThanOrEqual(usedIn(there, client));
              expect(usedIn(here, client)).toBeLessThanOrEqual(before);
              before = usedIn(there, client);
            }
            now = since;
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is added as far as it is not known, the newest first', () => {
    let now = 0;
    const usage = new ClientUsage(256, { now: () => now });
    usage.add('a', 3);
    now = 100_000;
    const uses = [
      [50_000, 2],
      [10_000, 2],
      [100_000, 2],
      [999_999, 5],
    ] as const;
    usage.raise('a', uses);
    usage.raise('a', uses.slice(1));
    usage.raise('b', [[-60_000, 1]]);
    const left = (time: number): number[] => {
      now = time;
      return ['a', 'b'].map((client) => usedIn(usage, client));
    };
    expect([100_000, 257_000, 306_999, 307_000, 347_000, 357_000].map(left)).toEqual([
      [6, 1],
      [3, 1],
      [3, 1],
      [2, 1],
      [0, 1],
      [0, 0],
    ]);
  });
});

describe('The usage of clients', () => {
  it('is bounded: expired clients leave first, then old ones', () => {
    let now = 0;
    const usage = new ClientUsage(1, { maximum: 100, now: () => now });
    for (let client = 0; client < 100; client++) usage.add(`early ${client}`, 1);
    now = 10_000;
    for (let client = 0; client < 1_000; client++) {
      usage.add(`late ${client}`, 1);
      expect(usage.size).toBeLessThanOrEqual(100);
    }
    expect(usage.quota('late 999', 1).remaining).toBe(0);
    const kept = Array.from(
      { length: 1_000 },
      (_, client) => usage.quota(`late ${client}`, 1).remaining === 0,
    );
    expect(kept.filter(Boolean)).toHaveLength(100);
  });

  it('shrinks while new clients come and go', () => {
    let now = 0;
    const usage = new ClientUsage(1, { now: () => now });
    for (let client = 0; client < 10_000; client++) usage.add(`burst ${client}`, 1);
    for (let client = 0; client < 10_000; client++) {
      now += 10;
      usage.add(`steady ${client}`, 1);
    }
    expect(usage.size).toBeLessThan(500);
  });

  it('takes few entries for a client, whatever the limit is', () => {
    let now = 0;
    const usage = new ClientUsage(60, { now: () => now });
    for (now = 0; now < 50_000; now++) usage.add('a', 1);
    expect(usage.quota('a', 1_000_000).remaining).toBe(950_000);
    // One for each 256th of a minute.
    expect([...usage.uses()].map(([, uses]) => uses.length)).toEqual([214]);
  });
});
