import type { Configuration } from '../config/configuration';
import { serverSettings } from './settings';

/** `server.public_url` in two parts. */
export interface PublicUrl {
  /** Scheme, host and port as browsers write them, e.g. `https://api.example.com`; empty if it is not configured. */
  readonly origin: string;
  /** The path prefix that a proxy removes, e.g. `/gateway`; may be empty. */
  readonly path: string;
}

/** Returns the origin of a server, without a proxy. @param host an IPv6 address is without brackets */
export function listenOrigin(host: string, port: number, isEncrypted: boolean): string {
  return `${isEncrypted ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function publicUrlOf(configuration: Configuration): PublicUrl {
  const { public_url: url = '' } = configuration.section('server', serverSettings);
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  // Origins are compared: in fields of browsers, and in the redirect URI by OpenID providers.
  return { origin: URL.canParse(origin) ? new URL(origin).origin : origin, path };
}
