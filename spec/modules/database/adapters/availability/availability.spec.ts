import { Availability } from '../../../../../src/modules/database/adapters/availability/availability';

describe('the availability of a database', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('is unknown before its first use', () => {
    const availability = new Availability(() => Promise.resolve());
    expect(availability.isAvailable).toBeUndefined();
    availability.succeeded();
    expect(availability.isAvailable).toBe(true);
  });

  test('is probed after a failure, at growing intervals, until it succeeds', async () => {
    const times: number[] = [];
    const availability: Availability = new Availability(() => {
      times.push(Date.now());
      if (times.length < 8) return Promise.reject(new Error('down'));
      availability.succeeded();
      return Promise.resolve();
    });
    const recovered = jest.fn();
    availability.onAvailable(recovered);
    const begin = Date.now();
    availability.failed();
    // Failures of other uses add no probes.
    availability.failed();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(times).toHaveLength(8);
    expect(recovered).toHaveBeenCalledTimes(1);
    const pauses = times.map((time, index) => time - (times[index - 1] ?? begin));
    expect(pauses[0]).toBeLessThanOrEqual(100);
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
  });

  test('is not probed after the end, and removed listeners are not called', async () => {
    const probe = jest.fn(() => Promise.reject(new Error('down')));
    const availability = new Availability(probe);
    const listener = jest.fn();
    availability.onAvailable(listener)();
    availability.failed();
    availability.close();
    availability.succeeded();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(probe).not.toHaveBeenCalled();
    expect(listener).not.toHaveBeenCalled();
  });
});
