import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

const text = (length: number): string => 'x'.repeat(length);

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE things (id INTEGER PRIMARY KEY, data JSON);
        INSERT INTO things VALUES (1, '{}'), (2, '{"a":"${text(3000)}","b":1}')`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, data: {} },
          body_limit: 1000,
          collection: { PATCH: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);

  const patch = (id: number, data: object): Promise<Response> =>
    platform.request(`/things/${id}`, sendJson({ data }, 'PATCH'));

  it('a JSON value grows up to the size of a body, and not beyond it by several patches', async () => {
    expect((await patch(1, { a: text(600) })).status).toBe(200);
    const refused = await patch(1, { b: text(600) });
    expect([refused.status, (await bodyOf(refused)).errors]).toEqual([
      422,
      [
        {
          pointer: '/data',
          keyword: 'size',
          message: expect.stringMatching(
            /^would have 121\d bytes with the patch; at most 1000 are allowed$/,
          ) as unknown,
        },
      ],
    ]);
    const list = await platform.request('/things', sendJson([{ id: 1, data: { b: text(600) } }], 'PATCH'));
    expect([list.status, await bodyOf(list)]).toMatchObject([422, { errors: [{ pointer: '/0/data' }] }]);
    expect(await bodyOf(await platform.request('/things/1'))).toEqual({ id: 1, data: { a: text(600) } });
    expect((await patch(1, { a: null, b: text(600) })).status).toBe(200);
  });

  it('a larger value that is stored already can be reduced in steps', async () => {
    expect((await patch(2, { b: 23 })).status).toBe(422);
    expect((await patch(2, { b: null })).status).toBe(200);
    expect((await patch(2, { a: 'short' })).status).toBe(200);
  });
});
