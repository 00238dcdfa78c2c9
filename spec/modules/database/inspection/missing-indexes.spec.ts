import type { ConfigObject } from '../../../../src/framework';
import { onEachDatabase } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  it('the filters, orders and embeds without an index are one warning for each service', async () => {
    const service = (name: string): object => ({
      table_name: 'makers',
      route: `/${name}[/:id]`,
      columns: { id: {}, name: {}, town: {}, code: {} },
      filters: { name: ['eq', 'in'], town: ['eq'], code: ['eq'] },
      embeds: { products: { table_name: 'products', columns: ['id'] } },
      collection: { GET: { sort: ['name', 'code'] } },
    });
    const { application } = await start({
      script: `CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR(20), town VARCHAR(20), code INTEGER NOT NULL UNIQUE);
        CREATE TABLE products (id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES makers (id));`,
      services: { Maker: { ...service('makers') }, Firm: { ...service('firms') } },
    });
    const warnings = application.warnings.filter((text) => text.includes('index'));
    expect(warnings).toEqual(
      ['Maker', 'Firm'].map(
        (name) =>
          `The service ${name} of Tables-v1: no index serves the filters "name.eq" and "name.in" and the order by "name" (create one on ("name", "id")); the filter "town.eq" (create one that begins with "town"); the embed "products" (create one on "products" ("maker_id")).`,
      ),
    );
  });

  it('views that group rows have no warning where no index can help', async () => {
    const { application } = await start({
      script: `CREATE TABLE residents (id INTEGER PRIMARY KEY, name VARCHAR(20), town VARCHAR(20));
        CREATE INDEX residents_town ON residents (town);
        CREATE VIEW towns AS SELECT town, CAST(count(*) AS INTEGER) AS makers FROM residents GROUP BY town;
        CREATE VIEW names AS SELECT CAST(count(*) AS INTEGER) AS makers, name FROM residents GROUP BY name;`,
      services: {
        Town: {
          table_name: 'towns',
          route: '/towns[/:town]',
          route_identifier_name: 'town',
          entity_identifier_name: 'town',
          columns: { town: {}, makers: {} },
          filters: { town: ['eq'], ...(dialect === 'sqlite' ? {} : { makers: ['eq'] }) },
          collection: { GET: { sort: ['town', 'makers'] } },
        },
        Name: {
          table_name: 'names',
          route: '/names[/:name]',
          route_identifier_name: 'name',
          entity_identifier_name: 'name',
          columns: { name: {} },
          filters: { name: ['eq'] },
          collection: { GET: { sort: ['name'] } },
        },
      },
    });
    const order = dialect === 'sqlite' ? '' : ' and the order by "name"';
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      `The service Name of Tables-v1: no index serves the filter "name.eq"${order} (create one on the tables of the view).`,
    ]);
  });

  it('views have a warning about what an index serves outside of the groups', async () => {
    const service = (view: string, columns: ConfigObject): ConfigObject => ({
      table_name: view,
      route: `/${view}[/:name]`,
      route_identifier_name: 'name',
      entity_identifier_name: 'name',
      columns,
      filters: { name: ['eq'] },
      collection: { GET: { sort: ['name'] } },
    });
    const { application } = await start({
      script: `CREATE TABLE builders (id INTEGER PRIMARY KEY, name VARCHAR(20));
        CREATE TABLE built_parts (id INTEGER PRIMARY KEY, maker INTEGER);
        CREATE VIEW repeated AS SELECT name FROM builders GROUP BY name HAVING count(*) > 1;
        CREATE VIEW equipped AS SELECT name, CAST(amount AS INTEGER) AS amount FROM builders
          LEFT JOIN (SELECT maker, count(*) AS amount FROM built_parts GROUP BY maker) AS p ON p.maker = builders.id;`,
      services: {
        Repeated: service('repeated', { name: {} }),
        Equipped: service('equipped', { name: {}, amount: {} }),
      },
    });
    const warnings = application.warnings.filter((text) => text.includes('index'));
    expect(warnings).toEqual([
      expect.stringContaining('Repeated of Tables-v1: no index serves the filter "name.eq"'),
      expect.stringContaining(
        'Equipped of Tables-v1: no index serves the filter "name.eq" and the order by "name"',
      ),
    ]);
  });

  it('columns have quotation marks in the index to create, as SQL needs for words of its own', async () => {
    const { application } = await start({
      script:
        'CREATE TABLE shelves (id INTEGER PRIMARY KEY, "a,b" INTEGER, "Shelf" INTEGER, "c""d" INTEGER, "order" INTEGER)',
      services: {
        Shelf: {
          table_name: 'shelves',
          route: '/shelves[/:id]',
          columns: { id: {}, 'a,b': {}, Shelf: {}, 'c"d': {}, order: {} },
          collection: { GET: { sort: ['a,b', 'Shelf', 'c"d', 'order'] } },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Shelf of Tables-v1: no index serves the order by "a,b" (create one on ("a,b", "id")); the order by "Shelf" (create one on ("Shelf", "id")); the order by "c"d" (create one on ("c""d", "id")); the order by "order" (create one on ("order", "id")).',
    ]);
  });

  it('the key serves the filters by the beginning of its first column', async () => {
    const { application } = await start({
      script: `CREATE TABLE words (word TEXT, language TEXT, PRIMARY KEY (word, language))${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''};`,
      services: {
        Word: {
          table_name: 'words',
          route: '/words[/:word/:language]',
          route_identifier_name: ['word', 'language'],
          columns: { word: {}, language: {} },
          filters: { word: ['starts'], language: ['starts'] },
          collection: { GET: {} },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual(
      dialect === 'sqlite'
        ? [
            'The service Word of Tables-v1: no index serves the filter "language.starts" (create one that begins with "language").',
          ]
        : [],
    );
  });

  it('the index of the key does not serve a filter that reads all of it', async () => {
    const { application } = await start({
      script: `CREATE TABLE lines (book VARCHAR(9) NOT NULL, line INTEGER NOT NULL, quantity INTEGER, PRIMARY KEY (book, line));`,
      services: {
        Line: {
          table_name: 'lines',
          route: '/lines[/:book/:line]',
          route_identifier_name: ['book', 'line'],
          columns: { book: {}, line: {}, quantity: {} },
          filters: { book: ['eq'], quantity: ['eq'] },
          collection: { GET: { sort: ['book'] } },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Line of Tables-v1: no index serves the filter "quantity.eq" (create one that begins with "quantity").',
    ]);
  });

  it('a filter of a view that an index serves needs no other, if the view also counts the rows of a table', async () => {
    const { application } = await start({
      script: `CREATE TABLE parts (id INTEGER PRIMARY KEY, maker INTEGER, name TEXT, note TEXT);
        CREATE INDEX parts_maker ON parts (maker);
        CREATE VIEW counted AS SELECT id, maker, (SELECT count(*) FROM parts) AS total FROM parts;`,
      services: {
        Counted: {
          table_name: 'counted',
          route: '/counted[/:id]',
          route_identifier_name: 'id',
          columns: { id: {}, maker: {}, total: {} },
          filters: { maker: ['eq'] },
          collection: { GET: {} },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([]);
  });

  it('the table of an embed has quotation marks in the index to create', async () => {
    const { application } = await start({
      script: `CREATE TABLE "Big Makers" (id INTEGER PRIMARY KEY);
        CREATE TABLE "Order ""Lines""" (id INTEGER PRIMARY KEY, "Maker" INTEGER REFERENCES "Big Makers" (id));`,
      services: {
        Maker: {
          table_name: 'Big Makers',
          route: '/big-makers[/:id]',
          columns: { id: {} },
          embeds: { lines: { table_name: 'Order "Lines"', columns: ['id'] } },
          collection: { GET: {} },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Maker of Tables-v1: no index serves the embed "lines" (create one on "Order ""Lines""" ("Maker")).',
    ]);
  });

  if (dialect === 'sqlite')
    it('indexes serve filters and orders although the statistics of small tables make scans faster', async () => {
      const { application } = await start({
        script: `CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
          CREATE TABLE tasks (list TEXT, at INTEGER, kind TEXT, state TEXT, owner INTEGER,
            label TEXT GENERATED ALWAYS AS (lower(kind)), PRIMARY KEY (list, at));
          CREATE INDEX tasks_kind ON tasks (kind, list, at);
          CREATE INDEX tasks_label ON tasks (label, list, at);
          CREATE VIEW jobs AS SELECT list, at, kind, state, name FROM tasks LEFT JOIN owners ON owners.id = owner;
          CREATE VIRTUAL TABLE texts USING fts5(kind, content=tasks);
          CREATE TRIGGER added AFTER INSERT ON tasks
            BEGIN INSERT INTO texts (rowid, kind) VALUES (new.rowid, new.kind); END;
          INSERT INTO owners (name) VALUES ('A'), ('B'), ('C');
          INSERT INTO tasks (list, at, kind) VALUES ('l', 1, 'a'), ('l', 2, 'a'), ('l', 3, 'a');
          ANALYZE;`,
        services: {
          Task: {
            table_name: 'tasks',
            route: '/tasks[/:list/:at]',
            route_identifier_name: ['list', 'at'],
            columns: { list: {}, at: {}, kind: {}, state: {}, label: {} },
            filters: { kind: ['eq', 'in'], label: ['eq'], state: ['eq'] },
            collection: { GET: { sort: ['kind', 'label', 'state'] } },
          },
          Job: {
            table_name: 'jobs',
            route: '/jobs[/:list/:at]',
            route_identifier_name: ['list', 'at'],
            entity_identifier_name: ['list', 'at'],
            columns: { list: {}, at: {}, kind: {}, state: {}, name: {} },
            filters: { kind: ['eq'], state: ['eq'] },
            collection: { GET: {} },
          },
        },
      });
      expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
        'The service Task of Tables-v1: no index serves the filter "state.eq" and the order by "state" (create one on ("state", "list", "at")).',
        'The service Job of Tables-v1: no index serves the filter "state.eq" (create one on the tables of the view).',
      ]);
    });

  it('an order needs no index that also has the key, if one serves its column', async () => {
    const { application } = await start({
      script: `CREATE TABLE seats (hall VARCHAR(9) NOT NULL, seat INTEGER NOT NULL, price INTEGER, state INTEGER, PRIMARY KEY (hall, seat));
        CREATE INDEX seats_price ON seats (price);`,
      services: {
        Seat: {
          table_name: 'seats',
          route: '/seats[/:hall/:seat]',
          route_identifier_name: ['hall', 'seat'],
          columns: { hall: {}, seat: {}, price: {}, state: {} },
          collection: { GET: { sort: ['price', 'state'] } },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Seat of Tables-v1: no index serves the order by "state" (create one on ("state", "hall", "seat")).',
    ]);
  });

  if (dialect === 'sqlite')
    it('the index of the key does not serve a filter of a view that reads all of it for a join', async () => {
      const { application } = await start({
        script: `CREATE TABLE sellers (id INTEGER PRIMARY KEY, name VARCHAR(20));
        CREATE TABLE sales (book VARCHAR(9), line INTEGER, kind VARCHAR(9), state VARCHAR(9), seller INTEGER,
          PRIMARY KEY (book, line));
        CREATE INDEX sales_kind ON sales (kind, state, seller);
        CREATE VIEW sold AS SELECT book, line, kind, state, name FROM sales JOIN sellers ON sellers.id = seller;`,
        services: {
          Sold: {
            table_name: 'sold',
            route: '/sold[/:book/:line]',
            route_identifier_name: ['book', 'line'],
            entity_identifier_name: ['book', 'line'],
            columns: { book: {}, line: {}, kind: {}, state: {}, name: {} },
            filters: { book: ['eq'], kind: ['eq'], state: ['eq'] },
            collection: { GET: {} },
          },
        },
      });
      expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
        'The service Sold of Tables-v1: no index serves the filter "state.eq" (create one on the tables of the view).',
      ]);
    });

  it('a view has them on its tables', async () => {
    const { application } = await start({
      script: `CREATE TABLE stock (id INTEGER PRIMARY KEY, place VARCHAR(20));
        CREATE VIEW places AS SELECT id, place FROM stock;`,
      services: {
        Place: {
          table_name: 'places',
          route: '/places[/:id]',
          columns: { id: {}, place: {} },
          filters: { place: ['eq'] },
          collection: { GET: { sort: ['place'] } },
        },
      },
    });
    expect(application.warnings.filter((text) => text.includes('index'))).toEqual([
      'The service Place of Tables-v1: no index serves the filter "place.eq" and the order by "place" (create one on the tables of the view).',
    ]);
  });
});
