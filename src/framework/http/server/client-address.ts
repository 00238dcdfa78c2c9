import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Fields by which proxies say that they hand on somebody else's request. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'via'] as const;

/** `192.0.2.7:4711` and `[2001:db8::7]:4711`, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

type Trust = (address: string, hop: number) => boolean;

/**
 * Whose address counts as the client's. Fields of the request are believed as far as they come from trusted proxies,
 * and no further: anybody can send them.
 */
export class ClientAddresses {
  readonly #trust: Trust | undefined;

  /**
   * @param trusted networks such as `10.0.0.0/8`, the names `loopback`, `linklocal` and `uniquelocal`, or how many
   *   proxies there are before the service
   * @throws RangeError for what is no network
   */
  constructor(trusted: readonly string[] | number = []) {
    if (typeof trusted === 'number') {
      if (trusted > 0) this.#trust = (_, hop) => hop < trusted;
    } else if (trusted.length > 0) this.#trust = compile(trusted);
  }

  /** The client's network address; empty when the connection was gone before anybody asked. */
  of(message: IncomingMessage): string {
    const peer = message.socket.remoteAddress ?? '';
    if (this.#trust === undefined || peer === '') return peer;
    // From the peer to the first that is not trusted, who is the client.
    const hops = proxyAddr.all(message, this.#trust).flatMap((hop) => plainAddress(hop) ?? []);
    return hops.at(-1) ?? peer;
  }

  /** Whether a peer is a trusted proxy: then its connections are those of many clients. */
  isProxy(peer: string): boolean {
    return this.#trust?.(peer, 0) === true;
  }

  /** Whether somebody forwarded the request who is not trusted to say for whom, or does not say: it may be anybody's. */
  isUnknown(message: IncomingMessage): boolean {
    if (FORWARDING.every((name) => message.headers[name] === undefined)) return false;
    return (
      message.headers['x-forwarded-for'] === undefined || !this.isProxy(message.socket.remoteAddress ?? '')
    );
  }
}

/** Undefined for what is no address: a proxy may write "unknown". */
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
        `${JSON.stringify(network)} is not a network. Write one such as "10.0.0.0/8", "2001:db8::/32" or "192.0.2.7", or one of: loopback, linklocal, uniquelocal.`,
        { cause: error },
      );
    }
  }
  return proxyAddr.compile([...trusted]);
}
