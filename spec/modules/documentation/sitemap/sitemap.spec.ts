import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sitemapFiles } from '../../../../src/modules/documentation/sitemap/sitemap';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { attributes } from '../../../factories/browser/crawl';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const PUBLIC_URL = 'https://api.example.com';
const HOME = `${PUBLIC_URL}/gateway/platform/documentation`;

const service = (route: string, visibility: 'public' | 'authenticated' = 'public') =>
  defineRpcService({
    route,
    visibility,
    methods: { GET: defineProcedure({ handler: () => ({ own: true }) }) },
  });

/** An API with a service that guests do not see, one that they do not see at all, and a name to be escaped. */
class SitesModule implements Module {
  readonly name = 'sites';
  readonly apis = [
    defineApi({
      name: 'Sites',
      description: 'Web sites & their <pages>.',
      versions: {
        1: { services: { Page: service('/pages'), Secret: service('/secrets', 'authenticated') } },
      },
    }),
    defineApi({
      name: 'Internal',
      visibility: 'authenticated',
      versions: { 1: { services: { Page: service('/internal') } } },
    }),
  ];
}

const urlsOf = (text: string): readonly string[] =>
  [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url);

/** The properties and links of a page's head. */
function headOf(html: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, name = '', content = ''] of html.matchAll(
    /<meta (?:property|name)="((?:og:\w+)|robots)" content="([^"]*)"/g,
  ))
    found[name] = content;
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
  return canonical === undefined ? found : { ...found, canonical };
}

describe('documentation with a public URL', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [new SitesModule()],
      files: { 'guides/10-first-steps.md': '# First steps\n\nStart here.' },
      local: {
        ...sampleAuthentication,
        server: { public_url: PUBLIC_URL, base_url: '/gateway' },
        'platform-documentation': { name: 'Example APIs', guides: 'guides' },
      },
    });
  });
  afterAll(() => platform.stop());

  const read = async (path: string): Promise<string> => (await platform.request(`/gateway${path}`)).text();
  const page = (below: string): Promise<string> => read(`/platform/documentation${below}`);

  it('lists the pages that guests may read in the sitemap', async () => {
    const urls = urlsOf(await read('/sitemap.xml'));
    expect(urls).toEqual(
      expect.arrayContaining([
        HOME,
        `${HOME}/Atlas-v1`,
        `${HOME}/Atlas-v2/Country`,
        `${HOME}/Sites-v1/Page`,
        `${PUBLIC_URL}/gateway/platform/guides/first-steps`,
        `${PUBLIC_URL}/gateway/platform/errors`,
      ]),
    );
    expect(urls.filter((url) => /Secret|Internal/.test(url))).toEqual([]);
    for (const url of urls) {
      const answer = await platform.request(url.slice(PUBLIC_URL.length), {
        headers: { Accept: 'text/html' },
      });
      expect([url, answer.status]).toEqual([url, 200]);
      expect([url, headOf(await answer.text()).canonical]).toEqual([url, url]);
    }
  });

  it('names the sitemap in robots.txt', async () => {
    const answer = await platform.request('/gateway/robots.txt');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(
      `User-agent: *\nDisallow: /gateway/platform/search\n\nSitemap: ${PUBLIC_URL}/gateway/sitemap.xml\n`,
    );
  });

  it.each([
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/sitemap.xml', 'application/xml'],
  ])('serves %s with an entity tag, and for HEAD', async (path, type) => {
    const answer = await platform.request(`/gateway${path}`, { method: 'HEAD' });
    expect(answer.headers.get('content-type')).toBe(type);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const again = await platform.request(`/gateway${path}`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await platform.request(`/gateway${path}`, { method: 'POST' })).status).toBe(405);
  });

  it('has canonical URLs and Open Graph properties in pages', async () => {
    expect(headOf(await page('/Sites?format=html'))).toEqual({
      canonical: `${HOME}/Sites-v1`,
      'og:type': 'website',
      'og:site_name': 'Example APIs',
      'og:title': 'Sites v1',
      'og:url': `${HOME}/Sites-v1`,
      'og:description': 'Web sites &amp; their &lt;pages&gt;.',
    });
    expect(headOf(await page('?format=html'))).toMatchObject({
      canonical: HOME,
      'og:title': 'Example APIs',
      'og:description': 'Atlas, Sites',
    });
    expect(headOf(await page('/Atlas/Country?format=html'))).toMatchObject({
      canonical: `${HOME}/Atlas-v2/Country`,
      'og:title': 'Country · Atlas v2',
    });
    expect(headOf(await page('/Atlas?compare=1&format=html')).canonical).toBe(`${HOME}/Atlas-v2?compare=1`);
  });

  it('has no canonical URL in error pages', async () => {
    const answer = await platform.request('/gateway/platform/documentation/Atlsa', {
      headers: { Accept: 'text/html' },
    });
    expect(headOf(await answer.text())).toEqual({});
  });
});

describe('documentation without a public URL', () => {
  it('has no robots.txt, no sitemap and no canonical URLs', async () => {
    const platform = await startTestPlatform();
    try {
      for (const path of ['/robots.txt', '/sitemap.xml'])
        expect((await platform.request(path)).status).toBe(404);
      const html = await (await platform.request('/platform/documentation?format=html')).text();
      expect(headOf(html)).toEqual({});
      expect(attributes(html, 'property')).toEqual([]);
    } finally {
      await platform.stop();
    }
  });
});

describe('documentation that requires authentication', () => {
  it('is excluded from crawling and from indexes', async () => {
    const platform = await startTestPlatform({
      extra: [new ClubModule()],
      files: CLUB_FILES,
      local: {
        ...authentication(
          CLUB_ADAPTERS,
          { '@documentation': 'basic' },
          { '@documentation': 'authenticated' },
        ),
        server: { public_url: PUBLIC_URL },
      },
    });
    try {
      expect(await (await platform.request('/robots.txt')).text()).toBe(
        'User-agent: *\nDisallow: /platform/\n',
      );
      expect((await platform.request('/sitemap.xml')).status).toBe(404);
      for (const format of ['html', 'json']) {
        const answer = await platform.request(`/platform/documentation/Club?format=${format}`, {
          headers: { Authorization: basic('bob', PASSWORD) },
        });
        expect(answer.headers.get('x-robots-tag')).toBe('noindex');
        if (format === 'html') expect(headOf(await answer.text()).robots).toBe('noindex');
      }
    } finally {
      await platform.stop();
    }
  });
});

describe('an API at /robots.txt', () => {
  it('is served in place of the one for crawlers', async () => {
    const own: Module = {
      name: 'own',
      apis: [defineApi({ name: 'Own', versions: { 1: { services: { Robots: service('/robots.txt') } } } })],
    };
    const platform = await startTestPlatform({ extra: [own], local: { server: { public_url: PUBLIC_URL } } });
    try {
      expect(await (await platform.request('/robots.txt')).json()).toEqual({ own: true });
      expect((await platform.request('/sitemap.xml')).status).toBe(200);
    } finally {
      await platform.stop();
    }
  });
});

describe('a front end', () => {
  it('has the files for crawlers that the documentation has, unless it has its own', async () => {
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'static-files', 'documentation'],
      local: {
        server: { public_url: PUBLIC_URL },
        'platform-static-files': { folders: { '/': { folder: 'web', fallback: 'index.html' } } },
      },
      files: { 'web/index.html': 'app' },
    });
    try {
      const textOf = async (path: string): Promise<string> =>
        (await platform.request(path, { headers: { Accept: 'text/html, */*' } })).text();
      expect(await textOf('/robots.txt')).toBe(
        `User-agent: *\nDisallow: /platform/search\n\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`,
      );
      expect(urlsOf(await textOf('/sitemap.xml'))).toContain(`${PUBLIC_URL}/platform/documentation`);
      writeFileSync(join(platform.root, 'web/robots.txt'), 'own');
      const own = await platform.request('/robots.txt');
      expect([own.headers.get('cache-control'), await own.text()]).toEqual(['no-cache', 'own']);
      expect(own.headers.get('x-content-type-options')).toBe('nosniff');
      rmSync(join(platform.root, 'web/robots.txt'));
      expect(await textOf('/robots.txt')).toContain('Sitemap: ');
    } finally {
      await platform.stop();
    }
  });
});

it('A sitemap with more URLs than allowed is divided, with an index', () => {
  const paths = ['/a', '/b', '/c', '/d?e=1&f=2', '/g'].map((path) => PUBLIC_URL + path);
  const base = `${PUBLIC_URL}/gateway`;
  const files = sitemapFiles(paths, base, 2).map(
    ({ path, chunksOf }) => [path, urlsOf([...chunksOf()].join(''))] as const,
  );
  expect(files).toEqual([
    ['/sitemap.xml', [1, 2, 3].map((number) => `${base}/sitemap-${number}.xml`)],
    ['/sitemap-1.xml', [`${PUBLIC_URL}/a`, `${PUBLIC_URL}/b`]],
    ['/sitemap-2.xml', [`${PUBLIC_URL}/c`, `${PUBLIC_URL}/d?e=1&amp;f=2`]],
    ['/sitemap-3.xml', [`${PUBLIC_URL}/g`]],
  ]);
});
