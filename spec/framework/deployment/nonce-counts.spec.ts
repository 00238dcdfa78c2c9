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

describe('nonce counts', () => {
  it('are accepted once per nonce, independently for each nonce', () => {
    const counts = new NonceCounts();
    const claim = (nonce: string): unknown => counts.counterFor(nonce, Date.now() + 60_000).claim(1);
    expect([claim('a'), claim('a'), claim('b')]).toEqual(['accepted', 'used', 'accepted']);
    const counter = counts.counterFor('a', Date.now() + 60_000);
    expect([counter.claim(2), counts.counterFor('a', 0).claim(2), counter.claim(3)]).toEqual([
      'accepted',
      'used',
      'accepted',
    ]);
  });

  it('are dropped with expired nonces, which cannot be used again', () => {
    let now = 0;
    const counts = new NonceCounts({ clock: () => now });
    const old = counts.counterFor('old', 50_000);
    expect(old.claim(1)).toBe('accepted');
    now = 60_000;
    expect(counts.counterFor('new', 110_000).claim(1)).toBe('accepted');
    expect(counts.size).toBe(1);
    // Neither with a retained counter nor with a new one.
    expect([old.claim(2), counts.counterFor('old', 50_000).claim(2)]).toEqual(['stale', 'stale']);
  });

  it('drop the nonces that expire first when full, and no count is accepted twice', () => {
    const counts = new NonceCounts({ limit: 8, clock: () => 0 });
    const counterOf = (index: number): NonceCounter => counts.counterFor(`nonce${index}`, 1000 + index);
    const kept: NonceCounter[] = [];
    for (let index = 0; index < 20; index++) {
      kept.push(counterOf(index));
      expect(kept[index]?.claim(1)).toBe('accepted');
      expect(counts.size).toBeLessThanOrEqual(8);
    }
    for (let index = 0; index < 20; index++) expect(counterOf(index).claim(1)).not.toBe('accepted');
    expect([kept[0]?.claim(2), kept[19]?.claim(2), counterOf(19).claim(3)]).toEqual([
      'stale',
      'accepted',
      'accepted',
    ]);
  });
});
