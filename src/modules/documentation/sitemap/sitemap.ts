import { changelogPath, hasChangelog } from '../changelog/changelog';
import type { Api } from '../model/api';
import type { DocumentationLinks } from '../routes/documentation-links';
import { escapeHtml } from '../text/escape';

/** URLs that a sitemap may contain (sitemaps.org). */
const MAX_URLS = 50_000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Yields the paths of the pages of APIs: the list, changelogs, each version, and each of its services.
 * @param apis every version of every API
 */
export function* documentationPaths(
  apis: readonly Api[],
  links: DocumentationLinks,
): Generator<string, void> {
  yield links.href({});
  for (const api of apis) {
    const version = { api: api.getName(), version: api.getVersion() };
    // Once per API.
    if (api.getVersion() === api.getDefaultVersion() && hasChangelog(api))
      yield changelogPath(version.api, links);
    yield links.href(version);
    for (const service of api.getServices()) yield links.href({ ...version, service: service.getName() });
  }
}

/** A sitemap, or an index of sitemaps. */
export interface SitemapFile {
  readonly path: string;
  readonly chunksOf: () => Iterable<string>;
}

/**
 * Returns the sitemap of absolute URLs, at `/sitemap.xml`. More URLs than a sitemap may contain are divided into several, with
 * `/sitemap.xml` as their index.
 *
 * @param base the URL that the paths of the files are appended to
 * @param maxUrls the maximum number of URLs of a sitemap
 */
export function sitemapFiles(
  urls: readonly string[],
  base: string,
  maxUrls = MAX_URLS,
): readonly SitemapFile[] {
  if (urls.length <= maxUrls) return [{ path: '/sitemap.xml', chunksOf: () => sitemapChunks(urls) }];
  const parts = Array.from({ length: Math.ceil(urls.length / maxUrls) }, (_none, at) => ({
    path: `/sitemap-${at + 1}.xml`,
    chunksOf: () => sitemapChunks(urls.slice(at * maxUrls, (at + 1) * maxUrls)),
  }));
  const index = parts.map(({ path }) => base + path);
  return [{ path: '/sitemap.xml', chunksOf: () => sitemapIndexChunks(index) }, ...parts];
}

/** Serializes absolute URLs to a sitemap, in chunks. */
function* sitemapChunks(urls: Iterable<string>): Generator<string, void> {
  yield `${DECLARATION}<urlset xmlns="${NAMESPACE}">\n`;
  for (const url of urls) yield `<url><loc>${escapeHtml(url)}</loc></url>\n`;
  yield '</urlset>\n';
}

/** Serializes the absolute URLs of sitemaps to a sitemap index. */
function* sitemapIndexChunks(urls: Iterable<string>): Generator<string, void> {
  yield `${DECLARATION}<sitemapindex xmlns="${NAMESPACE}">\n`;
  for (const url of urls) yield `<sitemap><loc>${escapeHtml(url)}</loc></sitemap>\n`;
  yield '</sitemapindex>\n';
}

/**
 * Returns a robots.txt (RFC 9309).
 * @param disallowed the path prefixes that crawlers must not request
 * @param sitemap the absolute URL of the sitemap, if there is one
 */
export function robotsText(disallowed: readonly string[], sitemap?: string): string {
  const rules = disallowed.map((path) => `Disallow: ${path}\n`).join('');
  return `User-agent: *\n${rules}${sitemap === undefined ? '' : `\nSitemap: ${sitemap}\n`}`;
}
