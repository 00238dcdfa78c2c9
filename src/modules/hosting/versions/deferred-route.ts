import {
  problem,
  withoutStack,
  type MaybePromise,
  type MvcEvent,
  type Route,
  type RouteMatch,
  type Router,
  type RouteTarget,
} from '../../../framework';

/**
 * The target of all paths of an API whose routes are added on its first request. From then on, the router matches them
 * itself, and this target has what is left: paths that no service has.
 */
export class DeferredRoute implements RouteTarget {
  /** Those of the route that is found. */
  readonly methods = undefined;
  readonly #router: Pick<Router<RouteTarget>, 'match'>;
  readonly #addRoutes: () => void;

  /** @param addRoutes adds the routes to the router, on its first call */
  constructor(router: Pick<Router<RouteTarget>, 'match'>, addRoutes: () => void) {
    this.#router = router;
    this.#addRoutes = addRoutes;
  }

  /** @throws Problem 404 for a path that no service has, and those of the route that has it */
  select(event: MvcEvent): MaybePromise<void> {
    const { path } = event.request;
    const match = this.#find(path);
    event.match = match;
    if (match === undefined) throw withoutStack(() => problem('route_not_found', { path }));
    const { target } = match.route;
    event.methods = target.methods;
    return target.select?.(event);
  }

  hasPath(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  #find(path: string): RouteMatch<RouteTarget> | undefined {
    this.#addRoutes();
    const match = this.#router.match(path);
    const route: Route<RouteTarget> | undefined = match?.route;
    return route?.target === this ? undefined : match;
  }
}
