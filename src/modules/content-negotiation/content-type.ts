import { problem, type Request } from '../../framework';

/**
 * Returns the Content-Type of a request with a body; empty without one.
 * @throws Problem 400 for several lines, which are not a list: a proxy may have checked another one than Node returns
 *   (RFC 9110, 5.3 and 8.3)
 */
export function contentTypeOf(request: Request): string {
  if (request.headerLines('content-type').length > 1)
    throw problem('bad_request', {
      reason: 'The request has more than one Content-Type field line (RFC 9110, 8.3).',
    });
  return request.header('content-type') ?? '';
}
