import {
  andThen,
  concatChunks,
  EncodedContent,
  MethodTable,
  Response,
  runCooperativelyOnce,
  type MaybePromise,
  type MvcEvent,
  type Router,
  type RouteTarget,
} from '../../../framework';
import { robotsText, sitemapFiles } from './sitemap';

const XML = 'application/xml';
const TEXT = 'text/plain; charset=utf-8';

/** What crawlers may read. */
export interface CrawledSite {
  /** The origin that clients use. */
  readonly publicUrl: string;
  /** The paths of all public pages; undefined if the documentation requires authentication. */
  readonly paths: readonly string[] | undefined;
}

/**
 * Adds `/robots.txt` and `/sitemap.xml` to the routes. More pages than a sitemap may contain are divided into several,
 * with `/sitemap.xml` as their index. Paths that an API already serves stay with the API, and files of a front end with
 * these names come first.
 */
export function addSitemapRoutes(router: Router<RouteTarget>, { publicUrl, paths }: CrawledSite): void {
  const add = (path: string, contentType: string, chunksOf: () => Iterable<string>): boolean => {
    const other = router.match(router.base + path)?.route.target;
    if (other !== undefined && other.hasPath === undefined) return false;
    router.add(path.slice(1), path, new TextRoute(contentType, chunksOf, other));
    return true;
  };
  if (paths === undefined) {
    add('/robots.txt', TEXT, () => [robotsText([`${router.base}/platform/`])]);
    return;
  }
  const urls = paths.map((path) => publicUrl + path);
  const files = sitemapFiles(urls, publicUrl + router.base);
  const added = files.filter(({ path, chunksOf }) => add(path, XML, chunksOf));
  const sitemap = added.length === files.length ? `${publicUrl}${router.base}/sitemap.xml` : undefined;
  add('/robots.txt', TEXT, () => [robotsText([`${router.base}/platform/search`], sitemap)]);
}

/** A public text, built on first request and cached. */
class TextRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #files: RouteTarget | undefined;

  /** @param files which come first */
  constructor(contentType: string, chunksOf: () => Iterable<string>, files: RouteTarget | undefined) {
    this.#files = files;
    const content = runCooperativelyOnce(function* () {
      return new EncodedContent(yield* concatChunks(chunksOf()));
    });
    const handler = (): MaybePromise<Response> =>
      andThen(content(), (encoded) => {
        const response = new Response(200, encoded.bytes, [
          ['Content-Type', contentType],
          ['Cache-Control', 'no-cache'],
        ]);
        response.encodedContent = encoded;
        return response;
      });
    this.methods = new MethodTable({ GET: Object.freeze({ name: 'sitemap', handler }) });
  }

  select(event: MvcEvent): MaybePromise<void> {
    const files = this.#files;
    return andThen(files?.hasPath?.(event.request.path), (isFile) => {
      if (files === undefined || isFile !== true) return undefined;
      event.methods = files.methods;
      return files.select?.(event);
    });
  }
}
