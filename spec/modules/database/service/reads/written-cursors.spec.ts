import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

const TYPES = {
  sqlite: ['NUMERIC(9, 2)', 'BIGINT', 'DATE', 'TIMESTAMPTZ', 'TEXT'],
  postgres: [
    'money',
    'numeric(9, 2)',
    'numeric',
    'bigint',
    'real',
    'date',
    'time',
    'timetz',
    'timestamp',
    'timestamptz',
    'interval',
    'inet',
    'uuid',
    'name',
    'char(3)',
    'oid',
    'pg_lsn',
    'bit(3)',
    'varbit',
    'int4range',
    'mood',
    'price',
  ],
};

const VALUES = ['NaN', 'Infinity', '-Infinity', '', 'x', '1e400', '1'.repeat(70), '\0', '9'.repeat(30), '1'];

onEachDatabase(({ it, dialect, start }) => {
  const types = TYPES[dialect];
  let platform: TablePlatform;
  beforeAll(async () => {
    const names = types.map((type, at) => `c${at} ${type}`);
    platform = await start({
      script: `${dialect === 'postgres' ? "CREATE TYPE mood AS ENUM ('well'); CREATE DOMAIN price AS money;" : ''}
        CREATE TABLE things (id INTEGER PRIMARY KEY, ${names.join(', ')});
        INSERT INTO things (id) VALUES (1), (2);`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: Object.fromEntries(['id', ...types.map((_, at) => `c${at}`)].map((name) => [name, {}])),
          collection: { GET: { sort: ['id', ...types.map((_, at) => `c${at}`)] } },
          page_size: 1,
        },
      },
    });
  }, 60_000);

  /** The first page of an order after a position that no response has named. */
  async function after(value: unknown, column: string): Promise<Response> {
    const { next_cursor: cursor } = await bodyOf(await platform.request(`/things?sort=${column}`));
    const [hash] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as [string];
    const text = Buffer.from(JSON.stringify([hash, { at: [value, 1] }])).toString('base64url');
    return platform.request(`/things?sort=${column}&cursor=${text}`);
  }

  it.each(types.map((type, at) => [type, `c${at}`]))(
    'a cursor of %s with any text is a page or refused',
    async (_, column) => {
      const statuses: number[] = [];
      // One after the other: the values of failed statements are examined on one connection.
      for (const value of VALUES) statuses.push((await after(value, column)).status);
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    },
  );

  if (dialect !== 'postgres') return;

  it.each(['money', 'price'])('a cursor of %s names its parameter unless it is an amount', async (type) => {
    const column = `c${types.indexOf(type)}`;
    for (const value of ['NaN', 'Infinity', 'x', '', '1e3', '$1']) {
      const response = await after(value, column);
      expect([value, response.status, (await bodyOf(response)).errors]).toMatchObject([
        value,
        400,
        [{ parameter: 'cursor' }],
      ]);
    }
    expect((await after('-1.50', column)).status).toBe(200);
  });
});
