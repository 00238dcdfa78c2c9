import type { Configuration } from '../config/configuration';
import { serverSettings } from './settings';

/** `server.public_url` in two parts. */
export interface PublicUrl {
  /** Scheme, host and port, e.g. `https://api.example.com`; empty if it is not configured. */
  readonly origin: string;
  /** The path prefix that a proxy removes, e.g. `/gateway`; may be empty. */
  readonly path: string;
}

export function publicUrlOf(configuration: Configuration): PublicUrl {
  const { public_url: url = '' } = configuration.section('server', serverSettings);
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  return { origin, path };
}
