import type { ConfigObject } from '../../../../src/framework';
import { RequestMetrics } from '../../../../src/modules/operations';
import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import {
  createSqliteTables,
  describeOnEachAdapter,
  GENERATED_KEY,
} from '../../../factories/database/created-tables';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { KeyModule } from '../../../fixtures/key-module';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const tables = (key: string): string => `
  CREATE TABLE orders(id ${key}, customer TEXT NOT NULL);
  CREATE TABLE lines(id ${key}, order_id INTEGER NOT NULL REFERENCES orders(id), name TEXT NOT NULL CHECK (length(name) <= 5));`;

const service = (adapter: string, table: string, columns: readonly string[]): ConfigObject => ({
  kind: 'table',
  adapter_name: adapter,
  table_name: table,
  route: `/${adapter}/${table}[/:id]`,
  route_identifier_name: 'id',
  columns: Object.fromEntries(columns.map((name) => [name, {}])),
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PATCH: {}, DELETE: {} },
});

/** A service that is not over a table, and records its calls. */
const calls: string[] = [];
const memory: Module = {
  name: 'memory',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Memory',
      versions: {
        1: {
          services: {
            Item: defineRestService({
              route: '/items[/:id]',
              route_identifier_name: 'id',
              fields: Type.Object({ id: Type.String() }),
              collection: { POST: {} },
              resource: { create: (item) => (calls.push('create'), item) },
            }),
          },
        },
      },
    }),
  ],
};

/** Options of the adapters. */
const OPTIONS = { statement_timeout: 30 };

const columnsOf = { orders: ['id', 'customer'], lines: ['id', 'order_id', 'name'] };

async function start(adapter: ConfigObject): Promise<TestPlatform> {
  const other = createSqliteTables(tables(GENERATED_KEY.sqlite), OPTIONS);
  const services = Object.fromEntries(
    ['shop', 'other'].flatMap((name) =>
      Object.entries(columnsOf).map(([table, columns]) => [
        `${name}_${table}`,
        service(name, table, columns),
      ]),
    ),
  );
  return startTestPlatform({
    modules: [...HOSTING, 'documentation', 'operations', 'database'],
    extra: [memory, new KeyModule()],
    files: PEOPLE,
    local: {
      'platform-operations': { access_log: { enabled: false } },
      'platform-db': { adapters: { shop: adapter, other } },
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            people: peopleAdapter(),
            keys: {
              adapter: 'KeyAdapter',
              options: { header: 'X-API-Key', query: 'api_key', keys: { cleaner: ['lines'], reader: [] } },
            },
          },
          map: { '*': ['people', 'keys'] },
        },
        authorization: { 'Shop-v1': { shop_lines: { entity: { DELETE: ['ada', 'scope:lines'] } } } },
      },
      'platform-hosting': { apis: { Shop: { versions: { '1': { services } } } } },
    },
  });
}

interface Failure {
  readonly status: number;
  readonly detail: string;
  readonly operation: number;
  readonly errors: readonly { readonly pointer: string }[];
}

function behaviour(it: jest.It, createTables: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await start(await createTables())), 60_000);
  afterAll(() => platform.stop());

  const send = (operations: readonly unknown[], headers = {}) =>
    platform.request('/platform/batch', sendJson({ operations }, 'POST', headers));
  const order = { method: 'POST', path: '/shop/orders', body: { customer: 'ada' } };
  const line = (name: string) => ({
    method: 'POST',
    path: '/shop/lines',
    body: { order_id: '{{0.id}}', name },
  });
  const count = async (table: string): Promise<number> =>
    Number((await bodyOf(await platform.request(`/shop/${table}?count=exact`))).total_items);
  const failureOf = async (response: Response): Promise<Failure> =>
    (await bodyOf(response)) as unknown as Failure;

  it('executes operations in one transaction, which refer to earlier results', async () => {
    const response = await send([
      order,
      line('Lamp'),
      {
        method: 'PATCH',
        path: '/shop/orders/{{0.id}}',
        body: { customer: 'Order {{0.id}} of {{0.customer}}' },
      },
      { method: 'GET', path: '/shop/lines/{{1.id}}' },
    ]);
    expect(response.status).toBe(200);
    const { results } = (await bodyOf(response)) as {
      results: { status: number; headers: Record<string, string>; body: Record<string, unknown> }[];
    };
    expect(results.map(({ status }) => status)).toEqual([201, 201, 200, 200]);
    const id = results[0]?.body.id;
    const names = results.flatMap(({ headers }) => Object.keys(headers));
    expect(
      names.filter((name) => /^(connection|date|keep-alive|transfer-.*|content-length)$/.test(name)),
    ).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['content-type', 'etag', 'location']));
    expect(results[0]?.headers.location).toBe(`/shop/orders/${String(id)}`);
    expect(results[2]?.body.customer).toBe(`Order ${String(id)} of ada`);
    expect(results[3]?.body).toMatchObject({ order_id: id, name: 'Lamp' });
    expect((await platform.request(`/shop/orders/${String(id)}`)).status).toBe(200);
  });

  it('changes nothing when one operation fails, and points into the batch', async () => {
    const before = [await count('orders'), await count('lines')];
    const response = await send([order, line('Lamp'), line('Too long')]);
    expect(response.status).toBe(422);
    const failure = await failureOf(response);
    expect(failure.operation).toBe(2);
    expect(failure.errors.map(({ pointer }) => pointer)).toEqual(['/operations/2/body/name']);
    expect([await count('orders'), await count('lines')]).toEqual(before);
    const missing = await send([order, { method: 'DELETE', path: '/shop/lines/999999' }], {
      Authorization: basic('ada', 'password'),
    });
    expect(missing.status).toBe(404);
    expect([await count('orders'), await count('lines')]).toEqual(before);
  });

  it('authorizes each operation as if it were sent alone', async () => {
    const made = (await bodyOf(await send([order, line('Lamp')]))) as { results: { body: { id: number } }[] };
    const removal = { method: 'DELETE', path: `/shop/lines/${String(made.results[1]?.body.id)}` };
    expect((await send([removal])).status).toBe(401);
    expect((await send([removal], { Authorization: basic('bob', 'password') })).status).toBe(403);
    const own = { ...removal, headers: { authorization: basic('ada', 'password') } };
    expect((await send([own], { Authorization: basic('bob', 'password') })).status).toBe(200);
  });

  it('has the challenge of an operation without credentials', async () => {
    const alone = await platform.request('/shop/lines/1', { method: 'DELETE' });
    const challenge = alone.headers.get('www-authenticate');
    expect(challenge).toContain('Basic');
    const response = await send([{ method: 'DELETE', path: '/shop/lines/1' }]);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(alone.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('counts as the problem of an operation without credentials', async () => {
    const counted = (): unknown =>
      Object.fromEntries(platform.application.sharedState.find(RequestMetrics)!.problems);
    const before = counted() as Record<string, number>;
    expect((await send([{ method: 'DELETE', path: '/shop/lines/1' }])).status).toBe(401);
    // That of the operation, and that of the batch.
    expect(counted()).toEqual({ ...before, unauthorized: (before.unauthorized ?? 0) + 2 });
  });

  it('authorizes operations with the key of the batch, from a field or the query, unless they have one', async () => {
    const removals = async () => {
      const made = (await bodyOf(await send([order, line('a'), line('b'), line('c')]))) as {
        results: { body: { id: number } }[];
      };
      return made.results
        .slice(1)
        .map(({ body: { id } }) => ({ method: 'DELETE', path: `/shop/lines/${id}` }));
    };
    const [first, second, third] = await removals();
    expect((await send([first], { 'X-API-Key': 'reader' })).status).toBe(403);
    expect((await send([first], { 'X-API-Key': 'cleaner' })).status).toBe(200);
    const body = sendJson({ operations: [second] });
    expect((await platform.request('/platform/batch?api_key=reader', body)).status).toBe(403);
    expect((await platform.request('/platform/batch?api_key=cleaner', body)).status).toBe(200);
    const own = { ...third, headers: { 'x-api-key': 'cleaner' } };
    expect((await send([own], { 'X-API-Key': 'reader' })).status).toBe(200);
  });

  it.each([
    ['of another database', { method: 'POST', path: '/other/orders', body: { customer: 'x' } }],
    ['of a service that is not over a table', { method: 'POST', path: '/items', body: { id: 'x' } }],
    [
      'that is a batch',
      { method: 'POST', path: '/platform/batch', body: { operations: [{ method: 'GET', path: '/' }] } },
    ],
  ])('refuses an operation %s, and changes nothing', async (_, operation) => {
    const before = await count('orders');
    const response = await send([order, operation]);
    expect(response.status).toBe(422);
    const failure = await failureOf(response);
    expect(failure.errors).toEqual([{ pointer: '/operations/1' }]);
    expect(failure.detail).toContain('The operation cannot be part of this batch');
    expect(await count('orders')).toBe(before);
    expect(calls).toEqual([]);
  });

  it.each([
    [[]],
    [Array.from({ length: 101 }, () => order)],
    [[{ method: 'TRACE', path: '/shop/orders' }]],
    [[{ method: 'GET', path: 'http://example.com/' }]],
    [[{ method: 'GET', path: '/shop/orders', headers: { Host: 'x' } }]],
    [[{ method: 'GET', path: '/shop/orders', headers: { 'X-Forwarded-For': '10.0.0.1' } }]],
    [[{ method: 'GET', path: '/shop/orders', headers: { a: 'b\r\nc: d' } }]],
    [[{ method: 'GET', path: '/shop/orders/{{0.id}}' }]],
    [[order, { method: 'GET', path: '/shop/orders/{{0.constructor}}' }]],
  ])('refuses invalid operations with 422 (%#)', async (operations) => {
    expect((await send(operations)).status).toBe(422);
  });

  it('encodes what it inserts into a path', async () => {
    const response = await send([
      { ...order, body: { customer: '../lines?x=1#' } },
      { method: 'GET', path: '/shop/orders/{{0.customer}}' },
    ]);
    expect(response.status).toBe(404);
    expect((await failureOf(response)).detail).toContain('../lines?x=1#');
  });

  it('refuses references that multiply results beyond what a body may have, and results without end', async () => {
    const before = await count('orders');
    const many = Array.from({ length: 100 }, () => '{{0.customer}}'.repeat(100));
    const large = { ...order, body: { customer: 'x'.repeat(200_000) } };
    const bomb = await send([large, { method: 'DELETE', path: '/nowhere', body: { many } }]);
    expect(bomb.status).toBe(422);
    expect(await failureOf(bomb)).toMatchObject({
      errors: [{ pointer: '/operations/1', keyword: 'reference' }],
    });
    const read = { method: 'GET', path: '/shop/orders/{{0.id}}' };
    const reader = await send([large, ...Array.from({ length: 99 }, () => read)]);
    expect(reader.status).toBe(422);
    expect(await failureOf(reader)).toMatchObject({ errors: [{ keyword: 'results' }] });
    expect(await count('orders')).toBe(before);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['an inserted path beyond its limit', { path: '/shop/orders?customer={{0.customer}}' }, '/path'],
    ['a path that is not ASCII', { path: '/shop/orders/é' }, '/path'],
    ['a path with a control character', { path: '/shop/orders/\u0001' }, '/path'],
    ['a field with a character beyond Latin-1', { headers: { 'X-A': '€' } }, '/headers/X-A'],
    ['an inserted line break', { headers: { 'X-A': '{{0.customer}}' } }, '/headers/X-A'],
    ['fields that are too long', { headers: { 'X-A': 'x'.repeat(20_000) } }, '/headers'],
    [
      'too many fields',
      { headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`X-${at}`, ''])) },
      '/headers',
    ],
    ['a page', { headers: { Accept: 'text/html' } }, '/headers'],
    ['a page, with a field in lower case,', { headers: { accept: 'text/html' } }, '/headers'],
  ])('refuses %s as part of an operation', async (_, part, pointer) => {
    const before = await count('orders');
    const first = { ...order, body: { customer: `line\r\nX: ${'y'.repeat(5000)}` } };
    const response = await send([first, { method: 'GET', path: '/shop/orders', ...part }]);
    expect(response.status).toBe(422);
    expect((await failureOf(response)).errors[0]?.pointer).toBe(`/operations/1${pointer}`);
    expect(await count('orders')).toBe(before);
  });

  it('passes a long field of its own on, and values of members as the texts of fields', async () => {
    const padding = { 'X-Padding': 'x'.repeat(9000) };
    const own = { 'X-A': 'x'.repeat(8000), 'If-None-Match': '"{{0.id}}"' };
    const response = await send([order, { method: 'GET', path: '/shop/orders', headers: own }], padding);
    expect(response.status).toBe(200);
  });

  it.each(['Content-Type', 'content-type'])('reads a patch by the %s of its operation', async (name) => {
    const patch = { method: 'PATCH', path: '/shop/orders/{{0.id}}', body: { customer: 'Grace' } };
    const refused = await send([order, { ...patch, headers: { [name]: 'text/plain' } }]);
    expect(refused.status).toBe(415);
    expect((await send([order, patch])).status).toBe(200);
  });

  it('leaves other requests out of its transaction', async () => {
    const before = await count('orders');
    const batches = Array.from({ length: 10 }, (_, at) =>
      send([order, line(at % 2 === 0 ? 'Lamp' : 'Too long')]),
    );
    const singles = Array.from({ length: 10 }, () => platform.request('/shop/orders', sendJson(order.body)));
    const statuses = (await Promise.all([...batches, ...singles])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(await count('orders')).toBe(before + 15);
  });
}

describeOnEachAdapter('a batch', tables, behaviour, OPTIONS);
