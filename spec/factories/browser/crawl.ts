/** A page, and the link that led to it. */
export interface CrawledPage {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** The values of an attribute, as a browser parses them. */
export function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^>]* ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replace(/&(amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity),
  );
}

/**
 * Follows every link and every asset of pages, starting at one, within its origin. Links to other origins are collected
 * and not followed.
 */
export async function crawl(first: string): Promise<{
  readonly pages: ReadonlyMap<string, CrawledPage>;
  readonly outside: ReadonlySet<string>;
  readonly fragments: readonly (readonly [url: string, fragment: string])[];
}> {
  const { origin } = new URL(first);
  const pages = new Map<string, CrawledPage>();
  const outside = new Set<string>();
  const fragments: [string, string][] = [];
  const waiting = [first];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (pages.has(url)) continue;
    const answer = await fetch(url, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    const page = {
      url,
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      text: await answer.text(),
    };
    pages.set(url, page);
    if (!page.contentType.startsWith('text/html')) continue;
    for (const link of [...attributes(page.text, 'href'), ...attributes(page.text, 'src')]) {
      const target = new URL(link, url);
      const fragment = decodeURIComponent(target.hash.slice(1));
      target.hash = '';
      if (target.origin !== origin) {
        outside.add(target.href);
        continue;
      }
      if (fragment !== '') fragments.push([target.href, fragment]);
      waiting.push(target.href);
    }
  }
  return { pages, outside, fragments };
}
