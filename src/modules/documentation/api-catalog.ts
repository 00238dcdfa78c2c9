import { MethodTable, Response, type Router, type RouteTarget } from '../../framework';
import type { Catalogue, HostedApi } from '../hosting';
import { needsUser, type AccessRule } from '../mvc-auth';
import type { Documentation } from './documentation';
import type { DocumentationLinks } from './documentation-links';
import { ReadersRoute } from './readers-route';

/** Where machines look for the APIs of a host (RFC 9727). */
export const CATALOG_PATTERN = '/.well-known/api-catalog';

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The list of APIs as a linkset (RFC 9264): of those that guests are told of. */
export class ApiCatalogRoute extends ReadersRoute {
  readonly methods: MethodTable;

  /** @param access who may read the list of APIs */
  constructor(
    documentation: Documentation,
    access: AccessRule,
    catalogue: Catalogue,
    links: DocumentationLinks,
    router: Router<RouteTarget>,
  ) {
    super(documentation, access);
    const apis = catalogue.apis.filter(({ visibility }) => visibility === 'public');
    const body = JSON.stringify({
      linkset: [self(router, apis), ...apis.flatMap((api) => linksOf(api, router, links))],
    });
    const fields = [
      ['Content-Type', LINKSET],
      ['Cache-Control', needsUser(access) ? 'private, no-cache' : 'no-cache'],
      ['Link', `<${router.base}${CATALOG_PATTERN}>; rel="api-catalog"`],
      ...(documentation.guard === undefined ? [] : ([['Vary', 'Authorization']] as const)),
    ] as const;
    this.methods = new MethodTable({
      GET: Object.freeze({ name: 'api-catalog', handler: () => new Response(200, body, fields) }),
    });
  }
}

function self(router: Router<RouteTarget>, apis: readonly HostedApi[]): object {
  return {
    anchor: `${router.base}${CATALOG_PATTERN}`,
    item: apis.flatMap((api) =>
      api.versions.map(({ version }) => ({ href: anchorOf(api, version, router) })),
    ),
  };
}

function linksOf(api: HostedApi, router: Router<RouteTarget>, links: DocumentationLinks): readonly object[] {
  return api.versions.map(({ version }) => {
    const scope = { api: api.name, version };
    const formats = links.formats.filter(({ name }) => name !== 'html');
    return {
      anchor: anchorOf(api, version, router),
      'service-desc': formats.map(({ name, type }) => ({ href: links.href(scope, name), type })),
      'service-doc': [{ href: links.href(scope), type: 'text/html' }],
    };
  });
}

function anchorOf(api: HostedApi, version: number, router: Router<RouteTarget>): string {
  return `${router.base}${api.basePath}/v${version}`;
}
