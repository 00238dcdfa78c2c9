import { isIPv6 } from 'node:net';

/**
 * Returns the key under which failures of an address are counted. An IPv6 customer has a whole /64, which counts as one
 * address. An IPv4-mapped IPv6 address counts as IPv4.
 *
 * @example
 * addressKey('::ffff:192.0.2.7'); // '192.0.2.7'
 * addressKey('2001:db8::1'); // '2001:db8:0:0::/64'
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

/** An IPv4 suffix counts as two groups. */
function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
