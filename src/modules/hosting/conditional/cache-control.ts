import { andThen, Response, ConfigurationError, type Endpoint, type MvcEvent } from '../../../framework';
import type {} from '../../mvc-auth';

/** Directives of RFC 9111, 5.2: tokens with an optional value. */
const DIRECTIVE = /[\w!#$%&'*+.^`|~-]+(=([\w!#$%&'*+.^`|~-]+|"[^"\r\n]*"))?/.source;
const VALUE = new RegExp(`^${DIRECTIVE}(\\s*,\\s*${DIRECTIVE})*$`);

const DIRECTIVES = new RegExp(DIRECTIVE, 'g');

/** Make no sense in a private response; a private directive with names of fields is about these only. */
const REMOVED = ['private', 'public', 's-maxage'];

/**
 * Returns the value for a response to a user: a shared cache would give it to others, since `Vary` does not name
 * `Authorization`, and a cache may store what it has no credentials for in any other field (RFC 9111, 3.5). Who may call an operation is configured where it runs, so the value of its author is not refused.
 */
function privateValue(value: string): string {
  const directives = value.match(DIRECTIVES) ?? [];
  const isPrivate = directives.some((one) => /^(?:private|no-store)$/i.test(one));
  const names = directives.map((one) => one.split('=', 1).join().toLowerCase());
  if (isPrivate && !names.includes('public') && !names.includes('s-maxage')) return value;
  return ['private', ...directives.filter((_, at) => !REMOVED.includes(names[at] ?? ''))].join(', ');
}

/**
 * Adds `Cache-Control` to successful responses that have none, including those a handler returns itself. A problem
 * replaces the whole response, so it never gets the field. A response to a user is for private caches only.
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
  const ofUsers = privateValue(cacheControl);
  const valueFor = ({ identity }: MvcEvent): string =>
    identity === undefined || identity.isGuest ? cacheControl : ofUsers;
  return (event) => {
    event.response.fields.set('Cache-Control', valueFor(event));
    return andThen(handler(event), (result) => {
      if (!(result instanceof Response) || result.status >= 400 || result.fields.has('Cache-Control'))
        return result;
      // A handler may return the same response to other clients.
      const own = result === event.response ? result : result.copy();
      own.fields.set('Cache-Control', valueFor(event));
      return own;
    });
  };
}
