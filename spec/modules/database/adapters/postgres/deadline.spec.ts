import { setFlagsFromString, getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deadline } from '../../../../../src/modules/database/adapters/postgres/deadline';

const TIMEOUT = 60_000;
const ignore = (): void => undefined;

/** A step that ends when the test says so. */
function openStep(): { readonly step: Promise<void>; readonly end: () => void } {
  let end = ignore;
  const step = new Promise<void>((resolve) => (end = resolve));
  return { step, end };
}

/** Limits that record whether their signal was read. */
class RecordedLimits {
  readonly controller = new AbortController();
  isRead = false;

  get signal(): AbortSignal {
    this.isRead = true;
    return this.controller.signal;
  }
}

describe('the deadline of an execution', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    // The timer that all steps share ends when none waits.
    jest.advanceTimersByTime(60);
    jest.useRealTimers();
  });

  it('reads the signal of a step only when two looks have found it waiting', async () => {
    const limits = new RecordedLimits();
    const { step, end } = openStep();
    const waited = new Deadline(limits, TIMEOUT).wait(step, ignore);
    jest.advanceTimersByTime(30);
    expect(limits.isRead).toBe(false);
    jest.advanceTimersByTime(30);
    expect(limits.isRead).toBe(true);
    end();
    await waited;
  });

  it('interrupts those of several steps whose signals abort, also before the signal is read', async () => {
    const limits = Array.from({ length: 5 }, () => new RecordedLimits());
    const steps = limits.map(openStep);
    const interrupted: number[] = [];
    const waited = limits.map((one, at) =>
      new Deadline(one, TIMEOUT).wait(steps[at]?.step ?? Promise.resolve(), () => interrupted.push(at)),
    );
    limits[0]?.controller.abort();
    limits[1]?.controller.abort();
    jest.advanceTimersByTime(60);
    limits[4]?.controller.abort();
    for (const { end } of steps) end();
    const results = await Promise.allSettled(waited);
    expect(interrupted).toEqual([0, 1, 4]);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
  });

  it('lets the garbage collector free what has waited without a full collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
    const oldBytes = (): number =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? NaN;
    const pending: { readonly end: () => void; readonly waited: Promise<void> }[] = [];
    const begin = (): void => {
      // As large as a request with its response.
      const limits = new RecordedLimits();
      Object.assign(limits, { kept: Array.from({ length: 1000 }, (_, at) => ({ at })) });
      const { step, end } = openStep();
      pending.push({ end, waited: new Deadline(limits, TIMEOUT).wait(step, ignore) });
    };
    for (let count = 0; count < 32; count++) begin();
    collect();
    const before = oldBytes();
    for (let count = 0; count < 2000; count++) {
      begin();
      const oldest = pending.shift();
      oldest?.end();
      await oldest?.waited;
      if (count % 100 === 0) collect({ type: 'minor' });
    }
    // All of them are 32 MB.
    expect(oldBytes() - before).toBeLessThan(8_000_000);
    for (const { end } of pending) end();
    await Promise.all(pending.map(({ waited }) => waited));
  });
});
