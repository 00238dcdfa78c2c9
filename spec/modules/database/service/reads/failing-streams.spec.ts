import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase } from '../../../../factories/database/table-databases';

/** One more than SQLite streams at the same time; PostgreSQL streams on half of the pool. */
const STREAMS = 33;

onEachDatabase(({ it, dialect, start }) => {
  it('releases the connection of a stream whose first entity cannot be sent', async () => {
    const platform = await start({
      script: `CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE products (id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES makers (id), text TEXT);
        INSERT INTO makers VALUES (1, 'Globe'); INSERT INTO products VALUES (1, 1, '${'x'.repeat(2_200_000)}');`,
      services: {
        Maker: {
          table_name: 'makers',
          route: '/makers[/:id]',
          columns: { id: {}, name: {} },
          embeds: { products: { table_name: 'products', columns: ['id', 'text'] } },
          page_size: 10,
          collection: { GET: { stream: ['application/x-ndjson'] } },
        },
      },
      options: dialect === 'postgres' ? { pool: 2 } : {},
    });
    const stream = (query: string): Promise<Response> =>
      platform.request(`/makers${query}`, { headers: { Accept: 'application/x-ndjson' } });
    for (let count = 0; count < (dialect === 'postgres' ? 2 : STREAMS); count++) {
      const refused = await stream('?embed=products');
      expect(refused.status).toBe(400);
      expect((await bodyOf(refused)).errors).toMatchObject([{ parameter: 'embed' }]);
    }
    const response = await stream('');
    expect([response.status, await response.text()]).toEqual([200, '{"id":1,"name":"Globe"}\n']);
  }, 60_000);
});
