import fc from 'fast-check';
import { negotiateCoding } from '../../../../src/framework/http/negotiation/content-coding';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.50', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['identity;q=0.5, gzip;q=0.4', 'identity'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['compress, deflate', 'identity'],
  ['gzip;q=nonsense', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['br;q=1, gzip', 'br'],
  ['br, gzip;q=5', 'br'],
  ['br;Q=0.1, gzip', 'gzip'],
  ['br;xq=0.1, gzip', 'br'],
  ['br;q=0.1x, gzip', 'br'],
  [';;,,==', 'identity'],
])('%p chooses %s', (field, coding) => {
  expect(negotiateCoding(field)).toBe(coding);
});

it('chooses a coding for any string, and never one with weight 0', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (field) => {
      expect(['br', 'gzip', 'identity']).toContain(negotiateCoding(field));
      expect(negotiateCoding(`br;q=0, gzip;q=0.0, ${field.replace(/br|gzip/gi, '')}`)).toBe('identity');
    }),
  );
});
