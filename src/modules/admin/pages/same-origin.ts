import { problem, type Request } from '../../../framework';

/** Whether the client sent the request over TLS, to this service or to a trusted proxy. */
export function isEncrypted(request: Request): boolean {
  return request.scheme === 'https';
}

/**
 * Rejects forms that were not submitted from a page of this service, by `Sec-Fetch-Site` and `Origin` (RFC 6454, 7).
 *
 * @param secure whether to require an https origin
 * @param publicOrigin that of `server.public_url`, which is the same even if a proxy changes `Host`
 * @throws Problem 403
 */
export function assertSameOrigin(request: Request, secure: boolean, publicOrigin = ''): void {
  const site = request.header('sec-fetch-site');
  const origins = request.headerLines('origin');
  const { host } = request;
  const isSame = (origin: string): boolean =>
    (publicOrigin !== '' && origin === publicOrigin) ||
    (host !== undefined && (origin === `https://${host}` || (!secure && origin === `http://${host}`)));
  if ((site === undefined || site === 'same-origin') && origins.every(isSame)) return;
  throw problem('cross_origin_form', {});
}
