import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';

const ATLAS = [...HOSTING, 'atlas'];

describe('the countries of Atlas', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: ATLAS })));
  afterAll(() => platform.stop());

  const list = async (query = '') => {
    const answer = await platform.request(`/atlas/countries${query}`);
    expect(answer.status).toBe(200);
    const { countries, ...page } = await bodyOf(answer);
    if (!Array.isArray(countries)) throw new TypeError('There are no countries.');
    return { page, codes: countries.map((country: { country_code: string }) => country.country_code) };
  };

  it('are 250, sorted by name, 25 per page', async () => {
    const { page, codes } = await list();
    expect(page).toEqual({ page: 1, page_size: 25, page_count: 10, total_items: 250 });
    expect(codes).toHaveLength(25);
    expect(codes.slice(0, 2)).toEqual(['AF', 'AL']);
  });

  it('fit on one page, and have unique codes', async () => {
    const { codes } = await list('?page_size=250');
    expect(new Set(codes).size).toBe(250);
    expect(codes.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
    expect((await platform.request('/atlas/countries?page_size=251')).status).toBe(400);
  });

  it.each([
    ['?region=Europe', 53],
    ['?region=europe', 53],
    ['?region=Antarctic', 5],
    ['?region=Nowhere', 0],
    ['?language=deu&region=Europe', 4],
    ['?language=GERMAN&region=Europe', 4],
    ['?q=land&region=Europe', 9],
    ['?q=berlin', 1],
    ['?q=Federal%20Republic%20of%20Germany', 1],
  ])('are filtered by %s', async (query, total) => {
    expect((await list(query)).page.total_items).toBe(total);
  });

  it('keep the filter in the links between pages', async () => {
    const answer = await platform.request('/v1/atlas/countries?region=Europe&page=2');
    expect(answer.headers.get('link')).toBe(
      '</v1/atlas/countries?region=Europe>; rel="first", ' +
        '</v1/atlas/countries?region=Europe&page=1>; rel="prev", ' +
        '</v1/atlas/countries?region=Europe&page=3>; rel="next", ' +
        '</v1/atlas/countries?region=Europe&page=3>; rel="last"',
    );
  });

  it('reject a misspelt filter, with its name', async () => {
    const answer = await platform.request('/atlas/countries?regio=Europe');
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).errors).toEqual([
      { parameter: 'regio', message: 'unknown query parameter' },
    ]);
  });

  it('reject a long unknown parameter without repeating all of it', async () => {
    const answer = await platform.request(`/atlas/countries?${'r'.repeat(5_000)}=Europe`);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text.length).toBeLessThan(1_000);
    expect(JSON.parse(text)).toMatchObject({
      detail: `Invalid query parameters: ${'r'.repeat(100)}….`,
      errors: [{ parameter: `${'r'.repeat(100)}…`, message: 'unknown query parameter' }],
    });
  });

  it('are flat in version 1', async () => {
    const answer = await platform.request('/v1/atlas/countries/DE');
    expect(await answer.json()).toEqual({
      country_code: 'DE',
      name: 'Germany',
      official_name: 'Federal Republic of Germany',
      capital: 'Berlin',
      region: 'Europe',
      subregion: 'Western Europe',
      currency: 'EUR',
      language: 'deu',
      area: 357114,
      latitude: 51,
      longitude: 9,
    });
  });

  it('have every currency and language, nested, in version 2', async () => {
    const answer = await platform.request('/v2/atlas/countries/CH');
    expect(await bodyOf(answer)).toMatchObject({
      country_code: 'CH',
      currencies: [{ code: 'CHF', name: 'Swiss franc', symbol: 'Fr.' }],
      languages: expect.arrayContaining([
        { code: 'fra', name: 'French' },
        { code: 'roh', name: 'Romansh' },
      ]) as unknown,
      location: { latitude: 47, longitude: 8 },
    });
  });

  it('are found by their code in any letter case', async () => {
    for (const code of ['fr', 'Fr', 'FR']) {
      expect(await bodyOf(await platform.request(`/atlas/countries/${code}`))).toMatchObject({
        country_code: 'FR',
      });
    }
  });

  it('have null for missing values', async () => {
    expect(await bodyOf(await platform.request('/v1/atlas/countries/AQ'))).toMatchObject({
      capital: null,
      currency: null,
      language: null,
    });
  });

  it.each(['XX', 'D', 'DEU', 'constructor', '%F0%9F%87%A9'])('do not include %s', async (code) => {
    const answer = await platform.request(`/atlas/countries/${code}`);
    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).toMatchObject({
      detail: `Country has no entity "${decodeURIComponent(code)}".`,
    });
  });

  it('are read-only', async () => {
    const answer = await platform.request('/atlas/countries/DE', { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
