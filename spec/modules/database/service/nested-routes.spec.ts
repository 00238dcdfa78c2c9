import type { ConfigObject } from '../../../../src/framework';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';

const common: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  collection: { GET: { sort: ['name'] }, POST: {}, PUT: {}, PATCH: {}, DELETE: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
};

const services: Readonly<Record<string, ConfigObject>> = {
  Line: {
    ...common,
    table_name: 'lines',
    route: '/orders/:order_id/lines[/:line]',
    route_identifier_name: ['order_id', 'line'],
    columns: { order_id: {}, line: {}, name: {} },
    filters: { name: ['starts'] },
  },
  Product: {
    ...common,
    table_name: 'products',
    route: '/:shop/makers/:maker_id/products[/:code]',
    route_identifier_name: 'code',
    columns: { code: {}, name: {}, maker_id: {} },
  },
  // Clients do not see the column of the parent.
  Brief: {
    ...common,
    table_name: 'products',
    route: '/briefs/:maker_id[/:code]',
    route_identifier_name: 'code',
    columns: { code: {}, name: {} },
  },
};

describeOnBothDatabases(
  'a table service below another entity',
  {
    sql: () => `
      CREATE TABLE lines (order_id INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (order_id, line));
      CREATE TABLE products (code VARCHAR(9) PRIMARY KEY, name TEXT NOT NULL, maker_id INTEGER NOT NULL);`,
    services,
  },
  ({ it, platform, execute }) => {
    const send = async (to: string, method = 'GET', body?: unknown) => {
      const answer = await platform().request(to, body === undefined ? { method } : sendJson(body, method));
      const text = await answer.text();
      const parsed = (text === '' ? null : JSON.parse(text)) as Readonly<Record<string, unknown>> | null;
      return { status: answer.status, answer, body: parsed };
    };
    const namesOf = async (to: string) =>
      ((await bodyOf(await platform().request(to))).items as { name: string }[]).map(({ name }) => name);
    beforeEach(() =>
      execute(`DELETE FROM lines; DELETE FROM products;
        INSERT INTO lines VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
        INSERT INTO products VALUES ('x', 'Lamp', 1), ('y', 'Vase', 2)`),
    );

    it('has the entities of the parent in the path only', async () => {
      expect(await namesOf('/orders/1/lines')).toEqual(['a', 'b']);
      expect(await namesOf('/orders/3/lines')).toEqual([]);
      expect(await namesOf('/any/makers/2/products')).toEqual(['Vase']);
      expect((await send('/any/makers/1/products/x')).status).toBe(200);
      const wrong = ['GET', 'DELETE'].map((method) => send('/any/makers/2/products/x', method));
      expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual([404, 404]);
      expect((await send('/any/makers/2/products/x', 'PATCH', { name: 'X' })).status).toBe(404);
      expect((await send('/any/makers/x/products')).status).toBe(404);
    });

    it('has cursors that are valid for the entities of one parent only', async () => {
      await execute("INSERT INTO lines VALUES (2, 2, 'd')");
      const cursorOf = async (to: string, body?: object) =>
        String((await send(to, body === undefined ? 'GET' : 'POST', body)).body?.next_cursor);
      const cursor = await cursorOf('/orders/1/lines?page_size=1&sort=name');
      const next = (parent: number, prefix = '') =>
        send(`${prefix}/orders/${parent}/lines?page_size=1&sort=name&cursor=${cursor}`);
      expect((await next(2)).status).toBe(400);
      for (const prefix of ['', '/v1'])
        expect((await next(1, prefix)).body).toMatchObject({ items: [{ order_id: 1, line: 2 }] });
      const ofBody = { page_size: 1, cursor: await cursorOf('/orders/1/lines/query', { page_size: 1 }) };
      expect((await send('/orders/2/lines/query', 'POST', ofBody)).status).toBe(422);
      expect((await send('/orders/1/lines/query', 'POST', ofBody)).status).toBe(200);
    });

    it('has no entities below a notation of the parent that is not that of its URL', async () => {
      expect((await send('/orders/01/lines/1')).status).toBe(404);
      const paths = ['/orders/01/lines', '/orders/1.0/lines', '/any/makers/01/products', '/briefs/+1'];
      for (const to of paths) {
        expect([to, (await send(to)).status]).toEqual([to, 404]);
        const key = to.startsWith('/orders') ? { line: 9 } : { code: 'new' };
        const made = await send(to, 'POST', { ...key, name: 'Cup' });
        expect([to, made.status]).toEqual([to, 404]);
      }
      expect((await send('/any/makers/01/products/new', 'PUT', { name: 'Cup' })).status).toBe(404);
      expect((await send('/any/makers/01/products?code.in=x', 'DELETE')).status).toBe(404);
      const query = await platform().request('/orders/01/lines', sendJson({}, 'QUERY'));
      expect(query.status).toBe(404);
      expect(await namesOf('/any/makers/1/products')).toEqual(['Lamp']);
    });

    it('creates entities of the parent', async () => {
      const made = await send('/orders/3/lines', 'POST', { line: 1, name: 'd', order_id: 3 });
      expect([made.status, made.answer.headers.get('location'), made.body]).toEqual([
        201,
        '/orders/3/lines/1',
        { order_id: 3, line: 1, name: 'd' },
      ]);
      expect((await send('/orders/3/lines/2', 'PUT', { name: 'e' })).body).toEqual({
        order_id: 3,
        line: 2,
        name: 'e',
      });
      expect((await send('/any/makers/5/products/z', 'PUT', { name: 'Cup' })).body).toEqual({
        code: 'z',
        name: 'Cup',
        maker_id: 5,
      });
      // It belongs to another one.
      expect((await send('/any/makers/5/products/x', 'PUT', { name: 'Cup' })).status).toBe(409);
      expect(await namesOf('/any/makers/1/products')).toEqual(['Lamp']);
    });

    it('refuses a body with another parent than the path', async () => {
      const refused = async (to: string, method: string, body: unknown, ...pointers: readonly string[]) => {
        const answer = await send(to, method, body);
        const errors = pointers.map((pointer) => ({ pointer, keyword: 'const' }));
        expect([answer.status, answer.body]).toMatchObject([422, { errors }]);
      };
      await refused('/orders/3/lines', 'POST', { line: 1, name: 'd', order_id: 1 }, '/order_id');
      await refused('/orders/1/lines/1', 'PUT', { name: 'd', order_id: 2 }, '/order_id');
      await refused('/orders/1/lines', 'PUT', [{ line: 1, name: 'd', order_id: 2 }], '/0/order_id');
      await refused('/any/makers/1/products', 'POST', { code: 'z', name: 'Cup', maker_id: 2 }, '/maker_id');
      await refused('/any/makers/1/products/x', 'PUT', { name: 'Cup', maker_id: 2 }, '/maker_id');
      await refused('/any/makers/1/products/z', 'PUT', { name: 'Cup', maker_id: 2 }, '/maker_id');
      await refused('/any/makers/1/products/x', 'PATCH', { maker_id: 2 }, '/maker_id');
      const list = [
        { code: 'x', name: 'Lamp', maker_id: 1 },
        { code: 'z', name: 'Cup', maker_id: 2 },
      ];
      await refused('/any/makers/1/products', 'PUT', list, '/1/maker_id');
      await refused('/any/makers/1/products', 'PATCH', list, '/1/maker_id');
      await refused('/any/makers/1/products', 'POST', [...list].reverse(), '/0/maker_id');
      expect(await namesOf('/any/makers/1/products')).toEqual(['Lamp']);
      expect(await namesOf('/orders/1/lines')).toEqual(['a', 'b']);
      const same = await send('/any/makers/1/products/x', 'PATCH', { name: 'Lamp 2', maker_id: 1 });
      expect([same.status, same.body]).toEqual([200, { code: 'x', name: 'Lamp 2', maker_id: 1 }]);
    });

    it('has the entities of the parent in the path only, if clients do not see its column', async () => {
      expect(await namesOf('/briefs/2')).toEqual(['Vase']);
      expect((await send('/briefs/2/x')).status).toBe(404);
      expect((await send('/briefs/2/x', 'DELETE')).status).toBe(404);
      expect((await send('/briefs/2/x', 'PATCH', { name: 'X' })).status).toBe(404);
      expect((await send('/briefs/x')).status).toBe(404);
      const made = await send('/briefs/7', 'POST', { code: 'z', name: 'Cup' });
      expect([made.status, made.body]).toEqual([201, { code: 'z', name: 'Cup' }]);
      expect(await namesOf('/any/makers/7/products')).toEqual(['Cup']);
      expect((await send('/briefs/7?code.in=x', 'DELETE')).status).toBe(204);
      expect(await namesOf('/any/makers/1/products')).toEqual(['Lamp']);
    });

    it('changes lists of the parent only', async () => {
      const put = await send('/orders/1/lines', 'PUT', [
        { line: 2, name: 'B' },
        { line: 3, name: 'd' },
      ]);
      expect([put.status, put.body]).toEqual([
        200,
        [
          { order_id: 1, line: 2, name: 'B' },
          { order_id: 1, line: 3, name: 'd' },
        ],
      ]);
      expect((await send('/orders/2/lines', 'POST', [{ line: 2, name: 'f' }])).status).toBe(201);
      const patch = [{ order_id: 2, line: 1, name: 'C' }];
      expect((await send('/orders/1/lines', 'PATCH', patch)).status).toBe(422);
      expect((await send('/orders/2/lines', 'PATCH', patch)).status).toBe(200);
      // The path has the key of the parent already.
      const short = await send('/orders/2/lines', 'PATCH', [{ line: 1, name: 'C2' }]);
      expect([short.status, short.body]).toEqual([200, [{ order_id: 2, line: 1, name: 'C2' }]]);
      const incomplete = await send('/orders/2/lines', 'PATCH', [{ name: 'C' }]);
      expect([incomplete.status, incomplete.body]).toMatchObject([422, { errors: [{ pointer: '/0/line' }] }]);
      expect((await send('/orders/1/lines?name.starts=C', 'DELETE')).status).toBe(204);
      expect(await namesOf('/orders/2/lines')).toEqual(['C2', 'f']);
      expect((await send('/orders/1/lines?name.starts=B', 'DELETE')).status).toBe(204);
      expect(await namesOf('/orders/1/lines')).toEqual(['a', 'd']);
    });
  },
);
