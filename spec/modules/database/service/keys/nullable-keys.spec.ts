import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: 'CREATE TABLE rooms (code VARCHAR(9) UNIQUE, name VARCHAR(9))',
      services: {
        Room: {
          table_name: 'rooms',
          route: '/rooms[/:code]',
          route_identifier_name: 'code',
          columns: { code: {}, name: {} },
          collection: { GET: {}, POST: {}, PUT: {} },
          entity: { GET: {}, PUT: {} },
        },
      },
    });
  }, 60_000);

  it.each<[method: string, body: object, pointer: string]>([
    ['POST', { code: null, name: 'Hall' }, '/code'],
    ['POST', [{ code: 'a' }, { code: null, name: 'Hall' }], '/1/code'],
    ['PUT', [{ code: null, name: 'Hall' }], '/0/code'],
  ])('creates no entity with null in place of its identifier: %s %j', async (method, body, pointer) => {
    const response = await platform.request('/rooms', sendJson(body, method));
    expect(response.status).toBe(422);
    expect((await bodyOf(response)).errors).toMatchObject([{ pointer }]);
    expect(await bodyOf(await platform.request('/rooms'))).toMatchObject({ items: [] });
  });

  it('takes null for no text in the body of an entity', async () => {
    const response = await platform.request('/rooms/null', sendJson({ code: null, name: 'Hall' }, 'PUT'));
    expect(response.status).toBe(422);
    expect((await bodyOf(response)).errors).toMatchObject([{ pointer: '/code' }]);
  });

  it('warns about a column that may be null and identifies an entity', () => {
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('"code" identifies an entity, and may be null in rooms') as unknown,
    );
  });
});
