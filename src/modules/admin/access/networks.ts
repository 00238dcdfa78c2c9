import { BlockList, isIP } from 'node:net';
import type { Request } from '../../../framework';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address without its zone, and IPv4 in the clothes of IPv6 as IPv4. */
function plain(address: string): string {
  const [bare = ''] = address.split('%');
  return MAPPED.exec(bare)?.[1] ?? bare;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Networks that addresses are in, or not. */
export class Networks {
  /** Apart, as one list would hold IPv4 to be a part of IPv6. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @throws RangeError for what is no network; its message says what is wrong, and with which */
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

  /** Whether an address as a socket gives it is in one of them; one that is no address is in none. */
  has(address: string): boolean {
    const bare = plain(address);
    return isIP(bare) !== 0 && this.#lists[familyOf(bare)].check(bare, familyOf(bare));
  }
}

const loopback = new Networks(['127.0.0.0/8', '::1']);

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return loopback.has(address);
}

/** Whether a request comes from this machine for certain. */
export function isLocalRequest(request: Request): boolean {
  return isLoopback(request.address) && !request.isAddressUnknown;
}
