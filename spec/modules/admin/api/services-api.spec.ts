import { memberAt } from '../../../../src/framework';
import { PASSWORD } from '../../../factories/admin/admin';
import { startDatabasePlatform } from '../../../factories/admin/admin-databases';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';

const API = '/platform/admin/api/v1';
const SERVICES = '/apis/Shop-v1/services';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };

const { platform } = reusedPlatform(() => startDatabasePlatform(undefined, { hasAtlas: true }));

const get = (below: string): Promise<Response> => platform.request(API + below, { headers: AS_ADA });
const send = (method: string, below: string, value: unknown, headers = {}): Promise<Response> =>
  platform.request(API + below, sendJson(value, method, { ...AS_ADA, ...headers }));

const note = {
  name: 'Note',
  declaration: {
    route: '/notes[/:id]',
    route_identifier_name: 'id',
    resource: 'not-implemented',
    fields: { type: 'object', properties: { id: { type: 'string' } } },
    collection: { GET: {} },
  },
};

describe('Services in the admin API', () => {
  it('are created, replaced and removed', async () => {
    const added = await send('POST', SERVICES, note);
    expect([added.status, added.headers.get('location')]).toEqual([201, `${API}${SERVICES}/Note`]);
    expect((await platform.request('/notes')).status).toBe(501);
    const declaration = { ...note.declaration, route: '/texts[/:id]' };
    const stale = await send('PUT', `${SERVICES}/Note`, { declaration }, { 'If-Match': '"old"' });
    expect(stale.status).toBe(412);
    const etag = (await get(`${SERVICES}/Note`)).headers.get('etag') ?? '';
    const replaced = await send('PUT', `${SERVICES}/Note`, { declaration }, { 'If-Match': etag });
    expect(await bodyOf(replaced)).toMatchObject({ route: '/texts[/:id]', editable: true, declaration });
    expect((await platform.request('/texts')).status).toBe(501);
    const removed = await platform.request(`${API}${SERVICES}/Note`, { method: 'DELETE', headers: AS_ADA });
    expect([removed.status, (await platform.request('/texts')).status]).toEqual([204, 404]);
  });

  it('are created by the example of the documentation', async () => {
    const path = API + SERVICES.replace('Shop-v1', '{api_version}');
    const document = await bodyOf(
      await platform.request('/platform/documentation/Admin-v1?format=openapi', { headers: AS_ADA }),
    );
    const body = memberAt(document, ['paths', path, 'post', 'requestBody', 'content', 'application/json']);
    const added = await send('POST', SERVICES, memberAt(body, ['example']));
    expect([added.status, await bodyOf(added)]).toMatchObject([201, { name: 'Note', warnings: [] }]);
  });

  it('that are vulnerable to ReDoS have a warning in the response', async () => {
    const fields = { type: 'object', properties: { id: { type: 'string', pattern: '^(a+)+$' } } };
    const declaration = { ...note.declaration, fields, collection: { POST: {} } };
    const warning = expect.stringContaining('is vulnerable to ReDoS') as string;
    const added = await send('POST', SERVICES, { name: 'Note', declaration });
    expect([added.status, await bodyOf(added)]).toMatchObject([201, { warnings: [warning] }]);
    const entity = { ...declaration, entity: { PATCH: {} } };
    const replaced = await send('PUT', `${SERVICES}/Note`, { declaration: entity });
    expect([replaced.status, await bodyOf(replaced)]).toMatchObject([200, { warnings: [warning] }]);
    expect(await bodyOf(await get(`${SERVICES}/Note`))).toMatchObject({ warnings: [] });
  });

  it('in code are listed, and cannot be changed', async () => {
    expect(await bodyOf(await get('/apis/Atlas-v1/services/Country'))).toMatchObject({
      editable: false,
      source: 'the module "atlas"',
      declaration: {},
    });
    const { declaration } = note;
    expect((await send('PUT', '/apis/Atlas-v1/services/Country', { declaration })).status).toBe(409);
    expect((await get('/apis/Nope-v1/services')).status).toBe(404);
  });

  it('are refused if the platform could not run with them', async () => {
    const declaration = { ...note.declaration, resource: 'Nobody' };
    const answer = await send('POST', SERVICES, { name: 'Note', declaration });
    expect([answer.status, JSON.stringify(await bodyOf(answer))]).toEqual([
      422,
      expect.stringContaining('Nobody') as string,
    ]);
    expect((await send('POST', SERVICES, { ...note, name: 'Product' })).status).toBe(422);
  });

  it.each([
    ['/platform/admin/api/v1/undo[/:id]', 'takes over paths of version 1 of the API Admin'],
    ['/platform/admin/api/v1/adapters[/:id]', 'takes over paths of version 1 of the API Admin'],
    ['/platform/admin/api/v1/adapters/:more/more[/:id]', 'reserved for the admin'],
    ['/platform[/admin][/:id]', 'reserved for the admin'],
    ['/v1/atlas/countries[/:id]', 'takes over paths of version 1 of the API Atlas'],
    ['/v1/:any[/:id]', 'takes over paths of version 1 of the API Atlas'],
  ])('are refused with the route %s, which belongs to another API', async (route, reason) => {
    const answer = await send('POST', SERVICES, { ...note, declaration: { ...note.declaration, route } });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringMatching(reason)]);
  });

  it('are copied with their version', async () => {
    const answer = await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 });
    expect(answer.status).toBe(201);
    expect((await platform.request('/v2/shop/products')).status).toBe(200);
    expect((await send('POST', '/version-copies', { api_version: 'Shop-v1', to: 2 })).status).toBe(422);
    const remove = (name: string): Promise<Response> =>
      platform.request(`${API}/api-versions/${name}`, { method: 'DELETE', headers: AS_ADA });
    expect(await bodyOf(await get('/api-versions/Shop-v2'))).toMatchObject({
      removable: true,
      last: false,
      services: ['Product (/shop/products[/:id])'],
    });
    expect((await remove('Shop-v2')).status).toBe(204);
    expect((await platform.request('/v2/shop/products')).status).toBe(404);
    expect((await remove('Shop-v2')).status).toBe(404);
    expect((await remove('Atlas-v1')).status).toBe(409);
  });

  it('may have any integer as their version, such as a time', async () => {
    const copy = (to: number): Promise<Response> =>
      send('POST', '/version-copies', { api_version: 'Shop-v1', to });
    expect((await copy(2 ** 53)).status).toBe(422);
    expect((await copy(202611271200)).status).toBe(201);
    expect((await platform.request('/v202611271200/shop/products')).status).toBe(200);
    for (const path of [
      '/api-versions',
      '/authorization',
      '/documentation-texts',
      '/apis/Shop-v202611271200/services',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    const removal = await platform.request(`${API}/api-versions/Shop-v202611271200`, {
      method: 'DELETE',
      headers: AS_ADA,
    });
    expect(removal.status).toBe(204);
  });
});
