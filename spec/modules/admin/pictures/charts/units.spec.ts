import {
  bytes,
  count,
  duration,
  percent,
  perMinute,
  perSecond,
} from '../../../../../src/modules/admin/pictures/charts/units';

describe('A value with its unit', () => {
  it.each([
    [perSecond(0), '0/s'],
    [perSecond(12.345), '12.3/s'],
    [perSecond(0.0001), '<0.001/s'],
    [perSecond(999.6), '1k/s'],
    [perMinute(90), '90/min'],
    [percent(0.025), '2.5%'],
    [percent(1), '100%'],
    [duration(0), '0 ms'],
    [duration(0.00034), '340 µs'],
    [duration(0.000_999_9), '1 ms'],
    [duration(0.0123), '12.3 ms'],
    [duration(0.9999), '1 s'],
    [duration(126), '126 s'],
    [bytes(0), '0 bytes'],
    [bytes(999_900), '1 MB'],
    [bytes(128e6), '128 MB'],
    [count(1_219), '1.22k'],
    [count(2_500_000), '2.5M'],
  ])('is brief: %s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});
