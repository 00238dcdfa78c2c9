import type { MaybePromise } from '../events/maybe-promise';
import { Response } from '../http/response';
import { problem } from '../problem/errors';
import type { Problem } from '../problem/problem';
import { withoutStack } from '../problem/without-stack';
import type { Router } from '../routing/router';
import type { MvcEvent, RouteTarget } from './mvc-event';

/**
 * Matches the path of a request. Responds to `OPTIONS *`, which is about the server as a whole (RFC 9110, 9.3.7).
 * Returns a Problem 404 for an unknown path.
 * @throws Problem 400 for a path that cannot be decoded
 */
export function matchRoute(router: Router<RouteTarget>, event: MvcEvent): Response | Problem | undefined {
  const { path, method } = event.request;
  const match = router.match(path);
  if (match === undefined) {
    if (path === '*' && method === 'OPTIONS') return new Response(204);
    return notFound(path);
  }
  event.match = match;
  event.methods = match.route.target.methods;
  return undefined;
}

/** Selects what the request addresses in its route. @throws Problem, before authentication */
export function selectTarget(event: MvcEvent): MaybePromise<void> {
  return event.match?.route.target.select?.(event);
}

/** Looks up the endpoint of the request method. */
export function findEndpoint(event: MvcEvent): void {
  event.endpoint = event.methods?.find(event.request.method);
}

/**
 * Responds to OPTIONS. Returns a Problem 405 for a method without an endpoint; after authentication, as 401 takes
 * precedence.
 */
export function respondToMethod(event: MvcEvent): Response | Problem | undefined {
  // A listener between the two may have set the methods.
  if (event.endpoint === undefined) findEndpoint(event);
  if (event.endpoint !== undefined) return undefined;
  const { methods, request } = event;
  if (methods === undefined) return notFound(request.path);
  const { allow } = methods;
  if (request.method === 'OPTIONS') return new Response(204, null, methods.optionFields);
  return withoutStack(() =>
    problem('method_not_allowed', { method: request.method, allow }, { fields: [['Allow', allow]] }),
  );
}

/**
 * Adds `Allow` to a 405 of an author, as a 405 must have it (RFC 9110, 15.5.6): with the methods of the other operations.
 * One that the author has set is kept.
 */
export function addAllow({ methods, request, response }: MvcEvent): void {
  if (response.status !== 405 || methods === undefined || response.fields.has('Allow')) return;
  const refused = methods.find(request.method);
  // A listener may refuse a method that has no operation: all others remain, also OPTIONS, which has none either.
  const isAllowed = (method: string): boolean =>
    method !== request.method && (refused === undefined || methods.endpoints.get(method) !== refused);
  response.fields.set('Allow', methods.allow.split(', ').filter(isAllowed).join(', '));
}

function notFound(path: string): Problem {
  return withoutStack(() => problem('route_not_found', { path }));
}
