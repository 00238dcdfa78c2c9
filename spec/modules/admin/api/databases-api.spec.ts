import { PASSWORD } from '../../../factories/admin/admin';
import { startDatabasePlatform } from '../../../factories/admin/admin-databases';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';

const API = '/platform/admin/api/v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };

const { platform } = reusedPlatform(() =>
  startDatabasePlatform(undefined, {
    adapters: {
      gone: { adapter: 'PostgresAdapter', options: { url: 'postgres://ann:hush@127.0.0.1:9/gone' } },
    },
  }),
);

const get = async (below: string): Promise<unknown> =>
  (await platform.request(API + below, { headers: AS_ADA })).json();
const post = (below: string, value: unknown): Promise<Response> =>
  platform.request(API + below, sendJson(value, 'POST', AS_ADA));

describe('Databases in the admin API', () => {
  it('are listed with their tables, without passwords', async () => {
    const list = await get('/databases');
    expect(JSON.stringify(list)).not.toContain('hush');
    expect(list).toMatchObject([
      { name: 'shop', adapter: 'SqliteAdapter', available: true, services: 1 },
      { name: 'gone', options: { url: '••••••' } },
    ]);
    expect(await get('/databases/shop')).toMatchObject({ snapshot: false, drift: [] });
    expect(await get('/databases/shop/tables/products')).toMatchObject({
      kind: 'table',
      primary_key: ['id'],
      unique: [['name']],
      foreign_keys: [{ columns: ['maker_id'], table: 'makers', references: ['id'] }],
      services: [{ api: 'Shop', version: 1, service: 'Product' }],
    });
    expect((await platform.request(`${API}/databases/none`, { headers: AS_ADA })).status).toBe(404);
  });

  it('have their snapshots updated', async () => {
    expect(await bodyOf(await post('/snapshots', { database: 'shop' }))).toMatchObject({
      file: 'config/db/shop.json',
      changed: true,
      new_tables: expect.arrayContaining(['products']) as unknown,
    });
    platform.execute('ALTER TABLE makers ADD COLUMN town TEXT');
    expect(await bodyOf(await post('/snapshots', { database: 'shop' }))).toMatchObject({
      drift: [{ severity: 'note', message: 'the column makers.town is new' }],
    });
    expect(await get('/databases/shop')).toMatchObject({ snapshot: true, drift: [] });
    expect((await post('/snapshots', { database: 'gone' })).status).toBe(503);
    expect((await post('/snapshots', { database: 'none' })).status).toBe(404);
  });

  it('have a connection test', async () => {
    expect(await bodyOf(await post('/connection-test', { database: 'shop' }))).toMatchObject({
      connected: true,
      problem: null,
    });
    expect(await bodyOf(await post('/connection-test', { database: 'gone' }))).toMatchObject({
      connected: false,
    });
    expect((await post('/connection-test', { database: 'none' })).status).toBe(404);
  });
});

describe('Services from tables in the admin API', () => {
  const makers = { adapter_name: 'shop', table_name: 'makers' };

  it('are previewed with documentation and difference, and created', async () => {
    const preview = await bodyOf(await post('/table-service-preview', { ...makers, operations: ['list'] }));
    expect(preview).toMatchObject({
      summary: 'Added the service "Maker" over the table "makers" to Shop-v1.',
      operations: [
        { method: 'GET', path: '/v1/makers', access: 'everyone' },
        { method: 'POST', path: '/v1/makers/query', access: 'everyone' },
      ],
      fields: [{ name: 'id' }, { name: 'name', type: 'string' }],
    });
    expect(JSON.stringify(preview.difference)).toContain('services.Maker.table_name');
    expect((await platform.request('/makers')).status).toBe(404);
    const answer = await post('/table-services', { ...makers, operations: ['list'] });
    expect([answer.status, await bodyOf(answer)]).toMatchObject([201, { revision: 1, warnings: [] }]);
    expect((await platform.request('/makers')).status).toBe(200);
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe(`${API}/apis/Shop-v1/services/Maker`);
    expect(await get(location.slice(API.length))).toMatchObject({ name: 'Maker' });
  });

  it('report a route that another service has at the member', async () => {
    const { declaration } = (await get('/apis/Shop-v1/services/Product')) as {
      declaration: { route: string };
    };
    const answer = await post('/table-services', { ...makers, route: declaration.route });
    expect(answer.status).toBe(422);
    const message = 'The route is in use by the service "Product" of Shop-v1. Choose another one.';
    expect((await bodyOf(answer)).errors).toEqual([expect.objectContaining({ pointer: '/route', message })]);
  });

  it.each([
    ['name', 'n'.repeat(5000), 5000],
    ['api', 'a'.repeat(300), 300],
    ['collection_name', 'c'.repeat(65), 65],
  ])('report the length of a %s that is too long', async (member, value, length) => {
    const answer = await post('/table-service-preview', { ...makers, [member]: value });
    expect(answer.status).toBe(422);
    const message = `The name has ${length} characters. Use at most 64.`;
    expect((await bodyOf(answer)).errors).toEqual([
      expect.objectContaining({ pointer: `/${member}`, message }),
    ]);
  });

  it.each([
    [{ adapter_name: 'shop', table_name: 'makers', operations: ['read'] }, '/operations'],
    [{ adapter_name: 'shop', table_name: 'makers', filters: { name: ['like'] } }, '/filters/name'],
    [{ adapter_name: 'shop', table_name: 'makers', version: 9 }, '/version'],
    [{ adapter_name: 'shop', table_name: 'makers', api: 'Admin' }, '/api'],
    [{ adapter_name: 'shop', table_name: 'makers', columns: ['name'] }, '/columns'],
    [{ adapter_name: 'shop', table_name: 'makers', read_access: [] }, '/read_access'],
    [{ adapter_name: 'shop', table_name: 'cheap', operations: ['create'] }, '/operations'],
  ])('report errors at the member: %j', async (body, pointer) => {
    const answer = await post('/table-services', body);
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toContainEqual(expect.objectContaining({ pointer }));
  });
});
