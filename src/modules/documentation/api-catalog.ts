import { MethodTable, Response, type Router, type RouteTarget } from '../../framework';
import type { Catalogue, HostedApi } from '../hosting';
import type { DocumentationLinks } from './documentation-links';

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Serves the list of APIs where machines look for it: `/.well-known/api-catalog` (RFC 9727), as a linkset (RFC 9264). */
export function addApiCatalog(
  router: Router<RouteTarget>,
  catalogue: Catalogue,
  links: DocumentationLinks,
): void {
  const apis = catalogue.apis.filter(({ visibility }) => visibility === 'public');
  const body = JSON.stringify({
    linkset: [self(router, apis), ...apis.flatMap((api) => linksOf(api, router, links))],
  });
  const fields = [
    ['Content-Type', LINKSET],
    ['Cache-Control', 'no-cache'],
    ['Link', `<${router.base}/.well-known/api-catalog>; rel="api-catalog"`],
  ] as const;
  router.add('api-catalog', '/.well-known/api-catalog', {
    methods: new MethodTable({
      GET: Object.freeze({ name: 'api-catalog', handler: () => new Response(200, body, fields) }),
    }),
  });
}

function self(router: Router<RouteTarget>, apis: readonly HostedApi[]): object {
  return {
    anchor: `${router.base}/.well-known/api-catalog`,
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
