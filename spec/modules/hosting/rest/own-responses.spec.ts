import {
  defineApi,
  defineRestService,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/requests';
import { HOSTING } from '../../../factories/start-refusal';

const fields = Type.Object({ id: Type.String() });
const queued = { code: 202, message: 'It is queued.', response: Type.Object({ job: Type.Integer() }) };

/** Sets the status that the query has. */
const Order = defineRestService({
  route: '/orders[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: {
    POST: { query: Type.Object({ status: Type.Optional(Type.Integer()) }), status_codes: [queued] },
  },
  entity: { GET: {}, DELETE: { query: Type.Object({ status: Type.Optional(Type.Integer()) }) } },
  resource: {
    fetch: (id) => ({ id }),
    create: ({ id }, { event, query: { status } }) => {
      if (typeof status === 'number') event.response.status = status;
      return { id, job: 7 };
    },
    createList: (list, { event, query: { status } }) => {
      if (typeof status === 'number') event.response.status = status;
      return list;
    },
    delete: (_, { event, query: { status } }) => {
      if (typeof status === 'number') event.response.status = status;
    },
  },
});

const made = (): never => new PlatformResponse(203, 'made', [['Content-Type', 'text/plain']]) as never;

/** Responds by itself, and has entities with revisions. */
const Sign = defineRestService({
  route: '/signs[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {} },
  resource: {
    fetchAll: made,
    fetch: made,
    create: made,
    update: made,
    patch: made,
    revision: ({ id }) => id.length,
  },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Order, Sign } } } })],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [house],
    local: { 'platform-hosting': { check_responses: 'report' } },
  });
});
afterAll(() => platform.stop());

describe('the status that a resource sets', () => {
  const create = (query: string, body: unknown = { id: 'a' }) =>
    platform.request(`/orders${query}`, sendJson(body));

  it('replaces that of a creation, with the response that it declares', async () => {
    const accepted = await create('?status=202');
    expect([accepted.status, await bodyOf(accepted)]).toEqual([202, { job: 7 }]);
    expect(accepted.headers.get('location')).toBeNull();
    expect((await create('?status=200')).status).toBe(200);
    expect((await create('?status=202', [{ id: 'a' }])).status).toBe(202);
  });

  it('is 201 without one, with the location of the entity', async () => {
    const created = await create('');
    expect([created.status, await bodyOf(created)]).toEqual([201, { id: 'a' }]);
    expect(created.headers.get('location')).toBe('/orders/a');
    expect((await create('', [{ id: 'a' }])).status).toBe(201);
  });

  it('replaces that of a deletion', async () => {
    const remove = async (query: string) =>
      (await platform.request(`/orders/a${query}`, { method: 'DELETE' })).status;
    expect([await remove('?status=202'), await remove('')]).toEqual([202, 204]);
  });
});

describe('a Response that a resource with revisions returns', () => {
  it.each([
    ['GET', '/signs'],
    ['POST', '/signs'],
    ['GET', '/signs/a'],
    ['PUT', '/signs/a'],
    ['PATCH', '/signs/a'],
  ])('is sent as it is: %s %s', async (method, path) => {
    platform.log.lines.length = 0;
    const request = method === 'GET' ? {} : sendJson({ id: 'a' }, method);
    const answer = await platform.request(path, request);
    expect([answer.status, await answer.text()]).toEqual([203, 'made']);
    expect([answer.headers.get('etag'), answer.headers.get('location')]).toEqual([null, null]);
    expect(platform.log.lines).toEqual([]);
  });

  it('has no state that a precondition could name', async () => {
    const answer = await platform.request('/signs/a', sendJson({}, 'PATCH', { 'If-Match': '"1"' }));
    expect(answer.status).toBe(412);
  });
});
