import { onEachDatabase } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  it('returns the columns of a statement by their names, also if they are the key of a row, or repeat', async () => {
    const procedure = (route: string, sql: string) => ({ kind: 'procedure', adapter_name: 'db', route, sql });
    const key = dialect === 'sqlite' ? 'rowid' : 'id';
    const platform = await start({
      script:
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT, price DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'order', 9.5); CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, note TEXT); INSERT INTO items VALUES (7, 1, 'item'); CREATE TABLE texts (id INTEGER PRIMARY KEY, note JSON); INSERT INTO texts VALUES (7, '{}')",
      services: {
        Keys: procedure('/keys', `SELECT ${key}, price FROM orders`),
        ...(dialect === 'sqlite'
          ? {
              Joined: procedure('/joined', 'SELECT * FROM orders JOIN items ON order_id = orders.id'),
              Typed: procedure('/typed', 'SELECT * FROM texts JOIN items ON texts.id = items.id'),
            }
          : {}),
      },
    });
    const get = async (path: string): Promise<unknown> => (await platform.request(path)).json();
    expect(await get('/keys')).toEqual([{ id: 1, price: dialect === 'sqlite' ? '9.5' : '9.50' }]);
    if (dialect !== 'sqlite') return;
    expect(await get('/joined')).toEqual([{ id: 7, note: 'item', price: '9.5', order_id: 1 }]);
    // The last one, as its own type.
    expect(await get('/typed')).toEqual([{ id: 7, note: 'item', order_id: 1 }]);
  });

  it('returns the rows of a table of PostgreSQL whose types have changed since the last request', async () => {
    if (dialect === 'sqlite') return;
    const platform = await start({
      script: "CREATE TABLE notes (note VARCHAR(9)); INSERT INTO notes VALUES ('Lamp')",
      services: { Notes: { kind: 'procedure', route: '/notes', sql: 'SELECT note FROM notes' } },
    });
    const get = async (): Promise<unknown> => (await platform.request('/notes')).json();
    // The statement is prepared from the second time on.
    for (let count = 0; count < 3; count++) expect(await get()).toEqual([{ note: 'Lamp' }]);
    await platform.database.runScripts(['ALTER TABLE notes ALTER note TYPE TEXT']);
    expect(await get()).toEqual([{ note: 'Lamp' }]);
  });
});
