import { StartError, type Endpoint } from '../../framework';

/** Directives of RFC 9111, 5.2: tokens, perhaps with a value. */
const DIRECTIVE = /[\w!#$%&'*+.^`|~-]+(=([\w!#$%&'*+.^`|~-]+|"[^"\r\n]*"))?/.source;
const VALUE = new RegExp(`^${DIRECTIVE}(\\s*,\\s*${DIRECTIVE})*$`);

/**
 * A handler whose answers say how long they may be kept. A problem takes the place of the whole answer, so that it
 * does not have the field.
 * @throws StartError for what is no value of `Cache-Control`
 */
export function cached(
  handler: Endpoint['handler'],
  cacheControl: string | undefined,
  name: string,
): Endpoint['handler'] {
  if (cacheControl === undefined) return handler;
  if (!VALUE.test(cacheControl)) {
    throw new StartError(
      `${name}: cache_control is "${cacheControl}". Write directives of Cache-Control, such as "public, max-age=60".`,
    );
  }
  return (event) => {
    event.response.fields.set('Cache-Control', cacheControl);
    return handler(event);
  };
}
