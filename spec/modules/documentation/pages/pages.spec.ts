import { attributes, crawl } from '../../../factories/browser/crawl';
import { sampleAuthentication, startTestPlatform } from '../../../factories/platform';
import { ClubModule } from '../../../fixtures/club-module';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';
import { HostileModule } from '../../../fixtures/hostile-module';

/** With descriptions that have no text. */
const WORDLESS = defineApi({
  name: 'Wordless',
  description: '---',
  versions: {
    1: {
      services: {
        Silent: defineRpcService({
          route: '/wordless/silent',
          description: '![](https://example.com/logo.png)',
          methods: { GET: defineProcedure({ handler: () => 'ok' }) },
        }),
      },
    },
  },
});

describe('the pages of the documentation', () => {
  let found: Awaited<ReturnType<typeof crawl>>;
  let origin: string;
  beforeAll(async () => {
    const platform = await startTestPlatform({
      extra: [new ClubModule(), { name: 'wordless', requires: ['hosting'], apis: [WORDLESS] }],
      local: sampleAuthentication,
    });
    ({ origin } = platform);
    try {
      found = await crawl(`${origin}/platform/documentation`);
    } finally {
      await platform.stop();
    }
  });

  it('have working links', () => {
    const broken = [...found.pages.values()].filter(({ status }) => status !== 200).map(({ url }) => url);
    expect(broken).toEqual([]);
    const reached = [...found.pages.keys()].map((url) => url.slice(origin.length));
    for (const path of [
      '',
      '/Atlas',
      '/Atlas-v1',
      '/Atlas-v2/Country',
      '/Atlas-v1/Distance',
      '/Club-v2/Note',
    ])
      expect(reached).toContain(`/platform/documentation${path}`);
  });

  it('have a description for search engines, also without a description of their own', () => {
    const pages = [...found.pages.values()].filter(({ contentType }) => contentType.startsWith('text/html'));
    const without = pages.filter(({ text }) => !/<meta name="description" content="[^"]+">/.test(text));
    expect(without.map(({ url }) => url)).toEqual([]);
    const all = pages.map(({ text }) => text).join('');
    for (const name of ['Note', 'Wordless', 'Silent'])
      expect(all).toContain(`<meta name="description" content="${name}">`);
  });

  it('list the formats of errors', () => {
    const at = (path: string): string =>
      found.pages.get(`${origin}/platform/documentation${path}`)?.text ?? '';
    for (const path of ['/Atlas', '/Atlas-v2/Country'])
      expect(at(path)).toMatch(/<dt>Errors<\/dt>\s*<dd>[^]*application\/problem\+json[^]*text\/html/);
    for (const path of ['/Atlas-v2?format=markdown', '/Atlas-v2/Country?format=markdown'])
      expect(at(path)).toContain('Errors: `application/problem+json` (RFC 9457); `text/html`');
  });

  it('link to all other formats', () => {
    const types = new Set([...found.pages.values()].map(({ contentType }) => contentType));
    expect(types).toEqual(
      new Set([
        'text/html; charset=utf-8',
        'application/json',
        'application/vnd.apidesc+json',
        'application/vnd.oai.openapi+json;version=3.1',
        'application/vnd.swagger+json',
        'application/yaml',
        'text/markdown; charset=utf-8',
        'text/css; charset=utf-8',
        'text/javascript; charset=utf-8',
        'image/svg+xml',
      ]),
    );
  });

  it('link to fragments that exist and are unique', () => {
    expect(found.fragments.length).toBeGreaterThan(20);
    for (const [url, fragment] of found.fragments) {
      const ids = attributes(found.pages.get(url)!.text, 'id').filter((id) => id === fragment);
      expect([url, fragment, ids.length]).toEqual([url, fragment, 1]);
    }
  });

  it('refer to no other origin, except in links of authors', () => {
    expect([...found.outside].sort()).toEqual([
      'https://github.com/mledoze/countries',
      'https://opendatacommons.org/licenses/odbl/1-0/',
    ]);
  });

  it('have a title, one level-one heading, and a language', () => {
    const pages = [...found.pages.values()].filter(({ contentType }) => contentType.startsWith('text/html'));
    const titles = pages.map(({ text }) => /<title>(.+)<\/title>/.exec(text)?.[1]);
    expect(titles).not.toContain(undefined);
    for (const { text } of pages) {
      expect(text.match(/<h1[ >]/g)).toHaveLength(1);
      expect(text).toContain('<html lang="en">');
    }
  });

  it('load scripts of this server, without inline scripts', () => {
    const pages = [...found.pages.values()].filter(({ contentType }) => contentType.startsWith('text/html'));
    for (const { text } of pages) {
      const scripts = text.match(/<script[^>]*>[^<]*/g) ?? [];
      for (const script of scripts)
        expect(script).toMatch(
          /^<script (type="module" )?src="\/platform\/assets\/documentation\/\w+\.js\?\w+">$/,
        );
      expect(text).not.toMatch(/\son\w+=|javascript:/i);
    }
  });
});

describe('text of authors', () => {
  let pages: readonly string[];
  let results: string;
  beforeAll(async () => {
    const platform = await startTestPlatform({ extra: [new HostileModule()] });
    try {
      const found = await crawl(`${platform.origin}/platform/documentation/Hostile`);
      expect([...found.pages.values()].filter(({ status }) => status !== 200)).toEqual([]);
      pages = [...found.pages.values()]
        .filter(
          ({ url, contentType }) =>
            url.includes('/documentation/Hostile') && contentType.startsWith('text/html'),
        )
        .map(({ text }) => text);
      const search = await platform.request('/platform/search?q=hostile', {
        headers: { accept: 'text/html' },
      });
      results = await search.text();
    } finally {
      await platform.stop();
    }
  });

  it('never becomes markup of a page', () => {
    expect(pages.length).toBeGreaterThanOrEqual(3);
    for (const text of pages) {
      expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)');
      expect(text).not.toMatch(/<(iframe|img|textarea|b)\b/i);
      expect(text.match(/<script/gi)).toHaveLength(2);
      // Text within a quoted value is not an attribute.
      expect(text.replace(/="[^"]*"/g, '=""')).not.toMatch(/<(?!script)[^>]+\s(onerror|src)=/i);
    }
  });

  it('never becomes markup of search results', () => {
    expect(results).toContain('&lt;script');
    expect(results).not.toMatch(/<(iframe|img|textarea|b)\b/i);
    expect(results.match(/<script/gi)).toHaveLength(2);
  });

  it('is not a template', () => {
    for (const text of pages) {
      expect(text).toContain('{{ 7*7 }}');
      expect(text).not.toMatch(/>49</);
    }
  });

  it('links to URLs only', () => {
    for (const text of pages)
      for (const link of attributes(text, 'href')) expect(link).toMatch(/^(\/|#|\?|https:)/);
  });

  it('is escaped once', () => {
    for (const text of pages) expect(text).not.toMatch(/&amp;(lt|gt|quot|amp|#39);/);
  });
});

it.each(['javascript:alert(1)', 'MIT', 'https://example.org/a b', 'https://a.example/"><script>'])(
  'rejects the license URL "%s" at startup',
  async (url) => {
    const api = defineApi({ name: 'Own', license: { name: 'MIT', url }, versions: { 1: { services: {} } } });
    const refusal = await startRefusal({ extra: [{ name: 'own', requires: ['hosting'], apis: [api] }] });
    expect(refusal).toContain(`The API Own: license.url is "${url}"`);
  },
);
