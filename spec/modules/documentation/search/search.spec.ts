import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SearchResults } from '../../../../src/modules/documentation/search/search-engine';
import { importOpenapi } from '../../../../src/modules/documentation-import';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import queries from '../../../fixtures/search/queries.json';

type Result = SearchResults['results'][number];

/** An operation as its method and path, other results as their title. */
const nameOf = ({ method, path: below, title }: Result): string =>
  method === undefined ? title : `${method} ${below ?? ''}`;

const search = async (platform: TestPlatform, query: string, more = ''): Promise<SearchResults> => {
  const answer = await platform.request(`/platform/search?q=${encodeURIComponent(query)}${more}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SearchResults;
};

/** A description of GitHub's API with its operations, but without parameters and schemas. */
function githubDocument(): string {
  const lines = readFileSync(path.join(__dirname, '../../../fixtures/search/github-operations.tsv'), 'utf8');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const line of lines.trimEnd().split('\n')) {
    const [method = '', at = '', tag = '', deprecated = '', summary = ''] = line.split('\t');
    (paths[at] ??= {})[method.toLowerCase()] = {
      tags: [tag],
      summary,
      ...(deprecated === '' ? {} : { deprecated: true }),
      responses: { 200: { description: 'OK' }, 401: { description: 'Requires authentication' } },
    };
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'GitHub', version: '1' }, paths });
}

describe("the search of GitHub's API", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const { api } = importOpenapi({ text: githubDocument(), name: 'file' }, 1);
    platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { GitHub: api } } } });
  });
  afterAll(() => platform.stop());

  it.each(Object.entries(queries))('finds what is meant by "%s" first', async (query, expected) => {
    const [first] = (await search(platform, query)).results;
    expect(expected).toContain(first === undefined ? undefined : nameOf(first));
  });

  it('finds most operations first by their own summaries, and all of them among the results', async () => {
    const documentation = (await (await platform.request('/platform/documentation/GitHub')).json()) as {
      readonly services: readonly { readonly operations: readonly { readonly summary: string }[] }[];
    };
    const summaries = documentation.services.flatMap(({ operations }) =>
      operations.map((one) => one.summary),
    );
    expect(summaries.length).toBeGreaterThan(1200);
    const sample = new Set(summaries.filter((_, at) => at % 8 === 0));
    let first = 0;
    for (const summary of sample) {
      const titles = (await search(platform, summary)).results.map(({ title }) => title);
      expect([summary, titles.includes(summary)]).toEqual([summary, true]);
      if (titles[0] === summary) first += 1;
    }
    expect(first).toBeGreaterThan(0.95 * sample.size);
  }, 60_000);
});

describe('the search of Atlas', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: sampleAuthentication });
  });
  afterAll(() => platform.stop());

  it.each([
    ['country', 'Country'],
    ['contry', 'Country'],
    ['list countries', 'GET /atlas/countries'],
    ['get country', 'GET /atlas/countries/:country_code'],
    ['listCountry', 'GET /atlas/countries'],
    ['Atlas_listCountry', 'GET /atlas/countries'],
    ['create a visit', 'POST /atlas/visits'],
    ['add visit', 'POST /atlas/visits'],
    ['remove visit', 'DELETE /atlas/visits/:visit_id'],
    ['edit a visit', 'PATCH /atlas/visits/:visit_id'],
    ['atlas/distance', 'GET /atlas/distance'],
    ['/v2/atlas/countries/CHE', 'GET /atlas/countries/:country_code'],
    ['locaton latitude', 'location.latitude'],
    ['digest', 'Atlas'],
    ['429', 'too_many_failures'],
  ])('finds what is meant by "%s" first', async (query, expected) => {
    const [first] = (await search(platform, query)).results;
    expect(first === undefined ? undefined : nameOf(first)).toBe(expected);
  });

  it('finds operations by their authentication scheme and statuses', async () => {
    const found = async (query: string): Promise<readonly string[]> =>
      (await search(platform, query)).results.map(nameOf);
    expect(await found('digest')).toContain('POST /atlas/visits');
    expect(await found('422')).toContain('POST /atlas/visits');
  });

  it('prefers the version of the API that the reader has open, or the default version', async () => {
    const urls = async (more: string): Promise<readonly string[]> =>
      (await search(platform, 'visit', more)).results.map(({ url }) => url);
    expect((await urls(''))[0]).toBe('/platform/documentation/Atlas-v2/Visit');
    expect((await urls('&api=Atlas-v1'))[0]).toBe('/platform/documentation/Atlas-v1/Visit');
    expect((await urls('&api=../nothing'))[0]).toBe('/platform/documentation/Atlas-v2/Visit');
  });

  it('marks the words that match', async () => {
    const { results } = await search(platform, 'failed validaton');
    const [{ title, marks } = { title: '', marks: { title: [] } }] = results;
    expect(marks.title.map(([start, end]) => title.slice(start, end))).toEqual(['failed_validation']);
  });
});
