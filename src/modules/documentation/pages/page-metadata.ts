import { changelogPath } from '../changelog/changelog';
import type { ChangelogEntry } from '../changelog/changelog-content';
import type { ApiListContent } from '../content';
import type { Guide } from '../guides/guide';
import type { PageLanguage } from '../language/languages';
import { Api } from '../model/api';
import { Service } from '../model/service';
import type { DocumentationLinks } from '../routes/documentation-links';
import { firstParagraph } from '../text/markdown';

/** The variables of a page that identify it. */
export interface PageVariables {
  readonly apis?: ApiListContent['apis'];
  readonly documentation?: unknown;
  /** Of a comparison: the older version, and the service, if only one is compared. */
  readonly base?: number;
  readonly service?: string;
  /** Of a changelog. */
  readonly entries?: readonly ChangelogEntry[];
  /** Of a further page of an API. */
  readonly pageNumber?: number;
  readonly guide?: Guide;
  /** The URL path of a page other than those of APIs. */
  readonly path?: string;
}

/** What crawlers and link previews read from the head of a page. */
export interface PageMetadata {
  /** The canonical URL; undefined without a public URL. */
  readonly url: string | undefined;
  readonly title: string;
  /** May be empty. */
  readonly description: string;
  /** Whether guests may read the page. */
  readonly isPublic: boolean;
}

/** What the metadata of pages depends on. */
export interface MetadataContext {
  readonly links: DocumentationLinks;
  /** The origin that clients use; may be empty. */
  readonly publicUrl: string;
  readonly language: PageLanguage;
  /** The name of the site. */
  readonly name: string;
  /** Whether guests may read the page of an API or a service, or other pages. */
  readonly isPublic: (page?: Api | Service) => boolean;
}

/** Characters of a description in search results and link previews. */
const MAX_DESCRIPTION_LENGTH = 160;

/** Returns the metadata of a page; undefined for other pages, such as error pages. */
export function pageMetadata(variables: PageVariables, context: MetadataContext): PageMetadata | undefined {
  const found = describePage(variables, context);
  if (found === undefined) return undefined;
  const { path, title, description, page } = found;
  return {
    url: context.publicUrl === '' ? undefined : `${context.publicUrl}${path}`,
    title,
    description,
    isPublic: context.isPublic(page),
  };
}

interface DescribedPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly page?: Api | Service;
}

function describePage(
  { apis, documentation: page, base, service, entries, pageNumber, guide, path }: PageVariables,
  { links, name, language }: MetadataContext,
): DescribedPage | undefined {
  if (guide !== undefined && path !== undefined)
    return { path, title: guide.title, description: guide.summary };
  if (apis !== undefined)
    return { path: links.href({}), title: name, description: apis.map((api) => api.name).join(', ') };
  if (page instanceof Service) {
    const api = page.getApi();
    if (api === null) return undefined;
    const scope = { api: api.getName(), version: api.getVersion(), service: page.getName() };
    const title = `${page.getName()} · ${api.getName()} v${api.getVersion()}`;
    return { path: links.href(scope), title, description: shorten(page.getDescription()), page };
  }
  if (!(page instanceof Api)) return undefined;
  if (entries !== undefined) {
    const api = page.getName();
    return {
      path: changelogPath(api, links),
      title: language.text('changelog.of', { api }),
      description: shorten(page.getDescription()),
      page,
    };
  }
  const scope = {
    api: page.getName(),
    version: page.getVersion(),
    ...(service === undefined ? {} : { service }),
  };
  const title = `${service === undefined ? '' : `${service} · `}${page.getName()} v${page.getVersion()}`;
  const description = shorten(page.getDescription());
  const query = pageNumber === undefined ? '' : `?page=${pageNumber}`;
  if (base === undefined) return { path: links.href(scope) + query, title, description, page };
  return { path: `${links.href(scope)}?compare=${base}`, title: `${title}: v${base}`, description, page };
}

function shorten(description: string): string {
  return firstParagraph(description, MAX_DESCRIPTION_LENGTH);
}
