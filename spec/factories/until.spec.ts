import { until } from './until';

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;

describe('Waiting for a condition', () => {
  it('does not keep the process running, as the condition of a failed test is never met', async () => {
    const before = timers();
    let isMet = false;
    const waiting = until(() => isMet);
    await new Promise(setImmediate);
    const after = timers();
    isMet = true;
    await waiting;
    expect(after).toBe(before);
  });
});
