import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../src/framework';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { GENERATED_KEY } from '../../../factories/database/created-tables';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

const operations = {
  collection: { GET: { sort: ['name'] }, POST: {}, PATCH: {}, DELETE: {} },
  entity: { GET: {}, PATCH: {}, DELETE: {} },
};

const product: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/products[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, name: {}, price: {}, state: { read_only: true }, maker: {} },
  filters: { price: ['gte', 'lte'] },
  max_items: 40,
  page_size: 100,
  ...operations,
};

const country: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'countries',
  route: '/countries[/:code]',
  route_identifier_name: 'code',
  columns: { code: {}, name: {}, size: {} },
  collection: { GET: {}, POST: {}, PUT: {}, DELETE: {} },
  entity: { GET: {}, PUT: {} },
};

const note: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'notes',
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, text: {}, owner: {} },
  filters: { text: ['eq'] },
  rows: { owner: 'identity.name' },
  ...operations,
  collection: { ...operations.collection, GET: {} },
};

const single = { ...product, route: '/single[/:id]', max_items: 1, collection: { POST: {} }, entity: {} };

const tag: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'tags',
  route: '/tags[/:name]',
  route_identifier_name: 'name',
  columns: { name: {}, text: {} },
  collection: { PUT: {}, PATCH: {} },
  entity: { GET: {} },
};

const services = { Tag: tag, Product: product, Country: country, Note: note, Single: single };

const BOB = { Authorization: basic('bob', 'password') };
const ADA = { Authorization: basic('ada', 'password') };

describeOnBothDatabases(
  'lists of entities',
  {
    sql: (dialect) => {
      const key = GENERATED_KEY[dialect];
      return `
        CREATE TABLE makers (id INTEGER PRIMARY KEY);
        INSERT INTO makers VALUES (1);
        CREATE TABLE products (
          id ${key}, name VARCHAR(40) NOT NULL UNIQUE, price INTEGER NOT NULL DEFAULT 7,
          state TEXT NOT NULL DEFAULT 'new', maker INTEGER REFERENCES makers (id));
        CREATE TABLE parts (product INTEGER NOT NULL REFERENCES products (id));
        CREATE TABLE tags (name ${dialect === 'sqlite' ? 'TEXT COLLATE NOCASE' : 'CHAR(5)'} PRIMARY KEY, text TEXT);
        CREATE TABLE countries (code VARCHAR(2) PRIMARY KEY, name TEXT NOT NULL, size INTEGER);
        CREATE TABLE notes (id ${key}, text TEXT NOT NULL, owner TEXT NOT NULL);`;
    },
    services,
    // On a busy machine, a transaction with 16 MiB takes longer than the five seconds that it has by default.
    adapterOptions: { statement_timeout: 60 },
    options: { files: PEOPLE, local: authenticatedBy('people') },
  },
  ({ it, dialect, platform, execute }) => {
    const send = (to: string, method: string, body?: unknown, headers: Record<string, string> = {}) =>
      platform().request(to, body === undefined ? { method, headers } : sendJson(body, method, headers));
    const list = async (to: string, headers: Record<string, string> = {}) =>
      (await bodyOf(await send(to, 'GET', undefined, headers))).items as Record<string, unknown>[];
    const failure = async (answer: Response) => {
      const { detail, errors = [] } = (await bodyOf(answer)) as {
        detail: string;
        errors?: { pointer: string }[];
      };
      return { status: answer.status, detail, pointers: errors.map(({ pointer }) => pointer) };
    };
    beforeEach(() =>
      execute(`DELETE FROM parts; DELETE FROM products; DELETE FROM countries;
        DELETE FROM notes;
        INSERT INTO products(name, price) VALUES ('Lamp', 30), ('Vase', 12);
        INSERT INTO countries VALUES ('at', 'Austria', 84), ('ch', 'Switzerland', 41);
        INSERT INTO notes(text, owner) VALUES ('x', 'ada'), ('x', 'bob'), ('y', 'bob');`),
    );

    it('are created, all or none, in their order and with the defaults of the database', async () => {
      const made = await send('/products', 'POST', [
        { name: 'Cup', price: 3, state: 'sold' },
        { name: 'Jar' },
        { name: 'Pan', maker: 1, price: 9 },
      ]);
      expect([made.status, made.headers.get('location')]).toEqual([201, null]);
      const id: unknown = expect.any(Number);
      expect(await made.json()).toEqual([
        { id, name: 'Cup', price: 3, state: 'new', maker: null },
        { id, name: 'Jar', price: 7, state: 'new', maker: null },
        { id, name: 'Pan', price: 9, state: 'new', maker: 1 },
      ]);
      expect(await list('/products')).toHaveLength(5);
    });

    it.each<[string, unknown[], number, string[]]>([
      ['members', [{ name: 'A' }, { price: 1 }, { name: 'C', price: 'x' }], 422, ['/1/name', '/2/price']],
      ['a name that is taken', [{ name: 'A' }, { name: 'B' }, { name: 'Lamp' }], 409, ['/2/name']],
      ['a name that is there twice', [{ name: 'A' }, { name: 'A' }], 409, ['/1/name']],
      [
        'a maker that does not exist',
        [
          { name: 'A', maker: 1 },
          { name: 'B', maker: 9 },
        ],
        422,
        ['/1/maker'],
      ],
    ])(
      'are not created with invalid %s, and the errors point to the item',
      async (_, items, status, pointers) => {
        const failed = await failure(await send('/products', 'POST', items));
        expect(failed).toMatchObject({ status });
        expect(failed.pointers).toEqual(pointers);
        expect(await list('/products')).toHaveLength(2);
      },
    );

    it('have a maximum length', async () => {
      const items = Array.from({ length: 41 }, (_, at) => ({ name: `n${at}` }));
      const failed = await failure(await send('/products', 'POST', items));
      expect(failed).toMatchObject({ status: 422, pointers: [''] });
      expect((await failure(await send('/products', 'POST', []))).status).toBe(422);
      const made = await send('/products', 'POST', items.slice(1));
      const names = ((await made.json()) as { name: string }[]).map(({ name }) => name);
      expect([made.status, names]).toEqual([201, items.slice(1).map(({ name }) => name)]);
      expect((await failure(await send('/products', 'PATCH', items))).status).toBe(422);
    });

    it('are patched, all or none', async () => {
      const [lamp, vase] = await list('/products?sort=name');
      const patched = await send('/products', 'PATCH', [
        { id: vase?.id, price: 1 },
        { id: lamp?.id, name: 'Big lamp', maker: 1, state: 'sold' },
      ]);
      expect([patched.status, await patched.json()]).toEqual([
        200,
        [
          { ...vase, price: 1 },
          { ...lamp, name: 'Big lamp', maker: 1 },
        ],
      ]);
      const failures = await Promise.all(
        [
          [
            { id: lamp?.id, price: 2 },
            { id: 999_999, price: 1 },
          ],
          [
            { id: lamp?.id, price: 2 },
            { id: vase?.id, name: null },
          ],
          [{ id: lamp?.id, name: 'Vase', price: 2 }],
          [{ price: 2 }],
        ].map(async (body) => failure(await send('/products', 'PATCH', body))),
      );
      expect(failures.map(({ status, pointers }) => [status, pointers])).toEqual([
        [422, ['/1/id']],
        [422, ['/1/name']],
        [409, ['/0/name']],
        [422, ['/0/id']],
      ]);
      expect(await list('/products?sort=name')).toMatchObject([{ price: 30 }, { price: 1 }]);
    });

    it('have results of 16 MiB at most, or nothing is changed', async () => {
      await execute(
        Array.from(
          { length: 20 },
          (_, at) => `INSERT INTO notes(text, owner) VALUES ('${'x'.repeat(1_000_000)}${at}', 'bob')`,
        ).join(';'),
      );
      const { items } = (await bodyOf(await send('/notes?page_size=40', 'GET', undefined, BOB))) as {
        items: { id: number }[];
      };
      expect(items.length).toBeLessThan(10);
      const first = Number(items.at(-1)?.id);
      const patches = Array.from({ length: 17 }, (_, at) => ({ id: first + at - 1, owner: 'bob' }));
      const failed = await failure(await send('/notes', 'PATCH', patches, BOB));
      expect(failed).toMatchObject({ status: 422, pointers: ['/16'] });
    });

    it('are patched once each', async () => {
      const [{ id }] = (await list('/products')) as [{ id: number }];
      const twice = await send('/products', 'PATCH', [
        { id, price: 1 },
        { id, price: 2 },
      ]);
      expect(await failure(twice)).toMatchObject({ status: 422, pointers: ['/1/id'] });
      expect(await list('/products')).toContainEqual(expect.objectContaining({ id, price: 30 }));
    });

    it('are changed once each, also where the database takes two keys for the same', async () => {
      for (const method of ['PUT', 'PATCH']) {
        await execute("DELETE FROM tags; INSERT INTO tags VALUES ('ab', 'old')");
        const other = dialect === 'sqlite' ? 'AB' : 'ab   ';
        const twice = await send('/tags', method, [
          { name: 'ab', text: '1' },
          { name: other, text: '2' },
        ]);
        expect(await failure(twice)).toMatchObject({ status: 422, pointers: ['/1/name'] });
        expect(await bodyOf(await send('/tags/ab', 'GET'))).toMatchObject({ text: 'old' });
      }
    });

    it('are deleted by filters and identifiers, and never without', async () => {
      await execute(`INSERT INTO products(name, price) VALUES ('A', 1), ('B', 2), ('C', 3)`);
      const none = await failure(await send('/products', 'DELETE'));
      expect(none).toMatchObject({
        status: 400,
        detail:
          'DELETE of a collection deletes the entities that a filter selects. Send at least one of: id.in, price.gte, price.lte.',
      });
      expect((await send('/products?name.eq=A', 'DELETE')).status).toBe(400);
      expect((await send('/products?price.lte=x', 'DELETE')).status).toBe(400);
      expect((await send('/products?price.lte=2', 'DELETE')).status).toBe(204);
      expect((await list('/products?sort=name')).map(({ name }) => name)).toEqual(['C', 'Lamp', 'Vase']);
      expect((await send('/products?price.lte=2', 'DELETE')).status).toBe(204);
      const [first, , last] = await list('/products?sort=name');
      expect((await send(`/products?id.in=${String(first?.id)},${String(last?.id)}`, 'DELETE')).status).toBe(
        204,
      );
      expect((await list('/products')).map(({ name }) => name)).toEqual(['Lamp']);
    });

    it('are not deleted if they are too many, or referred to', async () => {
      const values = Array.from({ length: 41 }, (_, at) => `('n${at}', 1)`).join();
      await execute(`INSERT INTO products(name, price) VALUES ${values}`);
      expect(await failure(await send('/products?price.lte=1', 'DELETE'))).toMatchObject({
        status: 400,
        detail: 'The filter selects more than 40 entities, and nothing was deleted. Narrow it.',
      });
      await execute(`DELETE FROM products WHERE name = 'n0';
        INSERT INTO parts SELECT id FROM products WHERE name = 'n1'`);
      expect((await failure(await send('/products?price.lte=1', 'DELETE'))).status).toBe(409);
      expect(await list('/products')).toHaveLength(42);
      await execute('DELETE FROM parts');
      expect((await send('/products?price.lte=1', 'DELETE')).status).toBe(204);
      expect(await list('/products')).toHaveLength(2);
    });

    it('are created or replaced where clients choose the key; other entities remain', async () => {
      const put = await send('/countries', 'PUT', [
        { code: 'at', name: 'Österreich' },
        { code: 'be', name: 'Belgium', size: 31 },
      ]);
      expect([put.status, await put.json()]).toEqual([
        200,
        [
          { code: 'at', name: 'Österreich', size: null },
          { code: 'be', name: 'Belgium', size: 31 },
        ],
      ]);
      expect((await list('/countries')).map(({ code }) => code)).toEqual(['at', 'be', 'ch']);
      const missing = await send('/countries', 'PUT', [{ code: 'de', name: 'Germany' }, { name: 'France' }]);
      expect(await failure(missing)).toMatchObject({ status: 422, pointers: ['/1/code'] });
      expect(await list('/countries')).toHaveLength(3);
      expect((await send('/countries', 'POST', [{ code: 'de', name: 'Germany' }])).status).toBe(201);
      const twice = await send('/countries', 'PUT', [
        { code: 'be', name: 'Belgium' },
        { code: 'fr', name: 'France' },
        { code: 'be', name: 'België' },
      ]);
      expect(await failure(twice)).toMatchObject({ status: 422, pointers: ['/2/code'] });
      expect(await list('/countries')).toHaveLength(4);
      expect(await list('/countries')).toContainEqual({ code: 'be', name: 'Belgium', size: 31 });
    });

    it('have only the rows of their user', async () => {
      const made = await send('/notes', 'POST', [{ text: 'z' }, { text: 'z', owner: 'ada' }], BOB);
      expect([made.status, await made.json()]).toMatchObject([201, [{ owner: 'bob' }, { owner: 'bob' }]]);
      const [ofAda] = await list('/notes', ADA);
      const patched = await send('/notes', 'PATCH', [{ id: ofAda?.id, text: 'changed' }], BOB);
      expect(await failure(patched)).toMatchObject({ status: 422, pointers: ['/0/id'] });
      expect((await send('/notes?text.eq=x', 'DELETE', undefined, BOB)).status).toBe(204);
      expect((await send(`/notes?id.in=${String(ofAda?.id)}`, 'DELETE', undefined, BOB)).status).toBe(204);
      expect(await list('/notes', ADA)).toMatchObject([{ text: 'x' }]);
      expect((await list('/notes', BOB)).map(({ text }) => text)).toEqual(['y', 'z', 'z']);
    });

    it('take part in batches', async () => {
      const batch = async (last: object) =>
        send('/platform/batch', 'POST', {
          operations: [
            { method: 'POST', path: '/products', body: [{ name: 'A' }, { name: 'B' }] },
            { method: 'PATCH', path: '/products', body: [{ id: '{{0.0.id}}', price: 5 }] },
            { method: 'DELETE', path: '/products?id.in={{0.1.id}}' },
            last,
          ],
        });
      const failed = await batch({
        method: 'POST',
        path: '/products',
        body: [{ name: 'C' }, { name: 'Lamp' }],
      });
      expect(await failure(failed)).toMatchObject({ status: 409, pointers: ['/operations/3/body/1/name'] });
      expect(await list('/products')).toHaveLength(2);
      expect((await batch({ method: 'DELETE', path: '/products?price.gte=30' })).status).toBe(200);
      expect((await list('/products?sort=name')).map(({ name, price }) => [name, price])).toEqual([
        ['A', 5],
        ['Vase', 12],
      ]);
    });

    it('are documented', async () => {
      const openapi = await bodyOf(await send('/platform/documentation/Shop-v1?format=apidesc', 'GET'));
      const { paths, components } = openapi as {
        paths: Record<string, Record<string, unknown>>;
        components: { schemas: Record<string, unknown> };
      };
      expect(paths['/v1/products']).toMatchObject({
        post: { summary: 'POST Product' },
        patch: { summary: 'Patch several entities' },
        delete: {
          summary: 'Delete several entities',
          parameters: expect.arrayContaining([expect.objectContaining({ name: 'id.in' })]) as unknown,
        },
      });
      expect(components.schemas).toMatchObject({
        ProductCreateRequest: { anyOf: [{ type: 'object' }, { type: 'array', minItems: 1, maxItems: 40 }] },
        ProductPatchListRequest: { maxItems: 40, items: { required: ['id'] } },
        CountryReplaceListRequest: { maxItems: 100, items: { required: ['code', 'name'] } },
        SingleCreateRequest: { type: 'object' },
      });
      const page = await send('/platform/documentation/Shop-v1/Product', 'GET', undefined, {
        Accept: 'text/html',
      });
      expect(await page.text()).toContain('An entity, or a list of at most 40');
    });

    it('are not accepted with max_items 1', async () => {
      const made = await send('/single', 'POST', { name: 'A' });
      expect(made.status).toBe(201);
      expect((await send('/single', 'POST', [{ name: 'B' }])).status).toBe(422);
    });
  },
);

describe('a service does not start', () => {
  const start = (change: ConfigObject): Promise<string> => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'bulk-')), 'shop.sqlite');
    const database = openDatabase(file);
    database.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, UNIQUE (a, b))');
    database.close();
    const columns = { id: {}, a: {}, b: {} };
    const service = { ...product, filters: {}, columns, ...change };
    return startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file } } } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Product: service } } } } } },
      },
    });
  };

  it('with a PUT of lists where the database chooses the key', async () => {
    expect(await start({ collection: { PUT: {} } })).toContain(
      'declares collection PUT, which creates entities with the keys that clients choose, and the database chooses "id".',
    );
  });

  it('with a DELETE of lists that has no filter', async () => {
    const change = { route: '/products[/:a/:b]', route_identifier_name: ['a', 'b'] };
    expect(await start({ ...change, collection: { DELETE: {} } })).toContain(
      'declares collection DELETE, which deletes what a filter selects, and has no filters. Declare one, such as "filters": { "a": ["eq"] }, or remove DELETE.',
    );
  });
});
