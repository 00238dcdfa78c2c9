import { problem, type Request } from '../../../framework';

/** Whether a request came over TLS. */
export function isEncrypted(request: Request): boolean {
  return 'encrypted' in request.message.socket;
}

/**
 * Rejects forms that were not submitted from a page of this service, by `Sec-Fetch-Site` and `Origin` (RFC 6454, 7).
 *
 * @param secure whether to require an https origin
 * @throws Problem 403
 */
export function assertSameOrigin(request: Request, secure: boolean): void {
  const site = request.header('sec-fetch-site');
  const origins = request.headerLines('origin');
  const host = request.header('host');
  const isSame = (origin: string): boolean =>
    host !== undefined && (origin === `https://${host}` || (!secure && origin === `http://${host}`));
  if ((site === undefined || site === 'same-origin') && origins.every(isSame)) return;
  throw problem('cross_origin_form', {});
}
