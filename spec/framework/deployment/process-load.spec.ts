import { setTimeout as wait } from 'node:timers/promises';
import { ProcessLoad } from '../../../src/framework';

/** Keeps the event loop busy for more than the shortest measured time. */
function work(): void {
  for (const end = performance.now() + 1_100; performance.now() < end;);
}

describe('The load of a process', () => {
  it('is that since the last measurement, over at least a second', async () => {
    const load = new ProcessLoad();
    work();
    expect(load.measure(20).load).toBeGreaterThan(0.8);
    await wait(1_500);
    const { load: idle, rate } = load.measure(21);
    expect(idle).toBeLessThan(0.5);
    expect(rate).toBeLessThan(1);
    work();
    expect(load.measure(21)).toEqual({ load: expect.closeTo(1, 0) as number, rate: 0 });
    expect(load.measure(1_000).rate).toBe(0);
  });

  it('is first that since the start of the process, if it is asked so', () => {
    const { load, rate } = new ProcessLoad(0).measure(Math.ceil(performance.now()));
    expect(load).toBeGreaterThan(0);
    expect(rate).toBeCloseTo(1_000, -2);
  });
});
