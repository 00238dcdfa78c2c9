import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { sendJson } from '../../../../factories/http/requests';
import { writing } from '../../../../factories/database/sqlite';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const nocase = `CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);`;
    const service = (route: string, others = {}) => ({
      table_name: 'people',
      route: `/${route}[/:id]`,
      columns: { id: {}, name: {}, n: {}, doc: {} },
      entity: { GET: {}, PUT: {}, PATCH: {} },
      ...others,
    });
    platform = await start({
      script: `${dialect === 'postgres' ? nocase : ''}
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT COLLATE nocase, n INTEGER, doc JSON);
        INSERT INTO people VALUES (1, 'bob', 1, '{}'), (2, 'bob', 1, '{}'), (3, 'bob', 1, '{}')`,
      services: { Hashed: service('hashed'), Versioned: service('versioned', { revision: 'name' }) },
    });
  }, 60_000);

  /** The status of a request whose row another client changes between the read and the write of the request. */
  async function statusOf(path: string, init: RequestInit): Promise<number> {
    const change = writing(`UPDATE people SET name = 'BOB' WHERE id = ${path.slice(-1)}`);
    if (platform.postgres !== undefined) {
      const other = platform.postgres.adapter();
      let answer: Promise<Response> | undefined;
      await other.transaction(async (executor) => {
        await executor.execute(change, []);
        answer = platform.request(path, init);
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'update%'`;
        while ((await platform.database.execute({ text: waiting, kind: 'read' }, [])).length === 0)
          await delay(20);
      });
      return (await answer)?.status ?? 0;
    }
    const onStatement = (message: unknown): void => {
      if (!(message as { text: string }).text.startsWith('select')) return;
      unsubscribe('apidesc:database:statement', onStatement);
      void platform.database.execute(change, []);
    };
    subscribe('apidesc:database:statement', onStatement);
    return (await platform.request(path, init)).status;
  }

  it.each([
    ['/hashed/1', 'PUT', { name: 'bob', n: 2 }],
    ['/versioned/2', 'PUT', { name: 'bob', n: 2 }],
    ['/hashed/3', 'PATCH', { doc: { a: 1 } }],
  ])('%s: a %s does not undo a change that its collation does not see', async (path, method, body) => {
    const tag = (await platform.request(path)).headers.get('etag') ?? '';
    expect(await statusOf(path, sendJson(body, method, { 'If-Match': tag }))).toBe(412);
  });
});
