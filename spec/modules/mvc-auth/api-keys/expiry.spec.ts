import { parseExpiry } from '../../../../src/modules/mvc-auth/api-keys/expiry';

const NOW = new Date('2026-01-31T12:00:00Z');

describe('the expiry of a key', () => {
  it.each([
    ['90m', '2026-01-31T13:30:00.000Z'],
    ['12h', '2026-02-01T00:00:00.000Z'],
    ['30d', '2026-03-02T12:00:00.000Z'],
    ['4w', '2026-02-28T12:00:00.000Z'],
    ['1y', '2027-01-31T12:00:00.000Z'],
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28T18:30Z', '2026-02-28T18:30:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(parseExpiry(text, NOW).toISOString()).toBe(time);
  });

  it.each([
    ['', 'is not a time of expiry'],
    ['30', 'is not a time of expiry'],
    ['30 d', 'is not a time of expiry'],
    ['-1d', 'is not a time of expiry'],
    ['1.5d', 'is not a time of expiry'],
    ['tomorrow', 'is not a time of expiry'],
    ['2026-02-30', 'is not a time of expiry'],
    ['2026-13-01', 'is not a time of expiry'],
    ['2026-01-31', 'is in the past'],
    ['0d', 'is in the past'],
    ['101y', 'is more than 100 years away'],
    ['9999-01-01', 'is more than 100 years away'],
  ])('is not %p', (text, reason) => {
    expect(() => parseExpiry(text, NOW)).toThrow(reason);
  });
});
