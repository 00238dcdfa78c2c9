import { duration } from '../../../../../src/modules/admin/screens/overview/overview-screen';

describe('A duration', () => {
  it.each([
    [0, 'less than a minute'],
    [59, 'less than a minute'],
    [60, '1 minute'],
    [3600, '1 hour'],
    [3 * 3600 + 12 * 60 + 5, '3 hours 12 minutes'],
    [2 * 86_400 + 3600 + 60, '2 days 1 hour'],
    [86_400 + 120, '1 day 2 minutes'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});
