import {
  defineApi,
  defineRestService,
  Problem,
  ProblemModel,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

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

const refused = (): never => new ProblemModel(new Problem(409, 'Not now.')) as never;

/** Responds with view models of problems, and has entities with revisions. */
const Note = defineRestService({
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { GET: {}, POST: {}, DELETE: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
  resource: {
    fetchAll: refused,
    fetch: refused,
    create: refused,
    update: refused,
    patch: refused,
    delete: refused,
    deleteList: () => Promise.resolve(refused()),
    revision: ({ id }) => id.length,
  },
});

/** Refuses to state its revision. */
const Memo = defineRestService({
  route: '/memos[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { DELETE: {} },
  resource: { deleteList: () => undefined, collectionRevision: refused },
});

/** Sets fields of its responses. */
const Poster = defineRestService({
  route: '/posters[/:id]',
  route_identifier_name: 'id',
  fields,
  page_size: 1,
  collection: { GET: {}, POST: {} },
  entity: { GET: {} },
  resource: {
    fetchAll: ({ event: { response } }) => {
      response.fields.append('Link', '</terms>; rel="license"');
      return [{ id: 'a' }];
    },
    fetch: (id) => ({ id }),
    create: (data, { event: { response } }) => {
      response.fields.set('Location', `https://posters.example/${data.id}`);
      return data;
    },
  },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Memo, Note, Order, Poster, Sign } } } })],
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

it.each([
  ['GET', '/notes', {}],
  ['POST', '/notes', {}],
  ['DELETE', '/notes', {}],
  ['DELETE', '/memos', { 'If-Match': '"1"' }],
  ['GET', '/notes/a', {}],
  ['PUT', '/notes/a', {}],
  ['PUT', '/notes/a', { 'If-Match': '"1"' }],
  ['PUT', '/notes/a', { 'If-None-Match': '*' }],
  ['PATCH', '/notes/a', {}],
  ['DELETE', '/notes/a', {}],
  ['DELETE', '/notes/a', { 'If-Match': '"1"' }],
])(
  'A view model of a problem that a resource returns is the response: %s %s %j',
  async (method, path, headers) => {
    const before = platform.log.lines.length;
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
    const request = hasBody ? sendJson({ id: 'a' }, method, headers) : { method, headers };
    const answer = await platform.request(path, request);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([409, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ status: 409, detail: 'Not now.' });
    expect(platform.log.lines.slice(before)).toEqual([]);
  },
);

describe('the fields that a resource sets', () => {
  it('are sent next to the links of a page', async () => {
    const link = (await platform.request('/posters')).headers.get('link');
    expect(link).toBe('</terms>; rel="license", </posters>; rel="first", </posters?page=1>; rel="last"');
  });

  it('take precedence over the location of a created entity', async () => {
    const { headers } = await platform.request('/posters', sendJson({ id: 'a' }));
    expect([headers.get('location'), headers.get('content-location')]).toEqual([
      'https://posters.example/a',
      '/posters/a',
    ]);
  });
});
