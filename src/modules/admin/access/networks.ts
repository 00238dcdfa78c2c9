import { BlockList, SocketAddress } from 'node:net';
import { unmappedAddress, type Request } from '../../../framework';

const CHARACTERS = /^[\da-f.:]+$/i;

/** Strips the zone of an address, and unmaps an IPv4-mapped IPv6 address. */
function normalize(address: string): string {
  const [bare = ''] = address.split('%');
  return unmappedAddress(bare);
}

/**
 * Parses an address; returns undefined for an invalid one. `isIP` does so with regular expressions, which take several
 * milliseconds to compile at each start.
 */
function parseAddress(address: string): SocketAddress | undefined {
  // It would ignore a zone, and what follows a NUL.
  if (!CHARACTERS.test(address)) return undefined;
  try {
    return new SocketAddress({ address, family: address.includes(':') ? 'ipv6' : 'ipv4' });
  } catch {
    return undefined;
  }
}

/** A set of IP networks. */
export class Networks {
  /** Separate, since a `BlockList` with ::/0 would match IPv4 addresses as well. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @throws RangeError for an invalid network */
  constructor(networks: readonly string[]) {
    for (const network of networks) this.#add(network);
  }

  #add(network: string): void {
    const [text = '', bits, ...rest] = network.split('/');
    const address = parseAddress(text);
    const longest = address?.family === 'ipv4' ? 32 : 128;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (address === undefined || rest.length > 0 || prefix < 0 || prefix > longest) {
      throw new RangeError(
        `${JSON.stringify(network)} is not a network. Use a form such as "192.0.2.0/24", "2001:db8::/32" or "192.0.2.7".`,
      );
    }
    const mapped = unmappedAddress(text);
    if (mapped !== text && prefix >= 96) this.#lists.ipv4.addSubnet(mapped, prefix - 96, 'ipv4');
    else this.#lists[address.family].addSubnet(address, prefix);
  }

  /** @param address as reported by a socket; an invalid address is in no network */
  has(address: string): boolean {
    const parsed = parseAddress(normalize(address));
    return parsed !== undefined && this.#lists[parsed.family].check(parsed);
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
