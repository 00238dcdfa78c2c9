import type { ConfigObject } from '../../../../../src/framework';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';
import { bodyOf, sendJson } from '../../../../factories/http/requests';

const line: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'order_lines',
  route: '/shop/order-lines[/:order_id/:line]',
  route_identifier_name: ['order_id', 'line'],
  collection_name: 'lines',
  columns: { order_id: {}, line: {}, product: {}, quantity: {} },
  filters: { order_id: ['eq'] },
  page_size: 2,
  collection: { GET: { sort: ['product'] }, POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
};

/** A table of two keys, under other names in the route. */
const member: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'members',
  route: '/shop/members[/:club/:person]',
  route_identifier_name: ['club', 'person'],
  entity_identifier_name: ['club_name', 'person_name'],
  columns: { club_name: {}, person_name: {} },
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {}, DELETE: {} },
};

describeOnBothDatabases(
  'a service over a table with a composite key',
  {
    sql: () => `
      CREATE TABLE order_lines (
        order_id INTEGER NOT NULL, line INTEGER NOT NULL, product TEXT NOT NULL,
        quantity INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (order_id, line));
      INSERT INTO order_lines VALUES (1, 1, 'Lamp', 2), (1, 2, 'Vase', 1), (2, 1, 'Bowl', 4);
      CREATE TABLE members (club_name VARCHAR(20) NOT NULL, person_name VARCHAR(20) NOT NULL,
        UNIQUE (club_name, person_name));`,
    services: {
      Line: line,
      Member: member,
      HalLine: {
        ...line,
        selector: 'HalJson',
        route: '/shop/orders/:order_id/lines[/:line]',
        collection: { GET: {} },
      },
    },
  },
  ({ it, platform }) => {
    const get = (path: string, headers = {}) => platform().request(path, { headers });

    it('finds an entity by all identifiers', async () => {
      const found = await get('/shop/order-lines/1/2');
      expect(await bodyOf(found)).toEqual({ order_id: 1, line: 2, product: 'Vase', quantity: 1 });
      expect(found.headers.get('etag')).toMatch(/^"/);
      for (const path of ['1/3', '3/1', 'x/1', '1/x']) {
        const missing = await get(`/shop/order-lines/${path}`);
        expect([path, missing.status, (await bodyOf(missing)).detail]).toEqual([
          path,
          404,
          `Line has no entity "${path}".`,
        ]);
      }
      expect((await get('/shop/order-lines/1')).status).toBe(404);
    });

    it('pages in the order of the whole key', async () => {
      const first = await bodyOf(await get('/shop/order-lines'));
      expect(first.lines).toMatchObject([
        { order_id: 1, line: 1 },
        { order_id: 1, line: 2 },
      ]);
      const next = await bodyOf(await get(`/shop/order-lines?cursor=${String(first.next_cursor)}`));
      expect(next.lines).toMatchObject([{ order_id: 2, line: 1 }]);
    });

    it('creates an entity with its location', async () => {
      const post = (body: unknown) => platform().request('/shop/order-lines', sendJson(body));
      const made = await post({ order_id: 3, line: 1, product: 'Cup' });
      expect(made.status).toBe(201);
      expect(made.headers.get('location')).toBe('/shop/order-lines/3/1');
      expect(await bodyOf(made)).toEqual({ order_id: 3, line: 1, product: 'Cup', quantity: 1 });
      const taken = await post({ order_id: 3, line: 1, product: 'Cup' });
      expect([taken.status, (await bodyOf(taken)).errors]).toEqual([
        409,
        expect.arrayContaining([expect.objectContaining({ pointer: '/order_id' })]),
      ]);
      const incomplete = await post({ order_id: 3, product: 'Cup' });
      expect([incomplete.status, (await bodyOf(incomplete)).errors]).toEqual([
        422,
        [{ pointer: '/line', keyword: 'required', message: 'is required' }],
      ]);
    });

    it('puts, patches and deletes an entity under the state that a client has seen', async () => {
      const send = (method: string, body: unknown, headers = {}) =>
        platform().request('/shop/order-lines/4/1', sendJson(body, method, headers));
      const made = await send('PUT', { product: 'Pan' });
      expect([made.status, made.headers.get('location')]).toEqual([201, '/shop/order-lines/4/1']);
      const tag = made.headers.get('etag') ?? '';
      const patched = await send('PATCH', { quantity: 5 }, { 'If-Match': tag });
      expect([patched.status, await bodyOf(patched)]).toEqual([
        200,
        { order_id: 4, line: 1, product: 'Pan', quantity: 5 },
      ]);
      expect((await send('PATCH', { quantity: 6 }, { 'If-Match': tag })).status).toBe(412);
      expect((await send('PUT', { product: 'Pan', line: 2 })).status).toBe(422);
      expect(await bodyOf(await send('PUT', { product: 'Pan', line: 1 }))).toMatchObject({ quantity: 1 });
      expect((await send('PUT', { product: 'Pan' }, { 'If-None-Match': '*' })).status).toBe(412);
      const stale = await platform().request('/shop/order-lines/4/1', {
        method: 'DELETE',
        headers: { 'If-Match': tag.replace(/.$/, '0"') },
      });
      expect(stale.status).toBe(412);
      const gone = await platform().request('/shop/order-lines/4/1', { method: 'DELETE' });
      expect(gone.status).toBe(204);
      expect((await get('/shop/order-lines/4/1')).status).toBe(404);
      expect((await get('/shop/order-lines/1/1')).status).toBe(200);
    });

    it('keeps members of other names than the route parameters', async () => {
      const put = () => platform().request('/shop/members/chess/eve%2F1', sendJson({}, 'PUT'));
      const made = await put();
      expect([made.status, made.headers.get('location'), await bodyOf(made)]).toEqual([
        201,
        '/shop/members/chess/eve%2F1',
        { club_name: 'chess', person_name: 'eve/1' },
      ]);
      expect((await put()).status).toBe(200);
      expect((await get('/shop/members/chess/eve')).status).toBe(404);
    });

    it('links to entities in HAL', async () => {
      const hal = await bodyOf(await get('/shop/orders/1/lines/2'));
      expect(hal).toMatchObject({ line: 2, _links: { self: { href: '/shop/orders/1/lines/2' } } });
    });

    it('takes part in batches', async () => {
      const operations = [
        { method: 'POST', path: '/shop/order-lines', body: { order_id: 9, line: 7, product: 'Jar' } },
        { method: 'PATCH', path: '/shop/order-lines/{{0.order_id}}/{{0.line}}', body: { quantity: 3 } },
      ];
      const answer = await platform().request('/platform/batch', sendJson({ operations }));
      expect([answer.status, await bodyOf(answer)]).toMatchObject([
        200,
        { results: [{ status: 201 }, { status: 200, body: { order_id: 9, line: 7, quantity: 3 } }] },
      ]);
    });

    it('is documented with all identifiers', async () => {
      const openapi = await bodyOf(await get('/platform/documentation/Shop-v1?format=apidesc'));
      const paths = openapi.paths as Record<string, unknown>;
      expect(Object.keys(paths)).toEqual(
        expect.arrayContaining(['/v1/shop/order-lines', '/v1/shop/order-lines/{order_id}/{line}']),
      );
      const parameter = (name: string): unknown =>
        expect.objectContaining({ name, in: 'path', required: true });
      expect(JSON.stringify(paths['/v1/shop/order-lines'])).not.toContain('"in":"path"');
      const entity = paths['/v1/shop/order-lines/{order_id}/{line}'];
      for (const method of ['get', 'put', 'patch', 'delete'])
        expect(entity).toMatchObject({
          [method]: {
            parameters: expect.arrayContaining([parameter('order_id'), parameter('line')]) as unknown,
          },
        });
      const json = await bodyOf(await get('/platform/documentation/Shop-v1/Line?format=json'));
      expect(json).toMatchObject({ route_identifier_names: ['order_id', 'line'] });
    });
  },
);
