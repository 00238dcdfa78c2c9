import { andThen, Response, ConfigurationError, type Endpoint } from '../../../framework';

/** Directives of RFC 9111, 5.2: tokens with an optional value. */
const DIRECTIVE = /[\w!#$%&'*+.^`|~-]+(=([\w!#$%&'*+.^`|~-]+|"[^"\r\n]*"))?/.source;
const VALUE = new RegExp(`^${DIRECTIVE}(\\s*,\\s*${DIRECTIVE})*$`);

/**
 * Adds `Cache-Control` to successful responses that have none, including those a handler returns itself. A problem
 * replaces the whole response, so it never gets the field.
 * @throws ConfigurationError for an invalid `Cache-Control` value
 */
export function withCacheControl(
  handler: Endpoint['handler'],
  cacheControl: string | undefined,
  name: string,
): Endpoint['handler'] {
  if (cacheControl === undefined) return handler;
  if (!VALUE.test(cacheControl)) {
    throw new ConfigurationError(
      `${name}: cache_control is "${cacheControl}". Write Cache-Control directives, such as "public, max-age=60".`,
    );
  }
  return (event) => {
    event.response.fields.set('Cache-Control', cacheControl);
    return andThen(handler(event), (result) => {
      if (!(result instanceof Response) || result.status >= 400 || result.fields.has('Cache-Control'))
        return result;
      result.fields.set('Cache-Control', cacheControl);
      return result;
    });
  };
}
