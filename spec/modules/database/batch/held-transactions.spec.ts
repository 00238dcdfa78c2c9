import type { SqlExecutor } from '../../../../src/modules/database/adapters/database-adapter';
import { DatabaseError } from '../../../../src/modules/database/adapters/database-error';
import { SqliteAdapter } from '../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

/** Takes some tenths of a second, and is true. */
const SLOW = {
  sqlite:
    '(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n) > :value',
  postgres: '(SELECT pg_sleep(0.3)) IS NOT NULL AND :value::int = 0',
};

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes VALUES (1, 'a');`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {} },
          filters: { text: ['eq'] },
          sql_filters: {
            slow: { description: 'Slow.', where: SLOW[dialect], schema: { type: 'integer' } },
          },
          collection: { GET: { sort: ['id'] }, POST: {} },
          entity: { PATCH: {} },
        },
      },
      options: { statement_timeout: 2 },
    });
  }, 60_000);

  const read = { method: 'GET', path: '/notes?slow=0&page_size=1' };
  const patch = { method: 'PATCH', path: '/notes/1', body: { text: 'b' } };
  const send = (operations: readonly object[]): Promise<Response> =>
    platform.request('/platform/batch', sendJson({ operations }));

  it('a batch is rolled back if it continues after a write for longer than a statement may take', async () => {
    const response = await send([patch, ...Array.from({ length: 40 }, () => read)]);
    const body = await bodyOf(response);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(body.detail).toMatch(/^Operation \d+ failed, and nothing was changed: /);
    const { items } = await bodyOf(await platform.request('/notes?text.eq=a'));
    expect(items).toHaveLength(1);
    // The next one can write.
    expect((await send([patch, read])).status).toBe(200);
  }, 60_000);

  if (dialect === 'postgres')
    it('what a batch reads before its first write takes any time within that of the operation', async () => {
      expect((await send([...Array.from({ length: 8 }, () => read), patch, read])).status).toBe(200);
    }, 60_000);

  it('a transaction that does nothing after a write ends too', async () => {
    const adapter =
      platform.postgres?.adapter({ pool: 1, statement_timeout: 2 }) ??
      new SqliteAdapter({ file: platform.database.target, statement_timeout: 2 });
    const write = { text: "UPDATE notes SET text = 'c'", kind: 'write' } as const;
    let own: SqlExecutor | undefined;
    const failed: unknown = await adapter
      .transaction(
        async (executor) => {
          own = executor;
          await executor.execute(write, []);
          await new Promise(() => undefined);
        },
        { bound: 'writes' },
      )
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DatabaseError);
    expect(failed).toMatchObject({ kind: 'timeout' });
    await expect(async () => own?.execute(write, [])).rejects.toBe(failed);
    const others = { text: "SELECT count(*) AS count FROM notes WHERE text = 'c'", kind: 'read' } as const;
    expect((await adapter.execute(others, [])).map(({ count }) => Number(count))).toEqual([0]);
    await adapter.close();
  }, 60_000);
});
