import {
  problem,
  expand,
  parametersOf,
  parsePattern,
  type MethodTable,
  type MvcEvent,
  type PatternPart,
} from '../../../framework';
import type { HostedApi, HostedService } from '../hosted-endpoint';
import { methodsOf, ServiceRoute, type VersionedService } from './service-route';

/** The last segment of the path at which a QUERY of a collection is served as a POST. */
export const QUERY_SEGMENT = '/query';

/**
 * Returns the path of a service's QUERY as a POST, without the version prefix.
 * @param identifier name of the route parameter that identifies an entity
 */
export function queryPath(route: string, identifier: string): string {
  return textOf(collectionParts(route, identifier)) + QUERY_SEGMENT;
}

/** The longest path of a route without the identifier. */
function collectionParts(route: string, identifier: string): readonly PatternPart[] {
  return (
    expand(parsePattern(route))
      .filter((parts) => !parametersOf(parts).includes(identifier))
      .at(-1) ?? []
  );
}

function textOf(parts: readonly PatternPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'literal') return part.text;
      if (part.kind === 'optional') return '';
      return `:${part.name}${part.constraint === undefined ? '' : `(${part.constraint})`}`;
    })
    .join('');
}

/**
 * The target of `<collection>/query`. An entity may have this path too: a POST, which entities do not have, is the
 * QUERY, and everything else is for the entity.
 */
export class QueryRoute extends ServiceRoute {
  readonly #identifier: string;
  /** Whether entities have such paths. */
  readonly #isEntity: boolean;
  readonly #tables = new Map<VersionedService, MethodTable>();

  constructor(api: HostedApi, services: readonly HostedService[], route: string, identifier: string) {
    super(api, services);
    this.#identifier = identifier;
    const entity = `${textOf(collectionParts(route, identifier))}/:${identifier}`;
    this.#isEntity = expand(parsePattern(route)).some((parts) => textOf(parts) === entity);
  }

  override has(version: number, method: string): boolean {
    if (this.find(version)?.query !== undefined) return true;
    return method !== 'POST' && this.#isEntity && super.has(version, method);
  }

  override select(event: MvcEvent): void {
    const found = this.selectVersion(event);
    const { method, path } = event.request;
    const methods = this.#methodsOf(found, path);
    if (method === 'POST' || method === 'OPTIONS' || !this.#isEntity) {
      // Its parameters are those of the collection.
      found.checkParameters?.(event);
      event.methods = methods;
      return;
    }
    const { match, parameters } = event;
    if (match !== undefined)
      event.match = { ...match, parameters: { ...parameters, [this.#identifier]: QUERY_SEGMENT.slice(1) } };
    this.selectPart(event, found);
    event.methods = methods;
  }

  /** @throws Problem 404 for a version in which nothing has this path */
  #methodsOf(found: VersionedService, path: string): MethodTable {
    const known = this.#tables.get(found);
    if (known !== undefined) return known;
    const { query, entity } = found;
    if (query === undefined && !this.#isEntity) throw problem('route_not_found', { path });
    const table = methodsOf({
      ...(this.#isEntity ? Object.fromEntries(entity.endpoints) : {}),
      ...(query === undefined ? {} : { POST: query }),
    });
    this.#tables.set(found, table);
    return table;
  }
}
