import {
  MethodTable,
  parsePattern,
  EncodedContent,
  Response,
  type Router,
  type RouteTarget,
} from '../../../framework';
import type { Catalogue, HostedApi, HostedService, HostedVersion } from '../../hosting';
import { requiresUser, type AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import type { DocumentationLinks } from './documentation-links';
import { ReadersRoute } from './readers-route';

/** The well-known URI of the API catalog (RFC 9727). */
export const CATALOG_PATTERN = '/.well-known/api-catalog';

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Serves the public APIs as a linkset (RFC 9264). */
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
    const linkset = [self(router, apis, links), ...apis.flatMap((api) => linksOf(api, router, links))];
    const content = new EncodedContent(JSON.stringify({ linkset }));
    const fields = [
      ['Content-Type', LINKSET],
      ['Cache-Control', requiresUser(access) ? 'private, no-cache' : 'no-cache'],
      ['Link', `<${router.base}${CATALOG_PATTERN}>; rel="api-catalog"`],
      ...(documentation.guard?.vary ?? []).map((name) => ['Vary', name] as const),
    ] as const;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'api-catalog',
        handler: () => {
          const response = new Response(200, content.bytes, fields);
          response.encodedContent = content;
          return response;
        },
      }),
    });
  }
}

function self(router: Router<RouteTarget>, apis: readonly HostedApi[], links: DocumentationLinks): object {
  return {
    anchor: `${router.base}${CATALOG_PATTERN}`,
    item: apis.flatMap((api) => api.versions.map(({ version }) => ({ href: anchorOf(api, version, links) }))),
  };
}

function linksOf(api: HostedApi, router: Router<RouteTarget>, links: DocumentationLinks): readonly object[] {
  return api.versions.map((hosted) => {
    const scope = { api: api.name, version: hosted.version };
    const [pages, formats] = [true, false].map((isPage) =>
      links.formats
        .filter(({ name }) => (name === 'html') === isPage)
        .map(({ name, type }) => ({ href: links.href(scope, name), type })),
    );
    return {
      anchor: anchorOf(api, hosted.version, links),
      item: endpointsOf(api, hosted, router.base),
      'service-desc': formats,
      'service-doc': pages,
    };
  });
}

/** An API is identified by the URL of its documentation, because several APIs may share a path. */
function anchorOf({ name }: HostedApi, version: number, links: DocumentationLinks): string {
  return links.href({ api: name, version });
}

/** The URLs of its services that need no parameter (RFC 9727, 4.1). */
function endpointsOf(
  { basePath }: HostedApi,
  { version, services }: HostedVersion,
  base: string,
): readonly { readonly href: string }[] {
  return services
    .filter(({ visibility }) => visibility === 'public')
    .map(plainPathOf)
    .filter((path) => path !== undefined)
    .map((path) => ({ href: `${base}${basePath}/v${version}${path}` }));
}

/** Returns the path of a route without its optional parts; undefined if it requires a parameter. */
function plainPathOf({ route }: HostedService): string | undefined {
  const { parts } = parsePattern(route);
  if (parts.some(({ kind }) => kind === 'parameter')) return undefined;
  return parts.map((part) => (part.kind === 'literal' ? part.encoded : '')).join('');
}
