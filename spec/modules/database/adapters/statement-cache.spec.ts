import { StatementCache } from '../../../../src/modules/database/adapters/statement-cache';

const keptOf = (cache: StatementCache<number>, count: number): number =>
  Array.from({ length: count }, (_, at) => cache.get(String(at))).filter((one) => one !== undefined).length;

describe('the statements that are kept', () => {
  it('are the latest 500', () => {
    const cache = new StatementCache<number>();
    for (let at = 0; at < 510; at++) expect(cache.add(String(at), at, 300)).toBe(at);
    expect(keptOf(cache, 10)).toBe(0);
    expect(keptOf(cache, 510)).toBe(500);
  });

  it('are fewer if they are long, since those with many values take much memory', () => {
    const cache = new StatementCache<number>();
    for (let at = 0; at < 100; at++) cache.add(String(at), at, 40_000);
    expect(keptOf(cache, 100)).toBe(10);
    expect(cache.get('99')).toBe(99);
  });

  it('do not make room for one that would take the place of most others', () => {
    const cache = new StatementCache<number>();
    for (let at = 0; at < 100; at++) cache.add(String(at), at, 300);
    expect(cache.add('long', -1, 150_000)).toBe(-1);
    expect(cache.get('long')).toBeUndefined();
    expect(keptOf(cache, 100)).toBe(100);
  });

  it('make room when they are removed or replaced', () => {
    const cache = new StatementCache<number>();
    for (let at = 0; at < 100; at++) {
      cache.add('same', at, 40_000);
      cache.add('removed', at, 40_000);
      cache.delete('removed');
    }
    for (let at = 0; at < 9; at++) cache.add(String(at), at, 40_000);
    expect([cache.get('same'), keptOf(cache, 9)]).toEqual([99, 9]);
  });
});
