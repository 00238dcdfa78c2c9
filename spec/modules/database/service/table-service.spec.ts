import type { ConfigObject } from '../../../../src/framework';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { describeOnEachAdapter } from '../../../factories/database/created-tables';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** The table of the guide, in the dialect of each database. */
const tableSql = (key: string): string =>
  `CREATE TABLE products(id ${key}, name TEXT NOT NULL UNIQUE, price INTEGER NOT NULL CHECK (price >= 0), maker TEXT);
   INSERT INTO products(name, price, maker)
   VALUES ('Lamp', 30, 'x'), ('Table', 120, 'x'), ('Chair', 60, 'x'), ('Glass', 5, 'x'), ('Glove', 8, 'x');`;

/** The configuration of the documentation, word for word. */
const product: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/shop/products[/:id]',
  route_identifier_name: 'id',
  collection_name: 'products',
  columns: { id: {}, name: {}, price: {} },
  filters: { price: ['gte', 'lte'], name: ['eq', 'starts'] },
  page_size: 2,
  collection: { GET: { sort: ['price', 'name'] }, POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
};

const names = (body: Record<string, unknown>) =>
  (body.products as { name: string }[]).map(({ name }) => name);

/** The same requests, whatever the database. */
function behaviour(it: jest.It, createTable: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => {
    const adapter = await createTable();
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
      local: {
        'platform-db': { adapters: { shop: adapter } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Product: product } } } } } },
      },
    });
  }, 60_000);
  afterAll(() => platform.stop());

  it('filters, sorts and pages', async () => {
    const response = await platform.request('/shop/products?price.gte=10&sort=-price');
    expect(response.status).toBe(200);
    const body = await bodyOf(response);
    expect(names(body)).toEqual(['Table', 'Chair']);
    expect(response.headers.get('link')).toContain('rel="next"');
    const next = await bodyOf(
      await platform.request(`/shop/products?price.gte=10&sort=-price&cursor=${String(body.next_cursor)}`),
    );
    expect(names(next)).toEqual(['Lamp']);
    expect(next.next_cursor).toBeNull();
    const previous = await bodyOf(
      await platform.request(
        `/shop/products?price.gte=10&sort=-price&cursor=${String(next.previous_cursor)}`,
      ),
    );
    expect(names(previous)).toEqual(['Table', 'Chair']);
  });

  it('filters by the beginning of a text, with letter case', async () => {
    const list = async (text: string) =>
      names(await bodyOf(await platform.request(`/shop/products?name.starts=${text}`)));
    expect(await list('Gl')).toEqual(['Glass', 'Glove']);
    expect(await list('gl')).toEqual([]);
    expect(await list('%25')).toEqual([]);
    expect(await list('*')).toEqual([]);
  });

  it.each(['maker.eq=x', 'price.lt=1', 'price.gte=cheap', 'fields=maker'])(
    'refuses %s with 400',
    async (query) => {
      expect((await platform.request(`/shop/products?${query}`)).status).toBe(400);
    },
  );

  it('counts all entities on request', async () => {
    expect((await bodyOf(await platform.request('/shop/products?count=exact'))).total_items).toBe(5);
    expect(await bodyOf(await platform.request('/shop/products'))).not.toHaveProperty('total_items');
  });

  it('shows declared columns only, or those that a client asks for', async () => {
    expect(await bodyOf(await platform.request('/shop/products/1'))).toEqual({
      id: 1,
      name: 'Lamp',
      price: 30,
    });
    expect(await bodyOf(await platform.request('/shop/products/1?fields=name'))).toEqual({ name: 'Lamp' });
    expect((await platform.request('/shop/products/77')).status).toBe(404);
    expect((await platform.request('/shop/products/x')).status).toBe(404);
  });

  it('creates an entity, and explains what it refuses', async () => {
    const post = (body: unknown) => platform.request('/shop/products', sendJson(body));
    const made = await post({ name: 'Vase', price: 12 });
    expect(made.status).toBe(201);
    const entity = await bodyOf(made);
    expect(entity).toEqual({ id: 6, name: 'Vase', price: 12 });
    expect(made.headers.get('location')).toBe('/shop/products/6');
    expect((await post({ name: 'Vase', price: 1 })).status).toBe(409);
    const pointers = async (body: unknown) => {
      const response = await post(body);
      const { errors } = (await bodyOf(response)) as { errors: { pointer: string }[] };
      return [response.status, errors.map(({ pointer }) => pointer)];
    };
    expect(await pointers({ price: 1 })).toEqual([422, ['/name']]);
    expect(await pointers({ name: 'Bowl', price: -1 })).toEqual([422, ['/price']]);
  });

  it('changes only the state that a client has seen', async () => {
    const tag = (await platform.request('/shop/products/2')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    const patch = (body: unknown, headers = {}) =>
      platform.request('/shop/products/2', sendJson(body, 'PATCH', headers));
    const changed = await patch({ price: 110 }, { 'If-Match': tag });
    expect(changed.status).toBe(200);
    expect((await patch({ price: 1 }, { 'If-Match': tag })).status).toBe(412);
    expect(await bodyOf(await platform.request('/shop/products/2'))).toEqual({
      id: 2,
      name: 'Table',
      price: 110,
    });
    expect((await patch({ price: 90 }, { 'If-Match': changed.headers.get('etag') ?? '' })).status).toBe(200);
    expect((await patch({ name: null })).status).toBe(422);
    expect((await patch({ name: 'Lamp' })).status).toBe(409);
  });

  it('replaces and deletes an entity, and creates none where the key is generated', async () => {
    const put = (id: number) =>
      platform.request(`/shop/products/${id}`, sendJson({ name: `New ${id}`, price: 1 }, 'PUT'));
    expect((await put(3)).status).toBe(200);
    expect((await put(999)).status).toBe(404);
    expect((await platform.request('/shop/products/3', { method: 'DELETE' })).status).toBe(204);
    expect((await platform.request('/shop/products/3', { method: 'DELETE' })).status).toBe(404);
  });

  it('warns at the start about the filters and orders that no index serves', () => {
    const warnings = platform.application.warnings.filter((text) => text.includes('no index serves'));
    expect(warnings).toEqual([
      'The service Product of Shop-v1: no index serves the filters "price.gte" and "price.lte" and the order by "price" (create one on ("price", "id")).',
    ]);
  });

  it('is documented with its filters', async () => {
    const response = await platform.request('/platform/documentation/Shop-v1', {
      headers: { Accept: 'application/vnd.apidesc+json' },
    });
    const text = await response.text();
    expect(text).toContain('price.gte');
    expect(text).not.toContain('maker');
  });
}

// The plans of queries are compared at the start, which skips them if a busy machine exceeds the time limit.
describeOnEachAdapter('a service over a table', tableSql, behaviour, { statement_timeout: 60 });
