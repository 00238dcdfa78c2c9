import { PhaseTimes, phaseOf } from '../../../../src/modules/operations/server-timing/phase-times';

describe('phases of Server-Timing', () => {
  it.each([
    ['route', 1, 'route'],
    ['route', -50, 'auth'],
    ['route', -100, 'route'],
    ['route', -600, 'auth'],
    ['route', -625, 'validation'],
    ['route', -650, 'validation'],
    ['dispatch', 1, 'handler'],
    ['render', 200, 'render'],
    ['response', 100, undefined],
    ['bootstrap', 1, undefined],
  ])('put a listener of %s at %d into %s', (event, priority, phase) => {
    expect(phaseOf(event, priority)).toBe(phase);
  });

  it('are added up, and written in a fixed order in milliseconds', () => {
    const times = new PhaseTimes();
    times.add('handler', 2.50049);
    times.add('database', 1);
    times.add('route', 0.0004);
    times.add('database', 0.25);
    expect(String(times)).toBe('route;dur=0, handler;dur=2.5, database;desc="2 statements";dur=1.25');
    expect(String(new PhaseTimes())).toBe('');
  });
});
