import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';
import { START_TIMEOUT_MS } from '../../../factories/test-timeout';

const COLUMNS = [
  'id',
  'label',
  'price',
  'opens',
  'taken',
  'seen',
  'closes',
  'times',
  'moments',
  'offsets',
  'labels',
  'tag',
];

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

    it('a text that SQLite would take for another number in a column of the type STRING is 422', async () => {
      const { request } = await start({
        script: 'CREATE TABLE things (id INTEGER PRIMARY KEY, code STRING, name TEXT)',
        services: {
          Thing: {
            table_name: 'things',
            route: '/things[/:id]',
            columns: { id: {}, code: {}, name: {} },
            filters: { code: ['eq', 'starts'] },
            page_size: 2,
            collection: { GET: { sort: ['code'] }, POST: {} },
          },
        },
      });
      for (const code of ['007', '7.0', '1e3', ' 7', '+7', '.5', '5.', '9007199254740993', '-0']) {
        const response = await request('/things', sendJson({ code }));
        expect([code, response.status, (await bodyOf(response)).errors]).toMatchObject([
          code,
          422,
          [{ pointer: '/code' }],
        ]);
        expect((await request('/things', sendJson({ name: code }))).status).toBe(201);
      }
      const kept = ['', '-7', '0', '0.5', '7', '0x7', '1_0', '7 a', 'a'];
      for (const code of kept) {
        const response = await request('/things', sendJson({ code }));
        expect([response.status, (await bodyOf(response)).code]).toEqual([201, code]);
        const { items } = await bodyOf(await request(`/things?code.eq=${encodeURIComponent(code)}`));
        expect(items).toMatchObject([{ code }]);
      }
      const read: string[] = [];
      let query = '/things?sort=code';
      for (;;) {
        const { items, next_cursor: next } = await bodyOf(await request(query));
        read.push(...(items as { code: string | null }[]).flatMap(({ code }) => code ?? []));
        if (typeof next !== 'string') break;
        query = `/things?sort=code&cursor=${next}`;
      }
      expect([...read].sort()).toEqual([...kept].sort());
    });
    return;
  }
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE DOMAIN tag AS NAME;
        CREATE TABLE things (id SERIAL PRIMARY KEY, label NAME, price MONEY, opens TIME, taken TIMESTAMP, seen TIMESTAMPTZ,
          closes TIMETZ, times TIME[], moments TIMESTAMPTZ[], offsets TIMETZ[], labels NAME[], tag TAG)`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: Object.fromEntries(COLUMNS.map((name) => [name, {}])),
          filters: { label: ['eq'], price: ['eq', 'in'], opens: ['eq'], seen: ['gte'] },
          collection: { GET: {}, POST: {}, DELETE: {} },
          entity: { GET: {} },
        },
      },
    });
  }, START_TIMEOUT_MS);

  it.each<[name: string, value: unknown, keyword: string, within?: string]>([
    ['label', 'a'.repeat(64), 'too_long'],
    ['tag', 'a'.repeat(64), 'too_long'],
    ['labels', ['a', 'a'.repeat(64)], 'too_long'],
    ['label', 'é'.repeat(32), 'too_long'],
    ['price', '1.005', 'pattern'],
    ['price', '1.000', 'pattern'],
    ['price', '123456789012345678', 'pattern'],
    ['opens', '23:59:60', 'invalid_value'],
    ['opens', '23:59:60Z', 'invalid_value'],
    ['opens', '23:59:60.5Z', 'invalid_value'],
    ['opens', '23:59:60+00:00', 'invalid_value'],
    ['opens', '22:59:60-01:00', 'invalid_value'],
    ['closes', '23:59:60Z', 'invalid_value'],
    ['closes', '22:59:60-01', 'invalid_value'],
    ['taken', '2026-12-31T23:59:60Z', 'invalid_value'],
    ['taken', '2026-12-31T22:59:60-01:00', 'invalid_value'],
    ['seen', '2026-12-31T23:59:60Z', 'invalid_value'],
    ['seen', '2026-12-31T22:59:60.25-01:00', 'invalid_value'],
    ['times', ['10:00:00', '23:59:60'], 'invalid_value', '/1'],
    ['times', ['23:59:60Z'], 'invalid_value', '/0'],
    ['moments', [null, '2026-12-31T23:59:60Z'], 'invalid_value', '/1'],
    ['offsets', ['23:59:60+00'], 'invalid_value', '/0'],
  ])(
    '%s %s, which PostgreSQL would alter, is 422 with its pointer',
    async (name, value, keyword, within = '') => {
      const response = await platform.request('/things', sendJson({ [name]: value }));
      expect([response.status, (await bodyOf(response)).errors]).toEqual([
        422,
        [expect.objectContaining({ pointer: `/${name}${within}`, keyword })],
      ]);
    },
  );

  it.each<[name: string, value: unknown]>([
    ['label', 'a'.repeat(63)],
    ['tag', 'a'.repeat(63)],
    ['labels', ['a'.repeat(63), null]],
    ['times', ['23:59:59', null]],
    ['closes', '23:59:59+00'],
    ['seen', '2026-12-31T23:59:59Z'],
    ['label', `${'é'.repeat(31)}a`],
    ['price', '-12345678901234567.25'],
    ['opens', '23:59:59.999999'],
  ])('%s %s is stored as it is', async (name, value) => {
    const response = await platform.request('/things', sendJson({ [name]: value }));
    expect([response.status, (await bodyOf(response))[name]]).toEqual([201, value]);
  });

  it('a filter with a leap second, which PostgreSQL would move to the next minute, is 400 with the reason', async () => {
    for (const value of ['9999-12-31T23:59:60Z', '2016-12-31T22:59:60-01:00']) {
      const response = await platform.request(`/things?seen.gte=${encodeURIComponent(value)}`);
      expect([response.status, (await bodyOf(response)).errors]).toEqual([
        400,
        [
          {
            parameter: 'seen.gte',
            message: 'must not have the leap second 60, which PostgreSQL moves to the next minute',
          },
        ],
      ]);
    }
  });

  it.each([
    ['label.eq', 'a'.repeat(64)],
    ['opens.eq', '23:59:60Z'],
    ['price.eq', '92233720368547758.08'],
    ['price.in', '1.00,92233720368547758.08'],
  ])('a filter %s=%s, which no row can have, is 400 with its parameter', async (parameter, value) => {
    for (const method of ['GET', 'DELETE']) {
      const response = await platform.request(`/things?${parameter}=${value}`, { method });
      const { errors } = await bodyOf(response);
      expect([method, response.status, errors]).toEqual([
        method,
        400,
        [expect.objectContaining({ parameter })],
      ]);
    }
  });
});
