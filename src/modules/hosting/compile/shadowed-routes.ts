import { ConfigurationError, expand, parsePattern, segmentsOf, type Segment } from '../../../framework';
import type { HostedApi } from '../hosted-endpoint';

/** What the router needs to know of an API. */
type RoutedApi = Pick<HostedApi, 'name' | 'basePath' | 'versions' | 'isDeferred'>;

/** A segment that may be the version of another API. */
const VERSION_SEGMENT = /\/v\d+(?=[/[\]]|$)/;

/**
 * Rejects a route with a literal version, such as `/v1/items`, that another API has: literal text wins over the version
 * parameter, so that version 1 of that API would lose its paths.
 * @throws ConfigurationError with both routes
 */
export function assertNoShadowedRoutes(apis: readonly RoutedApi[]): void {
  for (const api of apis) {
    // Those of the platform itself have no such routes, and are only compiled where another API has one.
    if (api.isDeferred) continue;
    for (const route of routesOf(api.versions)) {
      // Nearly no route has one.
      if (!VERSION_SEGMENT.test(api.basePath + route)) continue;
      for (const other of apis) if (other !== api) assertNotShadowed(api, route, other);
    }
  }
}

function assertNotShadowed({ name, basePath }: RoutedApi, route: string, other: RoutedApi): void {
  const paths = expanded(basePath + route);
  for (const { version, services } of other.versions) {
    for (const shadowed of routesOf([{ services }])) {
      const others = expanded(`${other.basePath}/v${version}${shadowed}`);
      if (!paths.some((path) => others.some((one) => covers(path, one)))) continue;
      throw new ConfigurationError(
        `The route ${basePath}${route} of the API ${name} takes over paths of version ${version} of the API ${other.name}, whose route is ${other.basePath}[/v${version}]${shadowed}. Change one of the routes.`,
      );
    }
  }
}

function routesOf(versions: readonly Pick<HostedApi['versions'][number], 'services'>[]): ReadonlySet<string> {
  return new Set(versions.flatMap(({ services }) => services.map(({ route }) => route)));
}

function expanded(pattern: string): readonly (readonly Segment[])[] {
  return expand(parsePattern(pattern)).map((parts) => segmentsOf('', parts));
}

/** Whether every path of another pattern is one of this pattern. */
function covers(path: readonly Segment[], other: readonly Segment[]): boolean {
  return path.length === other.length && path.every((segment, at) => coversSegment(segment, other[at]));
}

function coversSegment(segment: Segment, other: Segment | undefined): boolean {
  if (segment.kind === 'parameter' || other === undefined) return true;
  if (segment.kind === 'literal') return other.kind === 'literal' && other.text === segment.text;
  return other.kind === 'expression' && other.prefix === segment.prefix && other.source === segment.source;
}
