import {
  ConfigurationError,
  runCooperatively,
  runSync,
  type MaybePromise,
  type MvcEvent,
  type Router,
  type RouteTarget,
  type Steps,
} from '../../../framework';
import type { HostedApi, HostedService } from '../hosted-endpoint';
import { hasDotSegment } from '../rest/identifier';
import type { EntityId } from '../definition/entity-id';
import { QueryRoute, queryPath } from '../versions/query-route';
import { queryOf, ServiceRoute } from '../versions/service-route';

/**
 * Adds the routes of an API: those of one whose services are compiled on first use, when they are first needed.
 * @throws ConfigurationError if two services of a version have the same route
 */
export function addRoutes(api: HostedApi, router: Router<RouteTarget>): MaybePromise<void> {
  if (!api.isDeferred) return runCooperatively(serviceRoutes(api, router));
  router.addLater({ path: api.basePath, names: routeName(api.name, '') }, () => {
    runSync(serviceRoutes(api, router));
  });
}

/**
 * Adds the routes of an API. Each pattern is added once, with an optional version prefix, for all versions that
 * have it.
 * @throws ConfigurationError if two services of a version have the same route
 */
function* serviceRoutes(api: HostedApi, router: Router<RouteTarget>): Steps<void> {
  const byRoute = new Map<string, HostedService[]>();
  for (const service of api.versions.flatMap(({ services }) => services)) {
    const others = byRoute.get(service.route) ?? [];
    const duplicate = others.find(({ version }) => version === service.version);
    if (duplicate !== undefined) {
      throw new ConfigurationError(
        `The services ${duplicate.name} and ${service.name} of ${api.name}-v${service.version} have the same route ${service.route}.`,
      );
    }
    byRoute.set(service.route, [...others, service]);
  }
  for (const [route, services] of byRoute) {
    const name = routeName(api.name, route);
    router.add(name, servicePattern(api.basePath, route), new ServiceRoute(api, services));
    const identifier = services.find(queryOf)?.routeIdentifierName ?? undefined;
    if (identifier !== undefined) {
      const target = new QueryRoute(api, services, route, identifier);
      router.add(`${name} QUERY`, servicePattern(api.basePath, queryPath(route, identifier)), target);
    }
    yield;
  }
}

/** Returns the route pattern of a service: base path, optional version prefix, route. */
export function servicePattern(basePath: string, route: string): string {
  return `${basePath}[/v:version(\\d+)]${route}`;
}

function routeName(api: string, route: string): string {
  return `${api}:${route}`;
}

/**
 * Returns a function that builds entity paths, with the version prefix of the request; undefined for a request whose path
 * has a segment that no link can have.
 */
export function locate(
  router: Router<RouteTarget>,
  api: string,
  route: string,
  event: MvcEvent,
  identifier: string | readonly string[],
): ((id: EntityId) => string) | undefined {
  const name = routeName(api, route);
  const { parameters } = event;
  if (hasDotSegment(event)) return undefined;
  if (typeof identifier !== 'string')
    return (id) => router.assemble(name, { ...parameters, ...(id as Exclude<EntityId, string>) });
  const path = router.assembler(name, identifier, parameters);
  return (id) => path(id as string);
}
