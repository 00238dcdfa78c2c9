import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { bodyOf, sendJson } from '../../../../../factories/http/requests';
import { writing } from '../../../../../factories/database/sqlite';
import { onEachDatabase, type TablePlatform } from '../../../../../factories/database/table-databases';

const MEMBERS = ['a', 'b', 'c', 'd', 'e', 'f'];

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE things (id INTEGER PRIMARY KEY, data JSON); INSERT INTO things VALUES (1, '{}')`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, data: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);

  const patch = (headers: Record<string, string>, member = 'z'): Promise<Response> =>
    platform.request('/things/1', sendJson({ data: { [member]: 1 } }, 'PATCH', headers));
  const read = (): Promise<Response> => platform.request('/things/1');

  it('patches of one JSON value that clients send at the same time are all merged', async () => {
    for (const headers of [{}, { 'If-Match': '*' }]) {
      await platform.database.runScripts([`UPDATE things SET data = '{}'`]);
      const made = await Promise.all(MEMBERS.map((member) => patch(headers, member)));
      expect(made.map(({ status }) => status)).toEqual(MEMBERS.map(() => 200));
      const { data } = await bodyOf(await read());
      expect(Object.keys(data as object).sort()).toEqual(MEMBERS);
    }
  });

  it('only one of the patches succeeds that expect the same state', async () => {
    const headers = { 'If-Match': (await read()).headers.get('etag') ?? '' };
    const made = await Promise.all(MEMBERS.map((member) => patch(headers, `new ${member}`)));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('a row that others change again and again is a conflict, or a failed precondition', async () => {
    // SQLite changes it before the statement that follows.
    if (dialect === 'postgres') return;
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      let round = 0;
      const change = (): void => {
        const text = `UPDATE things SET data = '{"round":${++round}}' WHERE id = 1`;
        void platform.database.execute(writing(text), []);
      };
      const onStatement = (message: unknown): void => {
        if ((message as { text: string }).text.startsWith('select')) change();
      };
      subscribe('apidesc:database:statement', onStatement);
      const { status } = await patch(headers);
      unsubscribe('apidesc:database:statement', onStatement);
      return status;
    };
    expect(await statusOf({})).toBe(409);
    expect(await statusOf({ 'If-Match': (await read()).headers.get('etag') ?? '' })).toBe(412);
  });
});
