import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresAdapter } from '../../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { reading, rows } from '../../../../factories/database/sqlite';

const { describe, it } = withPrograms('postgres');

const SELECT = reading('SELECT 1 AS one');

describe('when PostgreSQL fails', () => {
  let server: PostgresServer;
  let adapter: PostgresAdapter;

  beforeAll(async () => {
    server = await PostgresServer.start();
    adapter = server.adapter({ pool: 3, statement_timeout: 1 });
  }, 60_000);
  afterAll(() => server.close());

  it('a stopped server is unavailable at once, and is used again after its start', async () => {
    await Promise.all([1, 2, 3].map(() => adapter.execute(SELECT, [])));
    const running = adapter.execute(reading('SELECT pg_sleep(10)'), []);
    const transaction = adapter.transaction(async (executor) => {
      await executor.execute(SELECT, []);
      await delay(200);
      return executor.execute(SELECT, []);
    });
    const failures = [running, transaction].map((failing) =>
      expect(failing).rejects.toMatchObject({ kind: 'unavailable' }),
    );
    await delay(100);
    await server.stop();
    await Promise.all(failures);
    await expect(adapter.execute(SELECT, [])).rejects.toMatchObject({
      name: 'DatabaseError',
      kind: 'unavailable',
    });
    await expect(adapter.introspect()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(adapter.transaction(() => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(adapter.stream(SELECT, [])[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(await adapter.explain(SELECT)).toEqual([]);
    expect(adapter.isAvailable).toBe(false);
    // Without a use: it is probed in the background.
    const available = new Promise<void>((resolve) => adapter.onAvailable(resolve));
    await server.start();
    await available;
    expect(await rows(adapter, SELECT.text)).toEqual([{ one: 1 }]);
  });

  it('a paused server exceeds the limits, and is used again when it continues', async () => {
    await Promise.all([1, 2, 3].map(() => adapter.execute(SELECT, [])));
    const pids = await rows(
      adapter,
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
    );
    const all = [server.pid, ...pids.map(({ pid }) => Number(pid))];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    // A paused server never responds: only the limits end these.
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => adapter.execute(SELECT, [])));
    for (const result of results)
      expect(result).toMatchObject({
        reason: {
          name: 'DatabaseError',
          kind: expect.stringMatching(/^(?:timeout|unavailable)$/) as unknown,
        },
      });
    for (const pid of all) process.kill(pid, 'SIGCONT');
    const end = Date.now() + 10_000;
    while (Date.now() < end) {
      const isUsable = await Promise.resolve(adapter.execute(SELECT, [])).then(
        () => true,
        () => false,
      );
      if (isUsable) break;
    }
    expect(await rows(adapter, SELECT.text)).toEqual([{ one: 1 }]);
    expect(adapter.isAvailable).toBe(true);
  });

  it('an idle connection that the server ends is replaced', async () => {
    const single = server.adapter({ pool: 1 });
    const [{ pid } = { pid: 0 }] = await rows(single, 'SELECT pg_backend_pid() AS pid');
    await rows(adapter, 'SELECT pg_terminate_backend($1)', Number(pid));
    await delay(100);
    expect(await rows(single, SELECT.text)).toEqual([{ one: 1 }]);
  });
});
