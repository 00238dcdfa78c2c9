import { onEachDatabase } from '../../../factories/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  it('returns the columns of a statement by their names, also if they are the key of a row, or repeat', async () => {
    const procedure = (route: string, sql: string) => ({ kind: 'procedure', adapter_name: 'db', route, sql });
    const key = dialect === 'sqlite' ? 'rowid' : 'id';
    const platform = await start({
      script:
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT, price DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'order', 9.5); CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, note TEXT); INSERT INTO items VALUES (7, 1, 'item')",
      services: {
        Keys: procedure('/keys', `SELECT ${key}, price FROM orders`),
        ...(dialect === 'sqlite'
          ? { Joined: procedure('/joined', 'SELECT * FROM orders JOIN items ON order_id = orders.id') }
          : {}),
      },
    });
    const get = async (path: string): Promise<unknown> => (await platform.request(path)).json();
    expect(await get('/keys')).toEqual([{ id: 1, price: dialect === 'sqlite' ? '9.5' : '9.50' }]);
    if (dialect === 'sqlite')
      expect(await get('/joined')).toEqual([{ id: 7, note: 'item', price: '9.5', order_id: 1 }]);
  });
});
