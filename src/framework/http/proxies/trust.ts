import type proxyAddr from 'proxy-addr';
import { lazily } from '../../values/lazily';

const load = require;
const addresses = lazily(() => load('proxy-addr') as typeof proxyAddr);

/**
 * Whether a hop is a trusted proxy.
 * @param hop 0 for the peer of the connection, 1 for the one before it
 */
export type Trust = (address: string, hop: number) => boolean;

/**
 * Compiles `server.trust_proxy`.
 * @param trusted networks such as `10.0.0.0/8`, the names `loopback`, `linklocal` and `uniquelocal`, or the number of
 *   proxies in front of the service
 * @returns undefined if no proxy is trusted
 * @throws RangeError for an invalid network
 */
export function compileTrust(trusted: readonly string[] | number): Trust | undefined {
  if (typeof trusted === 'number') return trusted > 0 ? (_, hop) => hop < trusted : undefined;
  return trusted.length > 0 ? compileNetworks(trusted) : undefined;
}

function compileNetworks(networks: readonly string[]): Trust {
  for (const network of networks) {
    if (/^[^/]+\/0(\.0\.0\.0)?$/.test(network)) {
      throw new RangeError(
        `${JSON.stringify(network)} contains every address, so that any client could pretend to be another one. List the networks of your proxies.`,
      );
    }
    try {
      addresses().compile(network);
    } catch (error) {
      throw new RangeError(
        `${JSON.stringify(network)} is not a network. Use a form such as "10.0.0.0/8", "2001:db8::/32" or "192.0.2.7", or one of: loopback, linklocal, uniquelocal.`,
        { cause: error },
      );
    }
  }
  return addresses().compile([...networks]);
}
