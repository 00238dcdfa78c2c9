import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

/** A key whose texts of different characters are equal, the path of a row, and another key of the same row. */
const KEYS = {
  sqlite: { type: 'VARCHAR(9) COLLATE NOCASE', path: 'AB', same: 'aB', stored: 'Ab' },
  postgres: { type: 'CHAR(5)', path: 'Ab', same: 'Ab ', stored: 'Ab   ' },
};

const EVENT = '0f9ad5b2-3a66-4c8e-9d0a-2b7c1e5f6a01';

onEachDatabase(({ it, dialect, start }) => {
  const { type, path, same, stored } = KEYS[dialect];
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE rooms (code ${type} PRIMARY KEY, name TEXT);
        INSERT INTO rooms VALUES ('Ab', 'Hall'), ('Cd', 'Attic');
        CREATE TABLE seats (code ${type}, seat INTEGER, name TEXT, PRIMARY KEY (code, seat));
        INSERT INTO seats VALUES ('Ab', 1, 'Aisle'), ('Ab', 2, 'Window');
        CREATE TABLE tickets (event UUID, number BIGINT, name TEXT, PRIMARY KEY (event, number));
        INSERT INTO tickets VALUES ('${EVENT}', 7, 'Ada');
        CREATE TABLE counters (id BIGINT PRIMARY KEY, name TEXT);
        INSERT INTO counters VALUES (7, 'old');
        CREATE TABLE rates (rate NUMERIC PRIMARY KEY, name TEXT);
        INSERT INTO rates VALUES (1.50, 'old'), (-2, 'old');`,
      services: {
        Room: {
          table_name: 'rooms',
          route: '/rooms[/:code]',
          route_identifier_name: 'code',
          columns: { code: { schema: { maxLength: 9 } }, name: {} },
          collection: { GET: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
        Seat: {
          table_name: 'seats',
          route: '/seats[/:code/:seat]',
          route_identifier_name: ['code', 'seat'],
          columns: { code: { schema: { maxLength: 9 } }, seat: {}, name: {} },
          collection: { GET: {} },
          entity: { GET: {}, PUT: {} },
        },
        Ticket: {
          table_name: 'tickets',
          route: '/tickets[/:event/:number]',
          route_identifier_name: ['event', 'number'],
          columns: { event: {}, number: {}, name: {} },
          collection: { PUT: {}, PATCH: {} },
        },
        Rate: {
          table_name: 'rates',
          route: '/rates[/:rate]',
          route_identifier_name: 'rate',
          columns: { rate: {}, name: {} },
          collection: { PUT: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
        Counter: {
          table_name: 'counters',
          route: '/counters[/:id]',
          columns: { id: {}, name: {} },
          collection: { PUT: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);

  const send = async (to: string, method: string, body: object) => {
    const response = await platform.request(to, sendJson(body, method));
    const { code, name, errors } = await bodyOf(response);
    return { status: response.status, code, name, errors };
  };
  const get = async (to: string) => bodyOf(await platform.request(to));

  it('a row can be replaced by the body of its GET, whatever the notation of its key in the path', async () => {
    const room = await get(`/rooms/${path}`);
    expect(room).toEqual({ code: stored, name: 'Hall' });
    expect(await send(`/rooms/${path}`, 'PUT', room)).toMatchObject({ status: 200, code: stored });
    expect(await send(`/rooms/${path}`, 'PATCH', { ...room, name: 'Hall 2' })).toMatchObject({
      status: 200,
      code: stored,
      name: 'Hall 2',
    });
    expect(await send(`/rooms/${path}`, 'PUT', { code: same, name: 'Hall 3' })).toMatchObject({
      status: 200,
      code: stored,
      name: 'Hall 3',
    });
    const seat = await get(`/seats/${path}/2`);
    expect(await send(`/seats/${path}/2`, 'PUT', { ...seat, name: 'Door' })).toMatchObject({
      status: 200,
      code: stored,
      name: 'Door',
    });
  });

  it('a body with the key of another row is refused, and one of no row', async () => {
    const refused = { status: 422, errors: [{ pointer: '/code', keyword: 'const' }] };
    expect(await send(`/rooms/${path}`, 'PUT', { code: 'Cd', name: 'X' })).toMatchObject(refused);
    expect(await send(`/rooms/${path}`, 'PATCH', { code: 'Zz', name: 'X' })).toMatchObject(refused);
    expect(await send('/rooms/Zz', 'PUT', { code: same, name: 'X' })).toMatchObject(refused);
    expect(await send(`/seats/${path}/2`, 'PUT', { code: same, seat: 1, name: 'X' })).toMatchObject({
      status: 422,
    });
    expect((await get('/rooms')).items).toHaveLength(2);
  });

  it('a decimal is the same key in any notation, and another one is refused', async () => {
    const rate = await get('/rates/1.5');
    expect(rate).toEqual({ rate: dialect === 'sqlite' ? '1.5' : '1.50', name: 'old' });
    for (const [at, to] of ['/rates/1.5', '/rates/1.50', '/rates/01.500'].entries()) {
      const response = await platform.request(to, sendJson({ ...rate, name: `name ${at}` }, 'PUT'));
      expect([response.status, await bodyOf(response)]).toEqual([200, { ...rate, name: `name ${at}` }]);
    }
    expect(await send('/rates/-2', 'PATCH', { rate: '-2.0', name: 'new' })).toMatchObject({ status: 200 });
    for (const other of ['1.05', '15', '-1.5', '1.51'])
      expect(await send('/rates/1.5', 'PATCH', { rate: other, name: 'X' })).toMatchObject({
        status: 422,
        errors: [{ pointer: '/rate', keyword: 'const' }],
      });
    const [created] = (await (
      await platform.request('/rates', sendJson([{ rate: '2.50', name: 'new' }], 'PUT'))
    ).json()) as readonly object[];
    expect(created).toMatchObject({ rate: dialect === 'sqlite' ? '2.5' : '2.50' });
    const twice = [{ rate: '1.5' }, { rate: '1.50' }];
    expect(await send('/rates', 'PUT', twice)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/1/rate', keyword: 'uniqueItems' }],
    });
  });

  it.each(['PUT', 'PATCH'])(
    'the items of a list may have their keys in any notation (%s)',
    async (method) => {
      const change = async (to: string, items: readonly object[]) => {
        const response = await platform.request(to, sendJson(items, method));
        const body: unknown = await response.json();
        return [response.status, body];
      };
      expect(await change('/counters', [{ id: '007', name: method }])).toEqual([
        200,
        [{ id: '7', name: method }],
      ]);
      expect(
        await change('/tickets', [{ event: `urn:uuid:${EVENT.toUpperCase()}`, number: '07', name: method }]),
      ).toEqual([200, [{ event: EVENT, number: '7', name: method }]]);
      const twice = [
        { id: '7', name: 'a' },
        { id: '07', name: 'b' },
      ];
      expect(await change('/counters', twice)).toMatchObject([
        422,
        { errors: [{ pointer: '/1/id', keyword: 'uniqueItems' }] },
      ]);
    },
  );
});
