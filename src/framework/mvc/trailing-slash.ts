import { joinTarget } from '../http/target';
import { Response } from '../http/response';
import { MethodTable, type MvcEvent, type RouteTarget } from './mvc-event';

/**
 * Returns the target of a route that ends with a slash: redirects to the URL without it, whether or not that exists.
 * @param name of the endpoint
 */
export function trailingSlash(name: string): RouteTarget {
  return { methods: new MethodTable({ GET: Object.freeze({ name, handler: withoutSlash }) }) };
}

/** 308 keeps the method (RFC 9110, 15.4.9). */
function withoutSlash({ request: { path, rawQuery } }: MvcEvent): Response {
  return new Response(308, null, [['Location', joinTarget(path.slice(0, -1), rawQuery)]]);
}
