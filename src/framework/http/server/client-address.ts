import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Fields that proxies add to forwarded requests. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'via'] as const;

/** An address with a port, as some proxies write: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

type Trust = (address: string, hop: number) => boolean;

/**
 * Determines client addresses. Forwarding fields are used only as far as trusted proxies wrote them: anyone can send
 * them.
 */
export class ClientAddresses {
  readonly #trust: Trust | undefined;

  /**
   * @param trusted networks such as `10.0.0.0/8`, the names `loopback`, `linklocal` and `uniquelocal`, or the number
   * of
   *   proxies in front of the service
   * @throws RangeError for an invalid network
   */
  constructor(trusted: readonly string[] | number = []) {
    if (typeof trusted === 'number') {
      if (trusted > 0) this.#trust = (_, hop) => hop < trusted;
    } else if (trusted.length > 0) this.#trust = compile(trusted);
  }

  /** Returns the client's network address; empty if the connection is already closed. */
  of(message: IncomingMessage): string {
    const peer = message.socket.remoteAddress ?? '';
    if (this.#trust === undefined || peer === '') return peer;
    // From the peer to the first untrusted address, which is the client's.
    const hops = proxyAddr.all(message, this.#trust).flatMap((hop) => plainAddress(hop) ?? []);
    return hops.at(-1) ?? peer;
  }

  /** Returns whether a peer is a trusted proxy, whose connections carry the requests of many clients. */
  isProxy(peer: string): boolean {
    return this.#trust?.(peer, 0) === true;
  }

  /** Returns whether the request was forwarded by an untrusted proxy, or without a client address. */
  isUnknown(message: IncomingMessage): boolean {
    if (FORWARDING.every((name) => message.headers[name] === undefined)) return false;
    return (
      message.headers['x-forwarded-for'] === undefined || !this.isProxy(message.socket.remoteAddress ?? '')
    );
  }
}

/** Returns undefined if it is not an address: a proxy may write "unknown". */
function plainAddress(hop: string): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(hop) ?? [];
  const address = v6 ?? v4 ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

function compile(trusted: readonly string[]): Trust {
  for (const network of trusted) {
    try {
      proxyAddr.compile(network);
    } catch (error) {
      throw new RangeError(
        `${JSON.stringify(network)} is not a network. Use a form such as "10.0.0.0/8", "2001:db8::/32" or "192.0.2.7", or one of: loopback, linklocal, uniquelocal.`,
        { cause: error },
      );
    }
  }
  return proxyAddr.compile([...trusted]);
}
