import { TimeOrderedIds } from '../../../src/modules/atlas/time-ordered-ids';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('time-ordered identifiers', () => {
  it('sort in the order in which they were issued, however many there are in a millisecond', () => {
    const ids = new TimeOrderedIds(() => 1_700_000_000_000);
    const issued = Array.from({ length: 10_000 }, () => ids.next());
    expect(issued.every((id) => UUID_7.test(id))).toBe(true);
    expect([...issued].sort()).toEqual(issued);
  });

  it('keep their order when the clock is set back', () => {
    const times = [2000, 1000, 1000, 3000];
    const ids = new TimeOrderedIds(() => times.shift() ?? 0);
    const issued = Array.from({ length: 4 }, () => ids.next());
    expect([...issued].sort()).toEqual(issued);
    expect(issued[0]?.slice(0, 13)).toBe('00000000-07d0');
  });
});
