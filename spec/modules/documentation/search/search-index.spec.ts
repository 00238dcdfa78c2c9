import { plainText } from '../../../../src/modules/documentation/search/plain-text';
import { searchIndexOf } from '../../../../src/modules/documentation/search/search-index';
import { atlas } from '../../../fixtures/documentation';
import { startTestPlatform } from '../../../factories/platform';

describe('the search index', () => {
  const entries = [...searchIndexOf([atlas], '/platform/documentation')];

  it('has all services, operations and fields, with their location', () => {
    const urls = entries.map(({ url }) => url);
    expect(urls).toContain('/platform/documentation/Atlas-v2/Country#GET-entity');
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: 'field',
        title: 'currencies.symbol',
        within: 'Atlas v2 › Country',
        url: '/platform/documentation/Atlas-v2/Country#fields.currencies.items.symbol',
        text: 'Currency symbol',
      }),
    );
  });

  it('has operations with their parameters and request fields', () => {
    const list = entries.find(({ title }) => title === 'GET /atlas/countries');
    expect(list?.names?.split(' ')).toEqual(['region', 'page', 'page_size']);
    const create = entries.find(({ title }) => title === 'POST /atlas/visits');
    expect(create?.names).toContain('companions.email');
  });

  it('has procedures with their parameters and response fields', () => {
    const distance = entries.find(({ title }) => title === 'GET /atlas/distance/:from/:to');
    expect(distance?.names).toBe('from to kilometres');
  });

  it('has the beginning of descriptions, without markup', () => {
    expect(plainText('A [link](https://example.org) and `code`,\n**bold**.')).toBe('A link and code, bold.');
    expect(plainText('`user_id` and ``a`b_c``, _not_ __marked__ snake_case, [`x_y`](/z)')).toBe(
      'user_id and a`b_c, not marked snake_case, x_y',
    );
    expect(Array.from(plainText('😀'.repeat(1000)))).toHaveLength(241);
  });
});

it('leads to places that are there', async () => {
  const platform = await startTestPlatform();
  try {
    const urls = new Set<string>();
    const words = ['country', 'visit', 'distance', 'location', 'currency', 'page', 'list', 'not found'];
    for (const query of [...words, ...words.map((word) => `${word}&api=Atlas-v1`)]) {
      const found = (await (await platform.request(`/platform/search?q=${query}`)).json()) as {
        readonly results: readonly { readonly url: string }[];
      };
      for (const { url } of found.results) urls.add(url);
    }
    const pages = new Map<string, string>();
    for (const url of urls) {
      const [path = '', fragment] = url.split('#');
      if (fragment === undefined) continue;
      const page =
        pages.get(path) ??
        (await (await platform.request(path, { headers: { accept: 'text/html' } })).text());
      pages.set(path, page);
      expect([url, page.includes(` id="${fragment}"`)]).toEqual([url, true]);
    }
    expect(pages.size).toBeGreaterThanOrEqual(6);
  } finally {
    await platform.stop();
  }
});
