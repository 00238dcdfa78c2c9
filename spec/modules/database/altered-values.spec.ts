import { bodyOf, sendJson } from '../../factories/requests';
import { onEachDatabase, type TablePlatform } from '../../factories/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  if (dialect === 'sqlite') {
    it('a second that PostgreSQL would move to the next minute is stored as it is', async () => {
      const { request } = await start({
        script: 'CREATE TABLE things (id INTEGER PRIMARY KEY, opens TIME)',
        services: {
          Thing: {
            table_name: 'things',
            route: '/things[/:id]',
            columns: { id: {}, opens: {} },
            collection: { POST: {} },
          },
        },
      });
      const response = await request('/things', sendJson({ opens: '23:59:60' }));
      expect([response.status, (await bodyOf(response)).opens]).toEqual([201, '23:59:60']);
    });
    return;
  }
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script:
        'CREATE TABLE things (id SERIAL PRIMARY KEY, label NAME, price MONEY, opens TIME, taken TIMESTAMP)',
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, label: {}, price: {}, opens: {}, taken: {} },
          filters: { label: ['eq'] },
          collection: { GET: {}, POST: {} },
          entity: { GET: {} },
        },
      },
    });
  }, 60_000);

  it.each([
    ['label', 'a'.repeat(64), 'too_long'],
    ['label', 'é'.repeat(32), 'too_long'],
    ['price', '1.005', 'pattern'],
    ['price', '1.000', 'pattern'],
    ['price', '123456789012345678', 'pattern'],
    ['opens', '23:59:60', 'invalid_value'],
  ])('%s %s, which PostgreSQL would alter, is 422 with its pointer', async (name, value, keyword) => {
    const response = await platform.request('/things', sendJson({ [name]: value }));
    expect([response.status, (await bodyOf(response)).errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: `/${name}`, keyword })],
    ]);
  });

  it.each([
    ['label', 'a'.repeat(63)],
    ['label', `${'é'.repeat(31)}a`],
    ['price', '-12345678901234567.25'],
    ['opens', '23:59:59.999999'],
  ])('%s %s is stored as it is', async (name, value) => {
    const response = await platform.request('/things', sendJson({ [name]: value }));
    expect([response.status, (await bodyOf(response))[name]]).toEqual([201, value]);
  });

  it('a filter by a name that is too long is 400', async () => {
    expect((await platform.request(`/things?label.eq=${'a'.repeat(64)}`)).status).toBe(400);
  });
});
