import fc from 'fast-check';
import { isLoopback, Networks } from '../../../../src/modules/admin/access/networks';

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

describe('Networks', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.0/8']],
    ['::1', ['::1/128']],
    ['::ffff:127.0.0.1', ['127.0.0.0/8']],
    ['::FFFF:192.0.2.9', ['192.0.2.0/24']],
    ['192.0.2.200', ['::ffff:192.0.2.0/120']],
    ['192.0.2.9', ['::ffff:0.0.0.0/96']],
    ['2001:DB8::1', ['2001:db8::/32']],
    ['fe80::1%eth0', ['fe80::/10']],
    ['203.0.113.7', ['10.0.0.0/8', '203.0.113.7']],
    ['203.0.113.7', ['0.0.0.0/0']],
  ])('contain %s: %j', (address, networks) => {
    expect(new Networks(networks).has(address)).toBe(true);
  });

  it.each([
    ['128.0.0.1', ['127.0.0.0/8']],
    ['::2', ['::1/128']],
    ['::ffff:10.0.0.1', ['127.0.0.0/8', '::1']],
    ['192.0.2.9', ['::/0']],
    ['192.0.2.9', ['::ffff:0.0.0.0/95']],
    ['192.0.3.9', ['::ffff:192.0.2.0/120']],
    ['2001:db8::1', ['0.0.0.0/0']],
    ['', ['0.0.0.0/0', '::/0']],
    ['localhost', ['0.0.0.0/0', '::/0']],
    ['127.0.0.1', []],
    ['127.0.0.1\0.example', ['127.0.0.0/8']],
  ])('do not contain %j: %j', (address, networks) => {
    expect(new Networks(networks).has(address)).toBe(false);
  });

  it.each([
    'localhost',
    '',
    '127.0.0.0/33',
    '::1/129',
    '127.0.0.0/-1',
    '127.0.0.0/8/8',
    '127.0.0.0/x8',
    '127.0.0.0/8x',
    '127.0.0.0/',
    '127.0.0/8',
    'fe80::1%lo/64',
    '127.0.0.1\0',
  ])('cannot be created from %j', (network) => {
    expect(() => new Networks([network])).toThrow(/is not a network. Use a form such as/);
  });

  it('contain exactly the addresses with the same prefix', () => {
    fc.assert(
      fc.property(octets, octets, fc.nat(32), (network, address, bits) => {
        const number = ([a, b, c, d]: typeof network): bigint => BigInt((a * 256 + b) * 65_536 + c * 256 + d);
        const shift = BigInt(32 - bits);
        const shares = number(network) >> shift === number(address) >> shift;
        expect(new Networks([`${network.join('.')}/${bits}`]).has(address.join('.'))).toBe(shares);
        expect(new Networks([`${network.join('.')}/${bits}`]).has(`::ffff:${address.join('.')}`)).toBe(
          shares,
        );
      }),
    );
  });
});

describe('The loopback networks', () => {
  it('are 127.0.0.0/8 and ::1', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true);
    expect(['192.0.2.1', '::', '10.0.0.1', '::ffff:10.0.0.1', ''].some(isLoopback)).toBe(false);
  });
});
