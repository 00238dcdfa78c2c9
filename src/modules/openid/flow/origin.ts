import { problem, type Request } from '../../../framework';

/** The origins of a service: the configured one, or those of requests. */
export class PublicOrigin {
  readonly #configured: string;

  /** @param configured of `server.public_url`; may be empty */
  constructor(configured: string) {
    this.#configured = configured;
  }

  /** The origin that the browser returns to. @throws Problem 400 without a `Host` that can be one */
  of(request: Request): string {
    return this.#configured === '' ? requestOrigin(request) : this.#configured;
  }

  /** Whether a request was apparently made to another origin, whose cookies the callback would not have. */
  isOther(request: Request): boolean {
    return this.#configured !== '' && requestOrigin(request) !== this.#configured;
  }

  /** Whether cookies are for TLS only. */
  isSecure(request: Request): boolean {
    return request.scheme === 'https' || this.#configured.startsWith('https:');
  }
}

/** A name has up to 253 characters (RFC 1035, 2.3.4), a port up to 5. Cookies have the origin. */
const MAX_HOST_LENGTH = 260;

function requestOrigin({ scheme, host }: Request): string {
  if (host === undefined) throw problem('bad_request', { reason: 'The request has no Host field.' });
  if (host.length > MAX_HOST_LENGTH)
    throw problem('bad_request', { reason: 'The Host field is longer than any name.' });
  return `${scheme}://${host}`;
}
