import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase } from '../../../../factories/database/table-databases';

/** More than half of the arguments that a function of PostgreSQL can have. */
const NAMES = Array.from({ length: 60 }, (_, at) => `c${at}`);

onEachDatabase(({ it, start }) => {
  it('embeds rows of many columns, as an entity and as a list', async () => {
    const platform = await start({
      script: `CREATE TABLE wide (id INTEGER PRIMARY KEY, big BIGINT, data JSON, ${NAMES.map((name) => `${name} INTEGER`).join(', ')});
        INSERT INTO wide (id, big, data, c0, c59) VALUES (1, 9007199254740993, '{"a":[1.50]}', 5, 7);
        CREATE TABLE parts (id INTEGER PRIMARY KEY, wide_id INTEGER REFERENCES wide (id));
        INSERT INTO parts VALUES (1, 1), (2, NULL);
        CREATE TABLE joins (part_id INTEGER REFERENCES parts (id), wide_id INTEGER REFERENCES wide (id));
        INSERT INTO joins VALUES (1, 1);`,
      services: {
        Part: {
          table_name: 'parts',
          route: '/parts[/:id]',
          columns: { id: {}, wide_id: { embed: { columns: ['big', 'data', ...NAMES] } } },
          embeds: { all: { table_name: 'wide', through: 'joins', columns: ['big', 'data', ...NAMES] } },
          collection: { GET: {} },
        },
      },
    });
    const wide = { ...Object.fromEntries(NAMES.map((name) => [name, null])), c0: 5, c59: 7 };
    const row = { big: '9007199254740993', data: { a: [1.5] }, ...wide };
    expect(await bodyOf(await platform.request('/parts?embed=wide,all'))).toMatchObject({
      items: [
        { id: 1, wide: row, all: [row] },
        { id: 2, wide: null, all: [] },
      ],
    });
  });

  it('embeds members whose names have more bytes than those of columns can have', async () => {
    const name = (end: string): string =>
      `the_maker_who_is_responsible_for_this_product_since_it_is_made_${end}`;
    const platform = await start({
      script: `CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO makers VALUES (1, 'Globe'), (2, 'Sun');
        CREATE TABLE products (id INTEGER PRIMARY KEY, first INTEGER REFERENCES makers (id), second INTEGER REFERENCES makers (id));
        INSERT INTO products VALUES (1, 1, 2);
        CREATE TABLE feet (id INTEGER PRIMARY KEY, name TEXT, product_id INTEGER REFERENCES products (id));
        INSERT INTO feet VALUES (1, 'Foot', 1);
        CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT, product_id INTEGER REFERENCES products (id));
        INSERT INTO tools VALUES (1, 'Saw', 1);`,
      services: {
        Product: {
          table_name: 'products',
          route: '/products[/:id]',
          columns: {
            id: {},
            first: { embed: { name: name('first'), columns: ['name'] } },
            second: { embed: { name: name('second'), columns: ['name'] } },
          },
          embeds: {
            [name('list')]: { table_name: 'feet', columns: ['name'] },
            [name('others')]: { table_name: 'tools', columns: ['name'] },
          },
          entity: { GET: {} },
        },
      },
    });
    const names = ['first', 'second', 'list', 'others'].map(name).join(',');
    expect(await bodyOf(await platform.request(`/products/1?embed=${names}`))).toMatchObject({
      [name('first')]: { name: 'Globe' },
      [name('second')]: { name: 'Sun' },
      [name('list')]: [{ name: 'Foot' }],
      [name('others')]: [{ name: 'Saw' }],
    });
  });
});
