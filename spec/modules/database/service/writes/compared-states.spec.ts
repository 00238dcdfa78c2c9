import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

const COLUMNS = { id: {}, name: {} };

onEachDatabase(({ it, dialect, start }) => {
  const tiny = dialect === 'sqlite' ? '1e-18' : '0.000000000000000001';
  let platform: TablePlatform;
  beforeAll(async () => {
    const service = (route: string, columns: object, others: object) => ({
      table_name: 'things',
      route: `/${route}[/:id]`,
      columns: { ...COLUMNS, ...columns },
      entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
      ...others,
    });
    platform = await start({
      script: `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, version INTEGER, at DOUBLE PRECISION, price NUMERIC(38, 18),
          doc JSON, note JSON);
        ${[1, 2, 3, 4]
          .flatMap((round) => [
            `INSERT INTO things VALUES (${round * 10}, 'a', NULL, 2460000.0, ${tiny}, '{}', '${tiny}');`,
            `INSERT INTO things VALUES (${round * 10 + 1}, 'a', 3, 2461372.9583333335, 5, '{}', '1e-30');`,
            `INSERT INTO things VALUES (${round * 10 + 2}, 'a', NULL, 1e-18, -${tiny}, '{}', '7');`,
            `INSERT INTO things VALUES (${round * 10 + 3}, 'a', 0, NULL, NULL, '{}', NULL);`,
          ])
          .join('\n')}`,
      services: {
        Hidden: service('hidden', {}, { revision: 'version' }),
        Shown: service('shown', { version: {} }, { revision: 'version' }),
        Real: service('real', {}, { revision: 'at' }),
        Hashed: service('hashed', { at: {}, price: {}, doc: {}, note: {} }, {}),
      },
    });
  }, 60_000);

  const write = async (path: string, method: string, body?: object) => {
    const tag = (await platform.request(path)).headers.get('etag') ?? '';
    const headers = { 'If-Match': tag };
    const init = body === undefined ? { method, headers } : sendJson(body, method, headers);
    return (await platform.request(path, init)).status;
  };

  it.each([
    ['hidden', 10],
    ['shown', 20],
    ['real', 30],
    ['hashed', 40],
  ])('a change of an unchanged row is made with its entity tag: /%s', async (service, first) => {
    for (let id = first; id < first + 4; id += 1) {
      const path = `/${service}/${id}`;
      expect([id, await write(path, 'PATCH', { name: 'b' })]).toEqual([id, 200]);
      expect([id, await write(path, 'PUT', { name: 'c' })]).toEqual([id, 200]);
      await platform.database.execute(
        { text: `UPDATE things SET at = 2460000.0, price = ${tiny} WHERE id = ${id}`, kind: 'write' },
        [],
      );
      expect([id, await write(path, 'DELETE')]).toEqual([id, 204]);
    }
  });

  it('a change of a row that has changed is refused', async () => {
    for (const service of ['hidden', 'shown']) {
      await platform.database.runScripts([`INSERT INTO things (id, name) VALUES (99, 'a')`]);
      const tag = (await platform.request(`/${service}/99`)).headers.get('etag') ?? '';
      expect(await write(`/${service}/99`, 'PATCH', { name: 'b' })).toBe(200);
      const again = await platform.request(
        `/${service}/99`,
        sendJson({ name: 'c' }, 'PATCH', { 'If-Match': tag }),
      );
      expect(again.status).toBe(412);
      expect(await write(`/${service}/99`, 'DELETE')).toBe(204);
    }
  });

  it('a value of JSON is merged next to numbers that are next to zero', async () => {
    await platform.database.runScripts([
      `INSERT INTO things VALUES (90, 'a', 1, 1e-18, ${tiny}, '{"a":1}', '${tiny}')`,
    ]);
    const response = await platform.request('/hashed/90', sendJson({ doc: { b: 2 } }, 'PATCH'));
    expect([response.status, (await bodyOf(response)).doc]).toEqual([200, { a: 1, b: 2 }]);
  });
});
