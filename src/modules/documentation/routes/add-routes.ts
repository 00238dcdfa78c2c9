import {
  ERRORS_ROUTE,
  joinTarget,
  MethodTable,
  Response,
  type Application,
  type MvcEvent,
  trailingSlash,
} from '../../../framework';
import type { Selector } from '../../content-negotiation';
import type { Catalogue } from '../../hosting';
import { guest, hasCustomAuthentication, requiresUser, type AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import type { Guide } from '../guides/guide';
import { GUIDE_IMAGE_PATTERN, GuideImageRoute } from '../guides/guide-image-route';
import type { GuideImage } from '../guides/guide-images';
import { GUIDE_PATTERN, guideEntries, guidePathOf, GuideRoute } from '../guides/guide-route';
import { SEARCH_PATTERN, SearchRoute } from '../search/search-route';
import { documentationPaths } from '../sitemap/sitemap';
import { addSitemapRoutes } from '../sitemap/sitemap-routes';
import { ApiCatalogRoute, CATALOG_PATTERN } from './api-catalog';
import type { DocumentationLinks } from './documentation-links';
import { DOCUMENTATION_PATTERN, DocumentationRoute } from './documentation-route';
import { ERRORS_PATTERN, ErrorsRoute } from './errors-route';

interface RouteParts {
  readonly documentation: Documentation;
  readonly selector: Selector;
  readonly access: AccessRule;
  readonly catalogue: Catalogue;
  readonly links: DocumentationLinks;
  readonly guides: readonly Guide[];
  /** The images of guides by name in the URL. */
  readonly images: ReadonlyMap<string, GuideImage>;
  /** The origin that clients use; may be empty. */
  readonly publicUrl: string;
  /** Whether readers can sign in without an adapter. */
  readonly hasReaders: boolean;
}

/** Adds the routes of the documentation. */
export function addRoutes({ router, events }: Application, parts: RouteParts): void {
  const { documentation, selector, access, catalogue, links, guides, images, publicUrl, hasReaders } = parts;
  const hasOtherUsers = (): boolean => hasReaders || hasCustomAuthentication(events);
  const route = new DocumentationRoute(documentation, selector, access, hasOtherUsers);
  router.add('documentation', DOCUMENTATION_PATTERN, route);
  router.add(
    'documentation-slash',
    `${DOCUMENTATION_PATTERN}/`,
    trailingSlash('documentation behind a slash'),
  );
  const guidePath = guidePathOf(router.base);
  if (guides.length > 0)
    router.add('guide', GUIDE_PATTERN, new GuideRoute(documentation, access, guides, guidePath));
  if (images.size > 0)
    router.add('guide-image', GUIDE_IMAGE_PATTERN, new GuideImageRoute(documentation, access, images));
  router.add(ERRORS_ROUTE, ERRORS_PATTERN, new ErrorsRoute(router.base + ERRORS_PATTERN));
  const home = router.assemble('documentation');
  const entries = guideEntries(guides, guidePath);
  const addresses = { home, errors: router.base + ERRORS_PATTERN };
  const search = new SearchRoute(documentation, access, addresses, entries);
  router.add('documentation-search', SEARCH_PATTERN, search);
  // Otherwise a front end has the home page.
  if (router.match(`${router.base}/`) === undefined) {
    const handler = ({ request: { rawQuery } }: MvcEvent): Response =>
      new Response(302, null, [['Location', joinTarget(home, rawQuery)]]);
    // The path of `server.base_url` itself, with and without a slash.
    const hasBase = router.base !== '' && router.match(router.base) === undefined;
    router.add('home', hasBase ? '[/]' : '/', {
      methods: new MethodTable({ GET: Object.freeze({ name: 'home', handler }) }),
    });
  }
  const catalog = new ApiCatalogRoute(documentation, access, catalogue, links, router);
  router.add('api-catalog', CATALOG_PATTERN, catalog);
  if (publicUrl !== '')
    addSitemapRoutes(router, {
      publicUrl,
      paths: requiresUser(access) ? undefined : publicPaths(parts, router),
    });
}

/** Returns the paths of the pages that guests may read. */
function publicPaths(
  { documentation, guides, links }: RouteParts,
  router: Application['router'],
): readonly string[] {
  return [
    ...documentationPaths(documentation.listFor(guest).getApis(), links),
    ...guides.map(({ name }) => guidePathOf(router.base)(name)),
    router.base + ERRORS_PATTERN,
  ];
}
