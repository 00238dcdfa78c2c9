import { onEachDatabase } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  it('indexes serve filters and orders although the statistics of small tables make scans faster', async () => {
    const { application } = await start({
      script: `CREATE TABLE tasks (list TEXT, at INTEGER, kind TEXT, state TEXT, PRIMARY KEY (list, at));
        CREATE INDEX tasks_kind ON tasks (kind, list, at);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, kind TEXT, place TEXT);
        CREATE INDEX notes_kind ON notes (kind);
        CREATE INDEX notes_place ON notes (place, id);
        INSERT INTO tasks VALUES ('l', 1, 'a', 's'), ('l', 2, 'a', 's'), ('l', 3, 'a', 's');
        INSERT INTO notes VALUES (1, 'a', 'b'), (2, 'a', 'c'), (3, 'b', 'd');
        ${dialect === 'sqlite' ? '' : 'ANALYZE tasks; ANALYZE notes;'}`,
      services: {
        Task: {
          table_name: 'tasks',
          route: '/tasks[/:list/:at]',
          route_identifier_name: ['list', 'at'],
          columns: { list: {}, at: {}, kind: {}, state: {} },
          filters: { kind: ['eq', 'in', 'gte'], list: ['eq'], state: ['eq'] },
          collection: { GET: { sort: ['kind', 'list', 'state'] } },
        },
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, kind: {}, place: {} },
          filters: { kind: ['eq', 'in', 'lt'], place: ['eq', 'in', 'gt'] },
          collection: { GET: { sort: ['kind', 'place'] } },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Task of Tables-v1: no index serves the filter "state.eq" and the order by "state" (create one on ("state", "list", "at")).',
    ]);
  });

  it('an index serves no filter of a column that is not its first one', async () => {
    const { application } = await start({
      script: `CREATE TABLE stays (id INTEGER PRIMARY KEY, hotel INTEGER, "Guest" INTEGER, label VARCHAR(9));
        CREATE INDEX stays_guest ON stays (hotel, "Guest");
        CREATE INDEX stays_label ON stays (label, "Guest");`,
      services: {
        Stay: {
          table_name: 'stays',
          route: '/stays[/:id]',
          columns: { id: {}, hotel: {}, Guest: {}, label: {} },
          filters: { hotel: ['eq'], Guest: ['eq', 'in'], label: ['eq', 'lt'] },
          collection: { GET: {} },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Stay of Tables-v1: no index serves the filters "Guest.eq" and "Guest.in" (create one that begins with "Guest").',
    ]);
  });

  if (dialect === 'postgres')
    it('any column of an index that has no order serves a filter', async () => {
      const { application } = await start({
        script: `CREATE TABLE measured (id INTEGER PRIMARY KEY, place INTEGER, value INTEGER);
        CREATE INDEX measured_values ON measured USING brin (place, value);`,
        services: {
          Measured: {
            table_name: 'measured',
            route: '/measured[/:id]',
            columns: { id: {}, place: {}, value: {} },
            filters: { value: ['gte'] },
            collection: { GET: {} },
          },
        },
      });
      expect(application.warnings.filter((text) => text.includes('index'))).toEqual([]);
    });

  it('the index of a join of a view serves no filter of another column', async () => {
    const { application } = await start({
      script: `CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(20), town VARCHAR(20));
        CREATE INDEX customers_town ON customers (town);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers (id), note VARCHAR(20), code VARCHAR(20));
        CREATE INDEX orders_code ON orders (code);
        CREATE VIEW sent AS SELECT o.id, o.customer, o.note, o.code, c.name FROM orders o JOIN customers c ON c.id = o.customer;
        CREATE TABLE payments (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers (id));
        CREATE INDEX payments_customer ON payments (customer);
        CREATE VIEW paid AS SELECT p.id, p.customer, c.name, c.town FROM payments p JOIN customers c ON c.id = p.customer;
        CREATE VIEW known AS SELECT id, note AS text, code AS mark FROM orders UNION ALL SELECT id, name, town FROM customers;`,
      services: {
        Sent: {
          table_name: 'sent',
          route: '/sent[/:id]',
          route_identifier_name: 'id',
          columns: { id: {}, customer: {}, note: {}, code: {}, name: {} },
          filters: { customer: ['eq'], note: ['eq'], code: ['eq'], name: ['eq'] },
          collection: { GET: {} },
        },
        Paid: {
          table_name: 'paid',
          route: '/paid[/:id]',
          route_identifier_name: 'id',
          columns: { id: {}, customer: {}, name: {}, town: {} },
          filters: { customer: ['eq'], name: ['eq'], town: ['eq'] },
          collection: { GET: {} },
        },
        Known: {
          table_name: 'known',
          route: '/known[/:id]',
          route_identifier_name: 'id',
          columns: { id: {}, text: {}, mark: {} },
          filters: { text: ['eq'], mark: ['eq'] },
          collection: { GET: {} },
        },
      },
    });
    const advice = 'create one on the tables of the view';
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      `The service Sent of Tables-v1: no index serves the filter "customer.eq" (${advice}); the filter "note.eq" (${advice}); the filter "name.eq" (${advice}).`,
      `The service Paid of Tables-v1: no index serves the filter "name.eq" (${advice}).`,
      `The service Known of Tables-v1: no index serves the filter "text.eq" (${advice}).`,
    ]);
  });

  it('each part of a view of several queries needs an index for a filter, and what they count needs none', async () => {
    const { application } = await start({
      script: `CREATE TABLE writers (id INTEGER PRIMARY KEY, name VARCHAR(9));
        CREATE TABLE letters (id INTEGER PRIMARY KEY, subject TEXT, body TEXT, town VARCHAR(9), kind VARCHAR(9), writer INTEGER NOT NULL);
        CREATE INDEX letters_town ON letters (town, kind, writer);
        CREATE TABLE cards (id INTEGER PRIMARY KEY, town VARCHAR(9), kind VARCHAR(9), writer INTEGER NOT NULL);
        CREATE INDEX cards_town ON cards (town);
        CREATE INDEX cards_kind ON cards (kind);
        CREATE VIEW mail AS
          SELECT town, kind, name FROM letters JOIN writers ON writers.id = writer
          UNION ALL SELECT town, kind, name FROM cards JOIN writers ON writers.id = writer;
        CREATE VIEW posted AS
          SELECT kind, (SELECT count(*) FROM writers) AS writers FROM cards
          UNION ALL SELECT CAST('none' AS VARCHAR(9)), 0;`,
      services: {
        Mail: {
          table_name: 'mail',
          route: '/mail[/:name]',
          route_identifier_name: 'name',
          entity_identifier_name: 'name',
          columns: { town: {}, kind: {}, name: {} },
          filters: { town: ['eq'], kind: ['eq'] },
          collection: { GET: {} },
        },
        Posted: {
          table_name: 'posted',
          route: '/posted[/:kind]',
          route_identifier_name: 'kind',
          entity_identifier_name: 'kind',
          columns: { kind: {} },
          filters: { kind: ['eq'] },
          collection: { GET: {} },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Mail of Tables-v1: no index serves the filter "kind.eq" (create one on the tables of the view).',
    ]);
  });
});
