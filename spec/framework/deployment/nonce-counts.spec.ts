import fc from 'fast-check';
import { CountWindow, WINDOW } from '../../../src/framework/deployment/count-window';
import type { NonceCounter } from '../../../src/framework/deployment/deployment-state';
import { NonceCounts } from '../../../src/framework/deployment/nonce-counts';

describe('the nonce count window', () => {
  it('accepts counts out of order within 256, each once, and none that is older', () => {
    const window = new CountWindow();
    expect([1, 300, 45, 44, 299, 45, 300, 301, 46, 45].map((count) => window.take(count))).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('handles gaps of any size', () => {
    const window = new CountWindow();
    expect(
      [0xffff_ffff, 0xffff_ffff, 0xffff_ffff - 255, 0xffff_ffff - 256, 1].map((n) => window.take(n)),
    ).toEqual([true, false, true, false, false]);
  });

  it('equals a list of all accepted counts', () => {
    const count = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(count, { maxLength: 300 }), (counts) => {
        const window = new CountWindow();
        const used = new Set<number>();
        for (const next of counts) {
          const highest = Math.max(0, ...used);
          const expected = !used.has(next) && next > highest - WINDOW;
          expect(window.take(next)).toBe(expected);
          if (expected) used.add(next);
        }
      }),
    );
  });
});

/** Of one lifetime. */
const counterOf = (counts: NonceCounts, nonce: string, expiresAt: number, lifetime = 60_000): NonceCounter =>
  counts.counterFor({ nonce, expiresAt, lifetime });

describe('nonce counts', () => {
  it('are accepted once per nonce, independently for each nonce', () => {
    const counts = new NonceCounts();
    const claim = (nonce: string): unknown => counterOf(counts, nonce, Date.now() + 60_000).claim(1);
    expect([claim('a'), claim('a'), claim('b')]).toEqual(['accepted', 'used', 'accepted']);
    const counter = counterOf(counts, 'a', Date.now() + 60_000);
    expect([counter.claim(2), counterOf(counts, 'a', 0).claim(2), counter.claim(3)]).toEqual([
      'accepted',
      'used',
      'accepted',
    ]);
  });

  it('are dropped with expired nonces, which cannot be used again', () => {
    let now = 0;
    const counts = new NonceCounts({ clock: () => now });
    const old = counterOf(counts, 'old', 60_000);
    const claimKept = (): unknown => counterOf(counts, 'kept', 120_000).claim(1);
    expect([old.claim(1), claimKept()]).toEqual(['accepted', 'accepted']);
    now = 60_000;
    expect(counterOf(counts, 'new', 110_000).claim(1)).toBe('accepted');
    expect([counts.size, claimKept()]).toEqual([2, 'used']);
    // Neither with a retained counter nor with a new one.
    expect([old.claim(2), counterOf(counts, 'old', 60_000).claim(2)]).toEqual(['stale', 'stale']);
  });

  it('are searched for expired nonces every ten seconds', () => {
    let now = 0;
    const counts = new NonceCounts({ clock: () => now });
    const sizes = [0, 9_999, 10_000, 15_000, 20_000].map((time) => {
      now = time;
      counterOf(counts, `of ${time}`, time + 1_000);
      return counts.size;
    });
    expect(sizes).toEqual([1, 2, 2, 3, 1]);
  });

  it('drop the nonce that expires first, in whatever order they came', () => {
    const counts = new NonceCounts({ limit: 3, clock: () => 0 });
    const counters = [3_000, 1_000, 2_000, 4_000].map((end) => counterOf(counts, `until ${end}`, end));
    expect(counters.map((one) => one.claim(1))).toEqual(['accepted', 'stale', 'accepted', 'accepted']);
    expect(counts.size).toBe(3);
  });

  it('drop the nonces that expire first when full, and no count is accepted twice', () => {
    const counts = new NonceCounts({ limit: 8, clock: () => 0 });
    const numbered = (index: number): NonceCounter => counterOf(counts, `nonce${index}`, 1000 + index);
    const kept: NonceCounter[] = [];
    for (let index = 0; index < 20; index++) {
      kept.push(numbered(index));
      expect(kept[index]?.claim(1)).toBe('accepted');
      expect(counts.size).toBeLessThanOrEqual(8);
    }
    for (let index = 0; index < 20; index++) expect(numbered(index).claim(1)).not.toBe('accepted');
    expect([kept[0]?.claim(2), kept[19]?.claim(2), numbered(19).claim(3)]).toEqual([
      'stale',
      'accepted',
      'accepted',
    ]);
  });

  it('evict only nonces of the lifetime that has most, and accept new ones of a shorter lifetime', () => {
    let now = 0;
    const counts = new NonceCounts({ limit: 100, clock: () => now });
    const claim = (name: string, lifetime: number): unknown =>
      counterOf(counts, name, now + lifetime, lifetime).claim(1);
    const password = counterOf(counts, 'one-time password', 180_000, 180_000);
    expect(password.claim(1)).toBe('accepted');
    for (let index = 0; index < 250; index++) {
      now += 10;
      expect(claim(`long ${index}`, 3_600_000)).toBe('accepted');
      expect(claim(`short ${index}`, index % 10 === 0 ? 300_000 : 3_600_000)).toBe('accepted');
      expect(counts.size).toBeLessThanOrEqual(100);
    }
    expect(password.claim(1)).toBe('used');
    expect(counterOf(counts, 'long 0', 10 + 3_600_000, 3_600_000).claim(1)).toBe('stale');
  });
});
