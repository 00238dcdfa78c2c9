import { BlockList, isIP } from 'node:net';
import type { Request } from '../../../framework';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Strips the zone of an address, and unmaps an IPv4-mapped IPv6 address. */
function normalize(address: string): string {
  const [bare = ''] = address.split('%');
  return MAPPED.exec(bare)?.[1] ?? bare;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** A set of IP networks. */
export class Networks {
  /** Separate, since a `BlockList` with ::/0 would match IPv4 addresses as well. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @throws RangeError for an invalid network */
  constructor(networks: readonly string[]) {
    for (const network of networks) this.#add(network);
  }

  #add(network: string): void {
    const [address = '', bits, ...rest] = network.split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || address.includes('%') || rest.length > 0 || prefix < 0 || prefix > longest) {
      throw new RangeError(
        `${JSON.stringify(network)} is not a network. Use a form such as "192.0.2.0/24", "2001:db8::/32" or "192.0.2.7".`,
      );
    }
    const mapped = MAPPED.exec(address)?.[1];
    if (mapped !== undefined && prefix >= 96) this.#lists.ipv4.addSubnet(mapped, prefix - 96, 'ipv4');
    else this.#lists[familyOf(address)].addSubnet(address, prefix, familyOf(address));
  }

  /** @param address as reported by a socket; an invalid address is in no network */
  has(address: string): boolean {
    const bare = normalize(address);
    return isIP(bare) !== 0 && this.#lists[familyOf(bare)].check(bare, familyOf(bare));
  }
}

const loopback = new Networks(['127.0.0.0/8', '::1']);

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return loopback.has(address);
}

/** Whether a request certainly comes from this machine. */
export function isLocalRequest(request: Request): boolean {
  return isLoopback(request.address) && !request.isAddressUnknown;
}
