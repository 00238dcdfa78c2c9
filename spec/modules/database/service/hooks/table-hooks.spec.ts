import { once } from 'node:events';
import type { ConfigObject } from '../../../../../src/framework';
import {
  ContainerModule,
  defineApi,
  defineTableService,
  Problem,
  problem,
  Type,
  type HookContext,
  type OperationContext,
  type Module,
} from '../../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { describeOnEachAdapter } from '../../../../factories/database/created-tables';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';

const tables = (key: string): string => `
  CREATE TABLE products(id ${key}, name TEXT NOT NULL UNIQUE, slug TEXT, price INTEGER NOT NULL CHECK (price >= 0));
  CREATE TABLE notes(code TEXT PRIMARY KEY, text TEXT);
  CREATE TABLE changes(id ${key}, text TEXT NOT NULL UNIQUE);`;

interface Shop {
  changes: { text: string };
  products: { name: string; price: number };
}

/** Records a change in the transaction of the operation. */
const record = async (text: string, { db }: HookContext<Shop>) => {
  await db.insertInto('changes').values({ text }).execute();
};

const Product = defineTableService({
  adapter_name: 'shop',
  table_name: 'products',
  route: '/products[/:id]',
  route_identifier_name: 'id',
  columns: {
    id: {},
    name: { schema: Type.String() },
    slug: { read_only: true },
    price: { schema: Type.Integer({ minimum: 0 }) },
  },
  hooks: {
    beforeCreate: ({ name, ...values }) => ({ ...values, name, slug: name?.toLowerCase() }),
    async afterCreate({ name }, context: HookContext<Shop>) {
      await record(`created ${String(name)}`, context);
      if (name !== 'Changed') return;
      await context.db.updateTable('products').set({ price: 77 }).where('name', '=', name).execute();
    },
    async beforeUpdate(id, values, context) {
      const { db, log } = context;
      if (values.price === 13) throw problem('bad_request', { reason: 'Bad luck.' });
      const { changes } = await db
        .selectFrom('changes')
        .select((one) => one.fn.countAll<string | number>().as('changes'))
        .executeTakeFirstOrThrow();
      log.info({ changes }, 'Changed.');
      await record(`updating ${id} to ${String(values.price)}`, context);
      return undefined;
    },
    async afterUpdate(id, { price }, { db, signal }) {
      // Fails after the change.
      if (price === 14) await db.insertInto('missing').values({ text: id }).execute();
      if (price === 15) await db.insertInto('changes').values({ text: 'created Lamp' }).execute();
      if (price === 16) throw new Error('A defect of the hook.');
      // Waits for a service that does not respond.
      if (price === 17) await once(signal, 'abort');
    },
    beforeDelete: (id, context) => record(`deleting ${id}`, context),
    afterDelete: async (id, { db }) => {
      const { numUpdatedRows } = await db
        .updateTable('changes')
        .set({ text: `deleted ${id}` })
        .where('text', '=', `deleting ${id}`)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) throw new Error(`${numUpdatedRows} rows were changed.`);
    },
  },
  collection: { POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
});

const shop: Module = {
  name: 'shop',
  requires: ['database'],
  services: new ContainerModule(({ bind }) => {
    bind('DraftHooks').toConstantValue({
      beforeUpdate: (id: string, _: unknown, context: HookContext<Shop>) =>
        record(`changing draft ${id}`, context),
      afterUpdate: (id: string, _: unknown, context: HookContext<Shop>) =>
        record(`changed draft ${id}`, context),
    });
    bind('NoteHooks').toConstantValue({
      afterCreate: (entity: { code: string }, context: HookContext<Shop>) =>
        record(`new note ${entity.code}`, context),
      afterUpdate: (id: string, _: unknown, context: HookContext<Shop>) =>
        record(`changed note ${id}`, context),
      before: ({ operation, identity }: OperationContext) => {
        if (operation.method === 'DELETE' && identity.name === null) throw new Problem(403, 'Notes stay.');
      },
      after: (result: unknown, { operation: { part } }: OperationContext) =>
        part === 'entity' && result !== null ? { ...(result as object), text: 'seen' } : undefined,
    });
  }),
  apis: [defineApi({ name: 'Shop', versions: { 1: { services: { Product } } } })],
};

const service = (table: string, more: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: table,
  route: `/${table}[/:id]`,
  route_identifier_name: 'id',
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {} },
  ...more,
});

const start = (adapter: ConfigObject): Promise<TestPlatform> =>
  startTestPlatform({
    modules: [...HOSTING, 'database'],
    extra: [shop],
    local: {
      'platform-db': { adapters: { shop: adapter } },
      'platform-hosting': {
        apis: {
          Log: {
            versions: {
              '1': {
                services: {
                  Change: service('changes', { columns: { id: {}, text: {} }, page_size: 100 }),
                  Note: service('notes', {
                    columns: { code: {}, text: {} },
                    entity_identifier_name: 'code',
                    hooks: 'NoteHooks',
                  }),
                  Draft: service('notes', {
                    route: '/drafts[/:id]',
                    columns: { code: {}, text: {} },
                    entity_identifier_name: 'code',
                    hooks: 'DraftHooks',
                  }),
                },
              },
            },
          },
        },
      },
    },
  });

function behaviour(it: jest.It, createTables: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await start(await createTables())), 60_000);
  afterAll(() => platform.stop());

  const post = (body: unknown) => platform.request('/products', sendJson(body));
  const patch = (id: unknown, body: unknown) =>
    platform.request(`/products/${String(id)}`, sendJson(body, 'PATCH'));
  const changes = async () =>
    ((await bodyOf(await platform.request('/changes'))).items as { text: string }[]).map(({ text }) => text);
  const entity = async (id: unknown) => bodyOf(await platform.request(`/products/${String(id)}`));

  let id: unknown;
  it('sets values before a write, also of columns that clients cannot write', async () => {
    const made = await post({ name: 'Lamp', price: 3, slug: 'mine' });
    expect(made.status).toBe(201);
    const body = await bodyOf(made);
    expect(body).toMatchObject({ name: 'Lamp', slug: 'lamp', price: 3 });
    ({ id } = body);
    expect(await changes()).toEqual(['created Lamp']);
  });

  it('may change the entity after a write: the response has it as it is stored', async () => {
    const made = await post({ name: 'Changed', price: 1 });
    const body = await bodyOf(made);
    expect(body).toMatchObject({ name: 'Changed', price: 77 });
    const stored = await platform.request(`/products/${String(body.id)}`);
    expect(stored.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(await bodyOf(stored)).toEqual(body);
  });

  it('runs in the transaction of the write: neither takes effect when one fails', async () => {
    const before = await changes();
    expect((await post({ name: 'Lamp', price: 4 })).status).toBe(409);
    expect((await patch(id, { price: 13 })).status).toBe(400);
    expect((await patch(id, { price: -1 })).status).toBe(422);
    expect((await patch(id, { price: 16 })).status).toBe(500);
    expect(await changes()).toEqual(before);
    expect(await entity(id)).toMatchObject({ price: 3 });
  });

  it('converts the failed statements of hooks to problems that disclose nothing', async () => {
    const before = await changes();
    const missing = await patch(id, { price: 14 });
    const taken = await patch(id, { price: 15 });
    expect([missing.status, taken.status]).toEqual([503, 409]);
    expect((await missing.text()) + (await taken.text())).not.toMatch(/missing|changes|insert|text/i);
    expect(await changes()).toEqual(before);
    expect(await entity(id)).toMatchObject({ price: 3 });
  });

  it('keeps values that a replacement cannot have', async () => {
    const replaced = await platform.request(
      `/products/${String(id)}`,
      sendJson({ name: 'Lamp', price: 5 }, 'PUT'),
    );
    expect(await bodyOf(replaced)).toEqual({ id, name: 'Lamp', slug: 'lamp', price: 5 });
    expect(await changes()).toContain(`updating ${String(id)} to 5`);
  });

  it('compares preconditions in the same transaction', async () => {
    const before = await changes();
    const stale = sendJson({ price: 6 }, 'PATCH', { 'If-Match': '"old"' });
    expect((await platform.request(`/products/${String(id)}`, stale)).status).toBe(412);
    expect((await patch(99, { price: 6 })).status).toBe(404);
    expect(await changes()).toEqual(before);
  });

  it('belongs to the transaction of a batch', async () => {
    const before = await changes();
    const send = (price: number) =>
      platform.request(
        '/platform/batch',
        sendJson({
          operations: [
            { method: 'POST', path: '/products', body: { name: `Vase ${price}`, price } },
            { method: 'PATCH', path: '/products/{{0.id}}', body: { price: price + 1 } },
          ],
        }),
      );
    expect((await send(12)).status).toBe(400);
    expect(await changes()).toEqual(before);
    expect((await send(20)).status).toBe(200);
    expect((await changes()).slice(before.length)).toEqual([
      'created Vase 20',
      expect.stringMatching(/^updating \d+ to 21$/),
    ]);
  });

  it('runs those of a deletion', async () => {
    expect((await platform.request(`/products/${String(id)}`, { method: 'DELETE' })).status).toBe(204);
    expect(await changes()).toContain(`deleted ${String(id)}`);
    const before = await changes();
    expect((await platform.request(`/products/${String(id)}`, { method: 'DELETE' })).status).toBe(404);
    expect(await changes()).toEqual(before);
  });

  it('distinguishes a PUT that creates from one that replaces', async () => {
    const put = (text: string) => platform.request('/notes/a', sendJson({ text }, 'PUT'));
    expect((await put('one')).status).toBe(201);
    expect((await put('two')).status).toBe(200);
    expect((await changes()).slice(-2)).toEqual(['new note a', 'changed note a']);
  });

  it('calls no hooks of updates for a PUT that creates, also without hooks of create', async () => {
    const before = await changes();
    const put = (text: string) => platform.request('/drafts/b', sendJson({ text }, 'PUT'));
    expect((await put('one')).status).toBe(201);
    expect(await changes()).toEqual(before);
    expect((await put('two')).status).toBe(200);
    expect((await changes()).slice(before.length)).toEqual(['changing draft b', 'changed draft b']);
  });

  it('keeps others from writing for the time of a statement at most', async () => {
    const made = await bodyOf(await post({ name: 'Slow', price: 1 }));
    const waited = patch(made.id, { price: 17 });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 10 && statuses.at(-1) !== 200; attempt += 1)
      statuses.push((await patch(made.id, { price: 18 })).status);
    expect(statuses.at(-1)).toBe(200);
    // The hook waits until it is aborted: at the timeout of a statement, not of the operation, which has 30 seconds.
    const timedOut = await waited;
    expect(timedOut.status).toBe(503);
    expect((await bodyOf(timedOut)).detail).toContain('exceeded its timeout of 5 seconds');
    expect(await entity(made.id)).toMatchObject({ price: 18 });
  }, 60_000);
}

describeOnEachAdapter('the hooks of a service over a table', tables, behaviour);
