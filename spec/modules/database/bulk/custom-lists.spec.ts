import {
  defineApi,
  defineTableService,
  Problem,
  TableResource,
  Type,
  type HookContext,
  type Module,
  type PatchContext,
  type ResourceContext,
} from '../../../../src/platform';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';

interface Shop {
  changes: { text: string };
}

const record = async (text: string, { db }: HookContext<Shop>) => {
  await db.insertInto('changes').values({ text }).execute();
};

const common = {
  adapter_name: 'shop',
  table_name: 'products',
  route_identifier_name: 'code',
  columns: { code: {}, name: { schema: Type.String() }, slug: { read_only: true } },
  filters: { name: ['eq', 'starts'] },
  collection: { GET: {}, POST: {}, PUT: {}, PATCH: {}, DELETE: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
} as const;

const Hooked = defineTableService({
  ...common,
  route: '/hooked[/:code]',
  hooks: {
    beforeCreate: ({ name, ...values }) => ({ ...values, name, slug: name?.toLowerCase() }),
    afterCreate: ({ code }, context: HookContext<Shop>) => record(`created ${String(code)}`, context),
    afterUpdate: (code, { name }, context: HookContext<Shop>) =>
      record(`updated ${code} to ${String(name)}`, context),
    beforeDelete: async (code, context: HookContext<Shop>) => {
      if (code === 'keep')
        throw new Problem(422, 'It is needed.', { extensions: { errors: [{ pointer: '' }] } });
      await record(`deleted ${code}`, context);
    },
  },
});

interface Product {
  readonly code: string;
  readonly name: string;
  readonly slug: string | null;
}

class Products extends TableResource<Product> {
  override create(data: Partial<Product>, context: ResourceContext) {
    return super.create({ ...data, slug: `own ${data.name ?? ''}` }, context);
  }

  override async patch(code: string, data: Partial<Product>, context: PatchContext<Product, Product>) {
    const current = await this.fetch(code, context);
    if (current === undefined) return undefined;
    return super.patch(code, { ...context.merge(current, data), slug: 'patched' }, context);
  }
}

const Custom = defineTableService({ ...common, route: '/custom[/:code]', resource: Products });

const module_: Module = {
  name: 'products',
  requires: ['database'],
  apis: [defineApi({ name: 'Products', versions: { 1: { services: { Hooked, Custom } } } })],
};

describeOnBothDatabases(
  'lists of entities with code of the application',
  {
    sql: () => `
      CREATE TABLE products (
        code VARCHAR(9) PRIMARY KEY, name TEXT NOT NULL UNIQUE, slug TEXT,
        part_of VARCHAR(9) REFERENCES products ON DELETE CASCADE);
      CREATE TABLE changes (text VARCHAR(40) PRIMARY KEY);`,
    services: {
      Change: {
        kind: 'table',
        adapter_name: 'shop',
        table_name: 'changes',
        route: '/changes[/:text]',
        route_identifier_name: 'text',
        columns: { text: {} },
        collection: { GET: {} },
      },
    },
    options: { extra: [module_] },
  },
  ({ it, platform, execute }) => {
    const send = (to: string, method: string, body?: unknown) =>
      platform().request(to, body === undefined ? { method } : sendJson(body, method));
    const changes = async () =>
      ((await bodyOf(await platform().request('/changes'))).items as { text: string }[]).map(
        ({ text }) => text,
      );
    beforeEach(() => execute(`DELETE FROM changes; DELETE FROM products`));

    it('call the hooks for each entity, in one transaction', async () => {
      const made = await send('/hooked', 'POST', [
        { code: 'a', name: 'Lamp' },
        { code: 'keep', name: 'Vase' },
      ]);
      expect([made.status, await made.json()]).toEqual([
        201,
        [
          { code: 'a', name: 'Lamp', slug: 'lamp' },
          { code: 'keep', name: 'Vase', slug: 'vase' },
        ],
      ]);
      const taken = await send('/hooked', 'POST', [
        { code: 'b', name: 'Cup' },
        { code: 'c', name: 'Lamp' },
      ]);
      expect([taken.status, (await bodyOf(taken)).errors]).toMatchObject([409, [{ pointer: '/1/name' }]]);
      expect((await send('/hooked', 'PATCH', [{ code: 'a', name: 'Lamps' }])).status).toBe(200);
      const put = await send('/hooked', 'PUT', [
        { code: 'a', name: 'Lamp' },
        { code: 'd', name: 'Jar' },
      ]);
      expect([put.status, await put.json()]).toMatchObject([
        200,
        [{ code: 'a' }, { code: 'd', slug: 'jar' }],
      ]);
      expect((await send('/hooked?code.in=a,keep', 'DELETE')).status).toBe(422);
      expect((await send('/hooked?name.starts=', 'DELETE')).status).toBe(400);
      expect((await send('/hooked?code.in=a,d', 'DELETE')).status).toBe(204);
      expect(await changes()).toEqual([
        'created a',
        'created d',
        'created keep',
        'deleted a',
        'deleted d',
        'updated a to Lamp',
        'updated a to Lamps',
      ]);
    });

    it('call no hooks for an entity that the deletion of another one has deleted', async () => {
      await execute(
        `INSERT INTO products (code, name, part_of) VALUES ('a', 'Lamp', NULL), ('b', 'Bulb', 'a')`,
      );
      expect((await send('/hooked?code.in=a,b', 'DELETE')).status).toBe(204);
      expect(await changes()).toEqual(['deleted a']);
    });

    it('compare a precondition with the collection, and with no entity', async () => {
      const put = (to: string, code: string, match: string) =>
        platform().request(to, sendJson([{ code, name: code }], 'PUT', { 'If-Match': match }));
      for (const to of ['/hooked', '/custom']) {
        expect((await put(to, to.slice(1), '*')).status).toBe(200);
        expect((await put(to, to.slice(1), '*')).status).toBe(200);
        expect((await put(to, 'new', '"1"')).status).toBe(412);
      }
    });

    it('call the overridden operations for each entity', async () => {
      const made = await send('/custom', 'POST', [
        { code: 'a', name: 'Lamp' },
        { code: 'b', name: 'Cup' },
      ]);
      expect(await made.json()).toMatchObject([{ slug: 'own Lamp' }, { slug: 'own Cup' }]);
      const patched = await send('/custom', 'PATCH', [{ code: 'b', name: 'Mug' }]);
      expect(await patched.json()).toEqual([{ code: 'b', name: 'Mug', slug: 'patched' }]);
      const failed = await send('/custom', 'PATCH', [
        { code: 'a', name: 'Lamps' },
        { code: 'b', name: 'Lamps' },
      ]);
      expect([failed.status, (await bodyOf(failed)).errors]).toMatchObject([409, [{ pointer: '/1/name' }]]);
      expect((await bodyOf(await send('/custom/a', 'GET'))).name).toBe('Lamp');
      const put = await send('/custom', 'PUT', [{ code: 'a', name: 'Lamps' }]);
      expect(await put.json()).toMatchObject([{ name: 'Lamps', slug: 'own Lamp' }]);
      expect((await send('/custom?name.eq=Lamps', 'DELETE')).status).toBe(204);
      expect((await bodyOf(await send('/custom', 'GET'))).items).toHaveLength(1);
    });
  },
);
