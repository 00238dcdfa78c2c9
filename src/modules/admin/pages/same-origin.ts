import { problem, type Request } from '../../../framework';

/** Whether the client sent the request over TLS, to this service or to a trusted proxy. */
export function isEncrypted(request: Request): boolean {
  return request.scheme === 'https';
}

/** From where requests are accepted. */
export interface SameOriginRules {
  /** Whether to require an https origin. */
  readonly secure: boolean;
  /** That of `server.public_url`, which is the same even if a proxy changes `Host`; empty for none. */
  readonly publicOrigin: string;
}

/** Methods that change nothing (RFC 9110, 9.2.1; QUERY is safe by its definition). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];

/**
 * Rejects forms that were not submitted from a page of this service.
 * @throws Problem 403
 */
export function assertSameOrigin(request: Request, rules: SameOriginRules): void {
  if (!isSameOrigin(request, rules, ['same-origin'])) throw problem('cross_origin_form', {});
}

/** Whether a browser says from where a form was submitted: browsers of today do, and {@link assertSameOrigin} compares it. */
export function isOfKnownOrigin(request: Request): boolean {
  return request.header('origin') !== undefined || request.header('sec-fetch-site') !== undefined;
}

/**
 * Rejects requests of pages of other sites that are not safe: browsers add the credentials of Basic that they know. Other
 * clients send neither `Sec-Fetch-Site` nor `Origin`.
 *
 * @param allows whether the CORS policy of the API allows an origin
 * @throws Problem 403
 */
export function assertNoForeignPage(
  request: Request,
  rules: SameOriginRules,
  allows: (origin: string) => boolean,
): void {
  if (SAFE_METHODS.includes(request.method)) return;
  const origins = request.headerLines('origin');
  if (origins.length === 1 && origins.every(allows)) return;
  // Set by the browser alone, which knows the address of its page: a proxy may have changed `Host`.
  if (request.header('sec-fetch-site') === 'same-origin') return;
  // "none": the user did it, in the address bar or with a tool of the browser.
  if (!isSameOrigin(request, rules, ['same-origin', 'none'])) throw problem('cross_origin_request', {});
}

/**
 * Whether `Sec-Fetch-Site` (Fetch Metadata, 2.4) and `Origin` (RFC 6454, 7) of a request, if any, are those of a page of this
 * service.
 */
function isSameOrigin(
  request: Request,
  { secure, publicOrigin }: SameOriginRules,
  sites: readonly string[],
): boolean {
  const site = request.header('sec-fetch-site');
  const { host } = request;
  const isSame = (origin: string): boolean =>
    (publicOrigin !== '' && origin === publicOrigin) ||
    (host !== undefined && (isOrigin(origin, 'https', host) || (!secure && isOrigin(origin, 'http', host))));
  return (site === undefined || sites.includes(site)) && request.headerLines('origin').every(isSame);
}

/** Compares without the default port, and without regard to case (RFC 9110, 4.2.3). */
function isOrigin(origin: string, scheme: 'http' | 'https', host: string): boolean {
  const url = `${scheme}://${host}`;
  return origin === url || (URL.canParse(url) && new URL(url).origin === origin);
}
