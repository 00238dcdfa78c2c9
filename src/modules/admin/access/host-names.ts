import { isIP } from 'node:net';

/** A name, an IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/;

/** The host without port, brackets and trailing dot, in lower case; the empty text for what is not well-formed. */
function bareHost(host: string): string {
  const name = HOST.exec(host)?.[1] ?? '';
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The host names that the admin answers to. A name that somebody else owns may lead to this machine (DNS rebinding):
 * the pages of that name would then be of the same origin as the admin, and reach it from the network of whoever
 * looks at them. IP addresses cannot be rebound, so every one is allowed.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  /** @param names beside `localhost`; letter case does not matter */
  constructor(names: readonly string[]) {
    this.#names = new Set(['localhost', ...names.map(bareHost)]);
  }

  /** @param host with or without a port; undefined where a client names none, as no browser does */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const bare = bareHost(host);
    return isIP(bare) !== 0 || this.#names.has(bare);
  }
}
