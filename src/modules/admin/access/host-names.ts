import { isIP } from 'node:net';

/** A name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/;

/** Returns the host in lower case without port, brackets and trailing dot; empty if it is malformed. */
function bareHost(host: string): string {
  const name = HOST.exec(host)?.[1] ?? '';
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The host names allowed for the admin. With DNS rebinding, an attacker's domain can resolve to this machine; its pages
 * would then have the same origin as the admin. IP addresses cannot be rebound, so all of them are allowed.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  /** @param names in addition to `localhost`; case-insensitive */
  constructor(names: readonly string[]) {
    // An IPv6 address without brackets, to which the server may be bound, is never the host of a request.
    this.#names = new Set(['localhost', ...names.map(bareHost).filter((name) => name !== '')]);
  }

  /** @param host with or without a port; undefined is allowed, since browsers always send `Host` */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const bare = bareHost(host);
    return isIP(bare) !== 0 || this.#names.has(bare);
  }
}
