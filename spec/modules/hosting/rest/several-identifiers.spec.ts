import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({
  row: Type.String(),
  seat: Type.Integer(),
  guest: Type.String({ minLength: 1 }),
});
const seats = new Map<string, { row: string; seat: number; guest: string; revision?: number }>();

const Seat = defineRestService({
  route: '/halls/:hall/seats[/:row/:number]',
  route_identifier_name: ['row', 'number'],
  entity_identifier_name: ['row', 'seat'],
  parameters: { number: Type.Integer({ minimum: 1 }), hall: Type.String({ pattern: '^[a-z]+$' }) },
  fields,
  collection: { GET: {}, QUERY: { fields: Type.Object({ row: Type.String() }) }, POST: {}, PATCH: {} },
  entity: { GET: {}, DELETE: { precondition: 'required' } },
  resource: {
    // The types of both identifiers are known.
    fetch: ({ row, number }) => seats.get(`${row}${number}`),
    fetchAll: () => [...seats.values()],
    queryAll: ({ row }) => [...seats.values()].filter((seat) => seat.row === row),
    create: (seat) => seat,
    patchList: (patches, { merge }) =>
      patches.map(({ id: { row, number }, patch }) => {
        const seat = seats.get(`${row}${number}`);
        return merge(seat ?? { row, seat: Number(number), guest: 'nobody' }, patch);
      }),
    delete: ({ row, number }) => seats.delete(`${row}${number}`),
    revision: ({ guest }) => guest,
  },
});

const theatre: Module = {
  name: 'theatre',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Theatre', versions: { 1: { services: { Seat } } } })],
};

describe('an entity with several identifiers', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: [...HOSTING, 'documentation'], extra: [theatre] });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    seats.clear();
    seats.set('A1', { row: 'A', seat: 1, guest: 'eve' });
  });

  it('leaves the collection with its queries', async () => {
    const path = '/v1/halls/red/seats/query';
    const found = await platform.request(path, sendJson({ row: 'A' }));
    expect([found.status, await found.json()]).toEqual([200, [{ row: 'A', seat: 1, guest: 'eve' }]]);
    expect((await platform.request('/halls/UPPER/seats/query', sendJson({ row: 'A' }))).status).toBe(404);
    const refused = await platform.request(path);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('is found by all of them', async () => {
    const found = await platform.request('/v1/halls/red/seats/A/1');
    expect([found.status, await bodyOf(found)]).toEqual([200, { row: 'A', seat: 1, guest: 'eve' }]);
    expect((await platform.request('/halls/red/seats/A')).status).toBe(404);
    const details = await Promise.all(
      ['A/2', 'A/x'].map(
        async (id) => (await bodyOf(await platform.request(`/halls/red/seats/${id}`))).detail,
      ),
    );
    expect(details).toEqual(['Seat has no entity "A/2".', 'Seat has no entity "A/x".']);
    expect((await bodyOf(await platform.request('/halls/2/seats/A/1'))).detail).not.toContain('Seat');
  });

  it('has a location with all of them', async () => {
    const made = await platform.request(
      '/v1/halls/red/seats',
      sendJson({ row: 'B/2', seat: 7, guest: 'adam' }),
    );
    expect([made.status, made.headers.get('location')]).toEqual([201, '/v1/halls/red/seats/B%2F2/7']);
  });

  it('is patched in a list, with pointers to invalid members', async () => {
    const patch = (body: unknown) => platform.request('/halls/red/seats', sendJson(body, 'PATCH'));
    const done = await patch([{ row: 'A', seat: 1, guest: 'ann' }]);
    expect([done.status, await done.json()]).toEqual([200, [{ row: 'A', seat: 1, guest: 'ann' }]]);
    const failed = await bodyOf(
      await patch([
        { row: 'A', guest: 'ann' },
        { row: 'A', seat: 1, guest: '' },
      ]),
    );
    expect(failed.errors).toMatchObject([{ pointer: '/0/seat' }, { pointer: '/1/guest' }]);
  });

  it('is changed under a precondition', async () => {
    const remove = (headers: Record<string, string>) =>
      platform.request('/halls/red/seats/A/1', { method: 'DELETE', headers });
    expect((await remove({})).status).toBe(428);
    const stale = await remove({ 'If-Match': '"adam"' });
    expect([stale.status, (await bodyOf(stale)).detail]).toEqual([
      412,
      expect.stringContaining('Seat "A/1"'),
    ]);
    expect((await remove({ 'If-Match': '"eve"' })).status).toBe(204);
  });

  it('is documented with them', async () => {
    const accept = { headers: { Accept: 'text/html' } };
    const page = await platform.request('/platform/documentation/Theatre-v1/Seat', accept);
    expect(await page.text()).toContain('/halls/:hall/seats/:row/:number');
  });
});

describe('the platform does not start', () => {
  const item = { fields, entity: { GET: {} }, resource: { fetch: () => undefined } };
  const refusalOf = (service: object): Promise<string> => {
    // As untyped JavaScript, or configuration.
    const declared = { ...item, ...service } as unknown as typeof Seat;
    const api = defineApi({ name: 'Theatre', versions: { 1: { services: { Item: declared } } } });
    return startRefusal({
      modules: HOSTING,
      extra: [{ name: 'theatre', requires: ['hosting'], apis: [api] }],
    });
  };

  it.each<[string, object]>([
    [
      'the route /items[/:id] has no parameter "number" (route_identifier_name).',
      { route: '/items[/:id]', route_identifier_name: ['id', 'number'] },
    ],
    [
      'the route /items[/:a[/:b]] has paths with only some of its identifiers: a, b. Put those that a collection does not have into the same brackets, such as [/:a/:b].',
      { route: '/items[/:a[/:b]]', route_identifier_name: ['a', 'b'] },
    ],
    [
      'route_identifier_name has 2 of a, b, and entity_identifier_name has 1.',
      { route: '/items[/:a/:b]', route_identifier_name: ['a', 'b'], entity_identifier_name: 'a' },
    ],
    ['route_identifier_name names "a" twice.', { route: '/items[/:a]', route_identifier_name: ['a', 'a'] }],
    ['route_identifier_name is an empty list. Name', { route: '/items', route_identifier_name: [] }],
  ])('when identifiers do not fit their route: %s', async (message, service) => {
    expect(await refusalOf(service)).toContain(message);
  });
});
