import fc from 'fast-check';
import { isIPv6 } from 'node:net';
import { Networks } from '../../../../src/modules/admin/access/networks';
import { addressKey } from '../../../../src/framework/http/limits/address-key';

describe('the throttling key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0000:0000:0000:0000:0000:FFFF:0a02:0002', '10.2.0.2'],
    ['0:0::0:0:ffff:10.2.0.2%eth0', '10.2.0.2'],
    ['1::ffff:c000:207', '1:0:0:0::/64'],
    ['::ffff:0:c000:207', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:0db8::7', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['64:ff9b:0:0:0:0:c000:207', '192.0.2.7'],
    ['64:ff9b::1:c000:207', '64:ff9b:0:0::/64'],
    ['64:ff9b:1::192.0.2.7', '64:ff9b:1:0::/64'],
    ['', ''],
    ['not an:address', 'not an:address'],
  ])('for %j is %j', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is the IPv4 address for every notation of an IPv4-mapped one', () => {
    const zeros = fc.constantFrom(
      '::',
      '0::',
      '::0:',
      '0:0:0:0:0:',
      '0000:0:00:000:0:',
      '0:0:0:0::',
      '::0:0:0:0:',
    );
    const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });
    const [padded, isUpper, isHexadecimal] = [fc.boolean(), fc.boolean(), fc.boolean()];
    fc.assert(
      fc.property(zeros, octets, padded, isUpper, isHexadecimal, (start, parts, pad, upper, hex) => {
        const [a = 0, b = 0, c = 0, d = 0] = parts;
        const groups = [a * 256 + b, c * 256 + d].map((one) => one.toString(16).padStart(pad ? 4 : 1, '0'));
        const text = `${start}ffff:${hex ? groups.join(':') : parts.join('.')}`;
        const address = upper ? text.toUpperCase() : text;
        expect(isIPv6(address)).toBe(true);
        expect(addressKey(address)).toBe(parts.join('.'));
        expect(new Networks([`${parts.join('.')}/32`]).has(address)).toBe(true);
        expect(new Networks([`${address}/128`]).has(parts.join('.'))).toBe(true);
      }),
    );
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
