import fc from 'fast-check';
import { addressKey } from '../../../../src/modules/mvc-auth/throttling/address-key';

describe('the throttling key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:0db8::7', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['not an:address', 'not an:address'],
  ])('for %j is %j', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('covers the whole network in IPv6, in any notation', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }), (address, host) => {
        const key = addressKey(address);
        fc.pre(key.endsWith('/64'));
        const network = key.replace('::/64', '');
        expect(addressKey([network, ...host.map((group) => group.toString(16))].join(':'))).toBe(key);
      }),
    );
  });

  it('exists for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof addressKey(text)).toBe('string')));
  });
});
