import type { ConfigObject } from '../../../../../src/framework';
import {
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRpcService,
  defineTableService,
  inject,
  sql,
  TableResource,
  Type,
  type CollectionContext,
  type HandlerContext,
  type Kysely,
  type Module,
  type ResourceContext,
} from '../../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import {
  createSqliteTables,
  describeOnEachAdapter,
  GENERATED_KEY,
} from '../../../../factories/database/created-tables';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

const tables = (key: string): string => `
  CREATE TABLE orders(id ${key}, customer TEXT NOT NULL, lines INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE lines(order_id INTEGER NOT NULL REFERENCES orders(id), name TEXT NOT NULL CHECK (length(name) <= 5));`;

interface Shop {
  orders: { id: number; customer: string; lines: number };
  lines: { order_id: number; name: string };
}

interface Order {
  readonly id: number;
  readonly customer: string;
  readonly lines: number;
}

/** What code in a transaction waits for besides the database. */
let waiting: () => Promise<void> = () => Promise.resolve();

/** Creates an order with its lines, and counts them. */
class OrderResource extends TableResource<Order> {
  readonly #db: Kysely<Shop>;

  constructor(db: Kysely<Shop>) {
    super();
    this.#db = db;
  }

  override create(data: Partial<Order>, context: ResourceContext): Promise<Order> {
    return this.transaction(context, async (db: Kysely<Shop>) => {
      const names = (data.customer ?? '').split(' ').slice(1);
      const order = await super.create({ ...data, lines: names.length }, context);
      if (data.customer === 'waits') await waiting();
      for (const name of names) await db.insertInto('lines').values({ order_id: order.id, name }).execute();
      // Belongs to the transaction as well, or it would not see the lines.
      const { size } = await this.#db
        .selectFrom('lines')
        .select((one) => one.fn.countAll<string | number>().as('size'))
        .where('order_id', '=', order.id)
        .executeTakeFirstOrThrow();
      if (Number(size) !== names.length) throw new Error(`${size} lines were found.`);
      return order;
    });
  }

  override async delete(id: string, context: ResourceContext): Promise<boolean> {
    const [{ numDeletedRows } = { numDeletedRows: 0n }] = await this.#db
      .deleteFrom('lines')
      .where('order_id', '=', Number(id))
      .execute();
    context.log.info({ lines: Number(numDeletedRows) }, 'Lines were deleted.');
    return super.delete(id, context);
  }

  override async fetchAll(context: CollectionContext) {
    const page = await super.fetchAll(context);
    return { ...page, items: page.items.filter(({ customer }) => customer !== 'hidden') };
  }
}
inject('database:shop')(OrderResource, undefined, 0);

/** Queries of an ordinary procedure. */
const queries = (db: Kysely<Shop>) => ({
  async transfer({ query }: HandlerContext<{ readonly fail?: boolean; readonly wait?: boolean }>) {
    return db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('orders')
        .set({ customer: sql<string>`customer || '!'` })
        .executeTakeFirst();
      if (query.wait === true) await waiting();
      if (query.fail === true)
        await transaction.insertInto('lines').values({ order_id: 1, name: 'Too long' }).execute();
      return { updated: Number(numUpdatedRows) };
    });
  },
  async stream() {
    const names: string[] = [];
    for await (const { customer } of db.selectFrom('orders').select('customer').orderBy('id').stream())
      names.push(customer);
    return { names };
  },
});

const columns = { id: {}, customer: {}, lines: { read_only: true } } as const;
const definition = (route: string) =>
  ({
    adapter_name: 'shop',
    table_name: 'orders',
    route: `${route}[/:id]`,
    route_identifier_name: 'id',
    columns,
    collection: { GET: {}, POST: {} },
    entity: { GET: {}, PATCH: {}, DELETE: {} },
  }) as const;

const shop: Module = {
  name: 'shop',
  requires: ['database'],
  services: new ContainerModule(({ bind }) => {
    bind(OrderResource).toSelf();
    bind('Orders').toService(OrderResource);
    bind('transfer').toResolvedValue((db: Kysely<Shop>) => queries(db).transfer, ['database:shop']);
    bind('stream').toResolvedValue((db: Kysely<Shop>) => queries(db).stream, ['database:shop']);
  }),
  apis: [
    defineApi({
      name: 'Shop',
      versions: {
        1: {
          services: {
            Order: defineTableService({ ...definition('/orders'), resource: OrderResource }),
            Transfer: defineRpcService({
              route: '/transfer',
              methods: {
                POST: {
                  handler: 'transfer',
                  query: Type.Object({
                    fail: Type.Optional(Type.Boolean()),
                    wait: Type.Optional(Type.Boolean()),
                  }),
                },
                GET: defineProcedure({ handler: () => undefined }),
              },
            }),
            Stream: defineRpcService({ route: '/stream', methods: { GET: { handler: 'stream' } } }),
          },
        },
        2: { inherits: 1 },
      },
    }),
  ],
};

function behaviour(it: jest.It, createTables: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => {
    const named: ConfigObject = { ...definition('/named'), kind: 'table', resource: 'Orders' };
    platform = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      extra: [shop],
      local: {
        'platform-db': { adapters: { shop: await createTables() } },
        'platform-hosting': { apis: { Named: { versions: { '1': { services: { Named: named } } } } } },
      },
    });
  }, 60_000);
  afterAll(() => platform.stop());

  const post = (route: string, customer: string) => platform.request(route, sendJson({ customer, lines: 9 }));
  const customers = async () =>
    ((await bodyOf(await platform.request('/orders'))).items as Order[]).map(({ customer }) => customer);

  it.each(['/orders', '/v1/orders', '/v2/orders', '/named'])(
    'overrides operations, and calls those of the platform, at %s',
    async (route) => {
      const made = await post(route, 'ada Lamp Vase');
      expect(made.status).toBe(201);
      expect(await bodyOf(made)).toMatchObject({ customer: 'ada Lamp Vase', lines: 2 });
      expect(made.headers.get('etag')).toMatch(/^"/);
    },
  );

  it('executes the statements of an operation in one transaction, and explains what fails', async () => {
    const before = await customers();
    const failed = await post('/orders', 'bob Lamp Too-long');
    expect(failed.status).toBe(422);
    expect(await failed.text()).not.toMatch(/lines|insert/i);
    expect(await customers()).toEqual(before);
  });

  it('belongs to the transaction of a batch', async () => {
    const before = await customers();
    const operations = [
      { method: 'POST', path: '/orders', body: { customer: 'eve Lamp' } },
      { method: 'PATCH', path: '/orders/{{0.id}}', body: { customer: null } },
    ];
    expect((await platform.request('/platform/batch', sendJson({ operations }))).status).toBe(422);
    expect(await customers()).toEqual(before);
  });

  it('overrides lists and deletions', async () => {
    await post('/orders', 'hidden');
    expect(await customers()).not.toContain('hidden');
    // It would list what the class hides.
    const query = await platform.request('/orders', sendJson({}, 'QUERY'));
    expect([query.status, query.headers.get('allow')?.includes('QUERY')]).toEqual([405, false]);
    const { id } = (await bodyOf(await post('/orders', 'dan Lamp'))) as unknown as Order;
    expect((await platform.request(`/orders/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await platform.request(`/orders/${id}`)).status).toBe(404);
  });

  it('injects the Kysely instance into other services, whose transactions are rolled back when they fail', async () => {
    const before = (await bodyOf(await platform.request('/stream'))).names as string[];
    const failed = await platform.request('/transfer?fail=true', { method: 'POST' });
    expect(failed.status).toBe(422);
    expect((await bodyOf(await platform.request('/stream'))).names).toEqual(before);
    const done = await platform.request('/transfer', { method: 'POST' });
    expect(await bodyOf(done)).toEqual({ updated: before.length });
    expect((await bodyOf(await platform.request('/stream'))).names).toEqual(before.map((one) => `${one}!`));
  });

  const EXCEEDED = [503, '2', 'The transaction exceeded its timeout of 2 seconds. Try again later.'];
  const failureOf = async (response: Response) => [
    response.status,
    response.headers.get('retry-after'),
    (await bodyOf(response)).detail,
  ];

  it('ends its transaction while it waits for something else for longer than a statement may take', async () => {
    const before = await customers();
    waiting = () => new Promise(() => undefined);
    expect(await failureOf(await post('/orders', 'waits'))).toEqual(EXCEEDED);
    expect(await customers()).toEqual(before);
  }, 60_000);

  it('does not keep others from writing by a transaction of Kysely that waits', async () => {
    const { id } = (await bodyOf(await post('/orders', 'ian'))) as unknown as Order;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let held: Promise<Response> | undefined;
    await new Promise<void>((begun) => {
      waiting = () => {
        begun();
        return opened;
      };
      held = platform.request('/transfer?wait=true', { method: 'POST' });
    });
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200 && statuses.length < 5)
      statuses.push((await platform.request(`/orders/${id}`, sendJson({ customer: 'jon' }, 'PATCH'))).status);
    open();
    expect(statuses.at(-1)).toBe(200);
    expect(held && (await failureOf(await held))).toEqual(EXCEEDED);
    expect(await customers()).toContain('jon');
  }, 60_000);
}

const sqlite = (): ConfigObject => createSqliteTables(tables(GENERATED_KEY.sqlite));

const refusalOf = (module: Module): Promise<string> =>
  startRefusal({
    modules: [...HOSTING, 'database'],
    extra: [module],
    local: { 'platform-db': { adapters: { shop: sqlite() } } },
  });

const moduleOf = (more: object): Module => ({
  name: 'shop',
  requires: ['database'],
  apis: [
    defineApi({
      name: 'Shop',
      versions: { 1: { services: { Order: defineTableService({ ...definition('/orders'), ...more }) } } },
    }),
  ],
});

class FilteredResource extends TableResource {
  override async fetchAll(context: CollectionContext) {
    const page = await super.fetchAll(context);
    return { ...page, items: page.items.slice(1) };
  }
}

/** Overrides all lists but the stream of a QUERY. */
class QueriedResource extends FilteredResource {
  override queryAll(...parameters: Parameters<TableResource['queryAll']>) {
    return super.queryAll(...parameters);
  }
  override streamAll(...parameters: Parameters<TableResource['streamAll']>) {
    return super.streamAll(...parameters);
  }
}

class StreamedResource extends QueriedResource {
  override streamQuery(...parameters: Parameters<TableResource['streamQuery']>) {
    return super.streamQuery(...parameters);
  }
}

describe('the QUERY of a resource class that overrides lists', () => {
  it.each([
    [QueriedResource, 406],
    [StreamedResource, 200],
  ])('does not stream past what its author has overridden: %p', async (resource, status) => {
    const collection = { GET: { stream: ['application/x-ndjson'] as const } };
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      extra: [moduleOf({ resource, collection, filters: { id: ['gte'] } })],
      local: { 'platform-db': { adapters: { shop: sqlite() } } },
    });
    try {
      const init = sendJson({ filter: { id: { gte: 0 } } }, 'POST', { Accept: 'application/x-ndjson' });
      expect((await platform.request('/orders/query', init)).status).toBe(status);
    } finally {
      await platform.stop();
    }
  });
});

class BrokenResource extends TableResource {
  constructor() {
    super();
    throw new Error('the shelf is empty');
  }
}

describe('the declaration of a table service with code', () => {
  it.each([
    [{ resource: class Other {} }, /has to be a class that extends TableResource/],
    [{ resource: OrderResource }, /OrderResource has constructor arguments: bind it/],
    [
      { resource: BrokenResource },
      /the resource class BrokenResource cannot be created: .*the shelf is empty/,
    ],
    [{ resource: 'Orders' }, /no module binds a TableResource named "Orders"/],
    [{ hooks: [] }, /hooks is an array\. Write an object with functions: beforeCreate, /],
    [{ hooks: { beforeCreated: () => undefined } }, /hooks has "beforeCreated"\. Available: beforeCreate, /],
    [{ hooks: { beforeCreate: 'x' } }, /hooks\.beforeCreate is the string "x"\. Use a function/],
    [
      { resource: FilteredResource, collection: { GET: { stream: ['application/x-ndjson'] } } },
      /FilteredResource overrides fetchAll, but not streamAll/,
    ],
    [
      { resource: FilteredResource, collection: { GET: {}, QUERY: {} } },
      /FilteredResource overrides fetchAll, but not queryAll/,
    ],
    [
      {
        resource: QueriedResource,
        collection: { GET: {}, QUERY: { stream: ['application/x-ndjson'] } },
      },
      /QueriedResource overrides fetchAll, but not streamQuery/,
    ],
    [{ hooks: 'Missing' }, /no module binds hooks named "Missing"/],
  ])('is refused if it has %p', async (more, message) => {
    expect(await refusalOf(moduleOf(more))).toMatch(message);
  });
});

describeOnEachAdapter('a resource class of a table service', tables, behaviour, { statement_timeout: 2 });
