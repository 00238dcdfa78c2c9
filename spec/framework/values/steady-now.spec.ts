import { steadyNow } from '../../../src/framework';

describe('steadyNow', () => {
  it('is the time of the system when the process started', () => {
    expect(Math.abs(steadyNow() - Date.now())).toBeLessThan(60_000);
  });

  it('runs on when the clock of the system is set', () => {
    const before = steadyNow();
    const set = jest.spyOn(Date, 'now').mockReturnValue(0);
    const after = steadyNow();
    set.mockRestore();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(60_000);
  });
});
