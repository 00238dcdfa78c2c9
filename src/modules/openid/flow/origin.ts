import { problem, type Request } from '../../../framework';

/** The origins of a service: the configured one, or those of requests. */
export class PublicOrigin {
  readonly #configured: string;

  /** @param configured of `server.public_url`; may be empty */
  constructor(configured: string) {
    this.#configured = configured;
  }

  /** The origin that the browser returns to. @throws Problem 400 without `Host` */
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

function requestOrigin({ scheme, host }: Request): string {
  if (host === undefined) throw problem('bad_request', { reason: 'The request has no Host field.' });
  return `${scheme}://${host}`;
}
