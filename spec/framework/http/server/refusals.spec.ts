import { Refusals } from '../../../../src/framework/http/limits/refusals';
import type { Log } from '../../../../src/framework';

/** A log that keeps its lines as `[refused, message]`. */
function keepingLog(): { readonly log: Log; readonly lines: (readonly [unknown, string])[] } {
  const lines: (readonly [unknown, string])[] = [];
  const warn = (details: unknown, message?: string): void => {
    lines.push([Reflect.get(Object(details), 'refused'), message ?? '']);
  };
  return { log: { warn, error: warn, info: warn, debug: warn }, lines };
}

const MESSAGE = 'Refusing connections: server.max_connections is reached.';

describe('The log of refusals', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has the first refusal at once, and the number of the others after ten seconds, although none follows', () => {
    const { log, lines } = keepingLog();
    const refusals = new Refusals();
    for (let count = 0; count < 170; count++) refusals.add('max_connections', log);
    expect(lines).toEqual([[1, MESSAGE]]);
    jest.advanceTimersByTime(10_000);
    expect(lines).toEqual([
      [1, MESSAGE],
      [169, MESSAGE],
    ]);
    jest.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(2);
    expect([...refusals.totals()]).toEqual([['max_connections', 170]]);
  });

  it('has at most one line per cause in ten seconds', () => {
    const { log, lines } = keepingLog();
    const refusals = new Refusals();
    for (let second = 0; second < 60; second++) {
      refusals.add('max_connections', log);
      refusals.add('queue_timeout', log);
      jest.advanceTimersByTime(1_000);
    }
    refusals.flush();
    const counts = lines.flatMap(([count, message]) => (message === MESSAGE ? [Number(count)] : []));
    expect(counts).toEqual([1, 9, 10, 10, 10, 10, 10]);
  });

  it('has what was not logged yet when the process ends', () => {
    const { log, lines } = keepingLog();
    const refusals = new Refusals();
    for (let count = 0; count < 3; count++) refusals.add('max_connections', log);
    refusals.flush();
    refusals.flush();
    jest.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      [1, MESSAGE],
      [2, MESSAGE],
    ]);
  });

  it('has no line for what is the fault of the client', () => {
    const refusals = new Refusals();
    refusals.add('malformed');
    refusals.flush();
    expect(jest.getTimerCount()).toBe(0);
    expect([...refusals.totals()]).toEqual([['malformed', 1]]);
  });
});
