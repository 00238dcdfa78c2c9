import type { ConfigObject } from '../../../../../src/framework';
import { createSqliteTables, describeOnEachAdapter } from '../../../../factories/database/created-tables';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { basic, bodyOf } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../../../fixtures/people';

/** Makers have products; products have tags through a table; tags are related to tags. */
const SCHEMA = `
  CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, UNIQUE (id, name));
  CREATE TABLE maker_notes (
    id INTEGER PRIMARY KEY, maker_id INTEGER, maker_name VARCHAR(20),
    FOREIGN KEY (maker_id, maker_name) REFERENCES makers (id, name));
  CREATE TABLE products (
    id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, price BIGINT, details JSON, owner VARCHAR(20),
    maker_id INTEGER REFERENCES makers (id), designer_id INTEGER REFERENCES makers (id));
  CREATE INDEX products_by_maker ON products (maker_id);
  CREATE INDEX products_by_name ON products (name, id);
  CREATE TABLE tags (code VARCHAR(5) PRIMARY KEY);
  CREATE TABLE product_tags (
    product_id INTEGER NOT NULL REFERENCES products (id), tag VARCHAR(5) NOT NULL REFERENCES tags (code),
    PRIMARY KEY (product_id, tag));
  CREATE TABLE related_tags (
    tag VARCHAR(5) NOT NULL REFERENCES tags (code), other VARCHAR(5) NOT NULL REFERENCES tags (code),
    PRIMARY KEY (tag, other));
  CREATE TABLE maker_facts (maker_id INTEGER REFERENCES makers (id), name VARCHAR(9), fact JSON);
  CREATE INDEX facts_by_maker ON maker_facts (maker_id);
  INSERT INTO makers VALUES (1, 'Globe'), (2, 'Empty'), (3, 'Lamp & Co');
  INSERT INTO products VALUES
    (1, 'Lamp', 9007199254740993, '{"a":[1]}', 'ada', 1, 3), (2, 'Vase', NULL, NULL, 'bob', 1, NULL),
    (3, 'Bowl', 5, '"x"', 'ada', 1, NULL), (4, 'Desk', 7, NULL, 'ada', 3, NULL);
  INSERT INTO tags VALUES ('new'), ('red'), ('old');
  INSERT INTO product_tags VALUES (1, 'red'), (1, 'new'), (2, 'red');
  INSERT INTO maker_facts VALUES (1, 'b', '[2]'), (1, 'a', '[1]'), (3, 'c', '{}');
  INSERT INTO related_tags VALUES ('new', 'red'), ('new', 'old'), ('red', 'new');`;

const products: ConfigObject = {
  table_name: 'products',
  foreign_key: 'maker_id',
  columns: ['id', 'name', 'price', 'details'],
};

function service(table: string, key: string, definition: ConfigObject): ConfigObject {
  return {
    kind: 'table',
    adapter_name: 'shop',
    table_name: table,
    route: `/${table}[/:${key}]`,
    route_identifier_name: key,
    collection_name: table,
    collection: { GET: {} },
    entity: { GET: {} },
    ...definition,
  };
}

const maker = (embeds: ConfigObject): ConfigObject =>
  service('makers', 'id', { columns: { id: {}, name: {} }, embeds });

const SERVICES: ConfigObject = {
  Maker: maker({
    products,
    dearest: { ...products, columns: ['name'], sort: ['-price', 'name'], limit: 2 },
    mine: { ...products, columns: ['name'], rows: { owner: 'identity.name' } },
    facts: { table_name: 'maker_facts', columns: ['fact', 'name'] },
    values: { table_name: 'maker_facts', columns: ['fact'] },
  }),
  Product: service('products', 'id', {
    columns: { id: {}, name: {}, maker_id: { embed: { columns: ['name'] } } },
    embeds: { tags: { table_name: 'tags', through: 'product_tags', columns: ['code'] } },
    collection: { GET: { sort: ['name'] } },
  }),
  Tag: service('tags', 'code', {
    columns: { code: {} },
    embeds: {
      related: { table_name: 'tags', through: 'related_tags', foreign_key: 'tag', columns: ['code'] },
    },
  }),
};

const project = (adapter: ConfigObject, services: ConfigObject = SERVICES) => {
  const local: ConfigObject = {
    ...authenticatedBy('basic'),
    'platform-db': { adapters: { shop: adapter } },
    'platform-hosting': { apis: { Shop: { versions: { '1': { services } } } } },
  };
  return {
    modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
    local,
    files: PEOPLE,
  };
};

/** The same requests, whatever the database. */
function behaviour(it: jest.It, createTables: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project(await createTables()))), 60_000);
  afterAll(() => platform.stop());
  const get = async (path: string, init: RequestInit = {}) => bodyOf(await platform.request(path, init));

  it('embeds the rows that refer to an entity, with values as elsewhere', async () => {
    expect(await get('/makers/1?embed=products')).toEqual({
      id: 1,
      name: 'Globe',
      products: [
        { id: 1, name: 'Lamp', price: '9007199254740993', details: { a: [1] } },
        { id: 2, name: 'Vase', price: null, details: null },
        { id: 3, name: 'Bowl', price: '5', details: 'x' },
      ],
    });
    expect(await get('/makers/1')).toEqual({ id: 1, name: 'Globe' });
  });

  it('embeds an empty list where no row refers to an entity', async () => {
    expect(await get('/makers/2?embed=products')).toEqual({ id: 2, name: 'Empty', products: [] });
  });

  it('embeds at most as many rows as declared, in the declared order, nulls last', async () => {
    const dearest = await get('/makers/1?embed=dearest');
    expect(dearest.dearest).toEqual([{ name: 'Lamp' }, { name: 'Bowl' }]);
  });

  it('embeds rows of a table without a key in the order of those columns that have one', async () => {
    const { facts, values } = await get('/makers/1?embed=facts,values');
    expect(facts).toEqual([
      { fact: [1], name: 'a' },
      { fact: [2], name: 'b' },
    ]);
    expect(values).toHaveLength(2);
  });

  it('embeds rows through a table that joins them, together with a single entity, on each entity of a page', async () => {
    expect((await get('/products?embed=tags,maker&sort=name&fields=name&page_size=3')).products).toEqual([
      { name: 'Bowl', maker: { name: 'Globe' }, tags: [] },
      { name: 'Desk', maker: { name: 'Lamp & Co' }, tags: [] },
      { name: 'Lamp', maker: { name: 'Globe' }, tags: [{ code: 'new' }, { code: 'red' }] },
    ]);
  });

  it('embeds rows of the same table', async () => {
    expect((await get('/tags?embed=related')).tags).toEqual([
      { code: 'new', related: [{ code: 'old' }, { code: 'red' }] },
      { code: 'old', related: [] },
      { code: 'red', related: [{ code: 'new' }] },
    ]);
  });

  it('embeds only the rows of the user where the declaration restricts them', async () => {
    const mine = async (headers = {}) => (await get('/makers/1?embed=mine', { headers })).mine;
    expect(await mine({ Authorization: basic('ada', 'password') })).toEqual([
      { name: 'Lamp' },
      { name: 'Bowl' },
    ]);
    expect(await mine({ Authorization: basic('bob', 'password') })).toEqual([{ name: 'Vase' }]);
    expect(await mine()).toEqual([]);
  });

  it('refuses an undeclared embed with 400', async () => {
    expect((await platform.request('/makers?embed=tags')).status).toBe(400);
  });

  it('is not warned of where an index serves it', () => {
    expect(platform.application.warnings).toEqual([]);
  });
}

describeOnEachAdapter('embedded lists', SCHEMA, behaviour);

describe('the declaration of an embedded list', () => {
  it('is documented with its columns, its order and its limit', async () => {
    const platform = await startTestPlatform(project(createSqliteTables(SCHEMA)));
    try {
      const response = await platform.request('/platform/documentation/Shop-v1/Maker', {
        headers: { Accept: 'application/vnd.apidesc+json' },
      });
      const text = await response.text();
      expect(text).toContain('Present with `embed=dearest`: at most 2, sorted by -price, name.');
      expect(text).toContain('"maxItems":2');
      expect(text).toContain('Present with `embed=values`: at most 100.');
    } finally {
      await platform.stop();
    }
  });

  it('is warned about if no index serves it', async () => {
    const designed = { ...products, foreign_key: 'designer_id' };
    const platform = await startTestPlatform(
      project(createSqliteTables(SCHEMA), { Maker: maker({ designed }) }),
    );
    try {
      expect(platform.application.warnings).toContainEqual(
        expect.stringContaining(
          'no index serves the embed "designed" (create one on "products" ("designer_id")).',
        ),
      );
    } finally {
      await platform.stop();
    }
  });

  it.each<[string, ConfigObject]>([
    [
      'several columns of products refer to makers: maker_id, designer_id. Name one in "foreign_key".',
      { columns: ['id'], table_name: 'products' },
    ],
    [
      'products has no foreign key "name" to makers. Available: maker_id, designer_id.',
      { ...products, foreign_key: 'name' },
    ],
    [
      'tags has no foreign key to makers. Name the table that joins both in "through".',
      { columns: ['code'], table_name: 'tags' },
    ],
    [
      'maker_notes has only a foreign key of several columns to makers, which embeds do not support.',
      { columns: ['id'], table_name: 'maker_notes' },
    ],
    [
      'maker_notes has only a foreign key of several columns to makers, which embeds do not support.',
      { columns: ['name'], table_name: 'products', through: 'maker_notes' },
    ],
    ['the database has no table "product". Did you mean "products"?', { ...products, table_name: 'product' }],
    ['names the column "colour", which products does not have.', { ...products, columns: ['colour'] }],
    [
      'products has no further foreign key to tags.',
      { columns: ['code'], table_name: 'tags', through: 'products', foreign_key: 'maker_id' },
    ],
    [
      'rows.owner is "identity.id". Of the identity, only "identity.name" is available. Did you mean "identity.name"?',
      { ...products, rows: { owner: 'identity.id' } },
    ],
    [
      'sort names "details", which is of the type JSON and cannot be sorted. Remove it.',
      { ...products, sort: ['name', '-details'] },
    ],
  ])('is refused: %s', async (message, embed) => {
    const { modules, local, files } = project(createSqliteTables(SCHEMA), { Maker: maker({ list: embed }) });
    expect(await startRefusal({ modules, local, files })).toContain(
      `embeds.list: ${message}`.replace(/: (names)/, ' $1').replace(/: (rows|sort)/, '.$1'),
    );
  });

  it('is refused for a column that is only part of a foreign key', async () => {
    const Note = service('maker_notes', 'id', {
      columns: { id: {}, maker_id: { embed: { columns: ['name'] } } },
    });
    const { modules, local, files } = project(createSqliteTables(SCHEMA), { Note });
    expect(await startRefusal({ modules, local, files })).toContain(
      'columns.maker_id.embed: the column "maker_id" is part of a foreign key of several columns, which "embed" does not support.',
    );
  });

  it('is refused with a name that is taken', async () => {
    const { modules, local, files } = project(createSqliteTables(SCHEMA), {
      Maker: maker({ name: products }),
    });
    expect(await startRefusal({ modules, local, files })).toContain(
      'embeds.name: the member "name" exists already.',
    );
  });
});
