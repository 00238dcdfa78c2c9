import { isIPv6 } from 'node:net';

/** The sixth group of IPv4-mapped addresses; it has no other notation. */
const MAPPED = /:ffff:/i;

/**
 * Returns the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), whatever its notation; any other text
 * unchanged.
 *
 * @example
 * unmappedAddress('0:0:0:0:0:ffff:c000:207'); // '192.0.2.7'
 */
export function unmappedAddress(address: string): string {
  // `isIPv6` takes several milliseconds to compile its regular expressions: a start does without.
  if (!MAPPED.test(address)) return address;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (!isMapped) return address;
  return embeddedAddress(groups);
}

/** The well-known prefix of translators between IPv6 and IPv4, 64:ff9b::/96 (RFC 6052, 2.1). */
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0].join();

/** Returns the IPv4 address in the last two groups. */
function embeddedAddress(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * Returns the key under which the connections, requests and failures of an address are counted. An IPv6 customer has a whole /64, which counts as one
 * address. An IPv4-mapped IPv6 address counts as IPv4, and so does one with the prefix of translators, behind which are all
 * IPv4 clients of a network that has IPv6 only.
 *
 * @example
 * addressKey('::ffff:192.0.2.7'); // '192.0.2.7'
 * addressKey('64:ff9b::192.0.2.7'); // '192.0.2.7'
 * addressKey('2001:db8::1'); // '2001:db8:0:0::/64'
 */
export function addressKey(address: string): string {
  const unmapped = unmappedAddress(address);
  if (!unmapped.includes(':')) return unmapped;
  const [plain = ''] = unmapped.split('%');
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (groups.slice(0, 6).join() === TRANSLATED) return embeddedAddress(groups);
  const network = groups.slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address without a zone. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const before = numbersOf(head);
  const after = tail === undefined ? [] : numbersOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0);
  return [...before, ...zeros, ...after];
}

/** An IPv4 suffix is two groups. */
function numbersOf(part: string): readonly number[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (!group.includes('.')) return [parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });
}
