import { bodyOf, sendJson } from '../../../../../factories/http/requests';
import { onEachDatabase } from '../../../../../factories/database/table-databases';
import { START_TIMEOUT_MS } from '../../../../../factories/test-timeout';
import { until } from '../../../../../factories/until';

onEachDatabase(({ it, dialect, start }) => {
  it('batches that change the same rows in opposite order all succeed', async () => {
    const platform = await start({
      script: `CREATE TABLE accounts (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
        INSERT INTO accounts VALUES (1, 0), (2, 0);`,
      services: {
        Account: {
          table_name: 'accounts',
          route: '/accounts[/:id]',
          columns: { id: {}, amount: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    const batch = (amount: number, ids: readonly number[]): Promise<Response> =>
      platform.request(
        '/platform/batch',
        sendJson({
          operations: ids.map((id) => ({ method: 'PATCH', path: `/accounts/${id}`, body: { amount } })),
        }),
      );
    for (let round = 1; round <= 5; round++) {
      const responses = await Promise.all([
        batch(round, [1, 2]),
        batch(-round, [2, 1]),
        batch(100 + round, [1, 2]),
        batch(-100 - round, [2, 1]),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [one, two] = await Promise.all(
        [1, 2].map(async (id) => (await bodyOf(await platform.request(`/accounts/${id}`))).amount),
      );
      // One batch after the other.
      expect(one).toBe(two);
    }
  }, 120_000);

  it('many batches that change the same rows in opposite order all succeed', async () => {
    const { request } = await start({
      script: `CREATE TABLE counters (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
        INSERT INTO counters VALUES (1, 0), (2, 0);`,
      services: {
        Counter: {
          table_name: 'counters',
          route: '/counters[/:id]',
          columns: { id: {}, amount: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    for (let round = 1; round <= 3; round++) {
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, at) => {
          const ids = at % 2 === 0 ? [1, 2] : [2, 1];
          const operations = ids.map((id) => ({
            method: 'PATCH',
            path: `/counters/${id}`,
            body: { amount: at },
          }));
          return request('/platform/batch', sendJson({ operations }));
        }),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    }
  }, 120_000);

  if (dialect !== 'postgres') return;

  it(
    'a batch or list waits for locks again and again, and is a conflict in the end',
    async () => {
      const { request, database, postgres } = await start({
        // Before it waits for a row, a statement does something else, as it does on a busy machine.
        script: `CREATE TABLE locks (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL); INSERT INTO locks VALUES (1, 0), (2, 0);
          CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END';
          CREATE TRIGGER pause BEFORE UPDATE ON locks FOR EACH STATEMENT EXECUTE FUNCTION pause();`,
        services: {
          Lock: {
            table_name: 'locks',
            route: '/locks[/:id]',
            columns: { id: {}, amount: {} },
            entity: { GET: {}, PATCH: {} },
            collection: { PATCH: {} },
          },
        },
        options: { statement_timeout: 1, pool: 20 },
      });
      const body = { amount: 1 };
      const requests = {
        batch: () =>
          request('/platform/batch', sendJson({ operations: [{ method: 'PATCH', path: '/locks/1', body }] })),
        list: () => request('/locks', sendJson([{ id: 1, ...body }], 'PATCH')),
        write: () => request('/locks/1', sendJson(body, 'PATCH')),
      };
      const holder = postgres?.adapter({ pool: 1, statement_timeout: 60 });
      const waiting = {
        text: "SELECT xact_start::text AS begin FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%locks%'",
        kind: 'read',
      } as const;
      /** Waits until a number of transactions, one after the other, have waited for the lock. */
      async function waited(transactions: number): Promise<void> {
        const begins = new Set<unknown>();
        await until(async () => {
          for (const { begin } of await database.execute(waiting, [])) begins.add(begin);
          return begins.size >= transactions;
        });
      }
      /** The status of a request while another transaction has locked the row, until some have waited or it has ended. */
      async function statusWhileLocked(
        send: () => Promise<Response>,
        transactions?: number,
      ): Promise<unknown> {
        const [status] = await statusesWhileLocked([send], transactions);
        return status;
      }
      async function statusesWhileLocked(
        sends: readonly (() => Promise<Response>)[],
        transactions?: number,
      ): Promise<readonly unknown[]> {
        let sent: Promise<readonly Response[]> | undefined;
        await holder?.transaction(async (executor) => {
          await executor.execute({ text: 'UPDATE locks SET amount = 2 WHERE id = 1', kind: 'write' }, []);
          sent = Promise.all(sends.map((send) => send()));
          await (transactions === undefined ? sent : waited(transactions));
        });
        const responses = (await sent) ?? [];
        return responses.map(({ status, headers }) => [status, headers.get('retry-after')]);
      }
      // Two of them wait as long as a statement may take.
      expect(await statusWhileLocked(requests.batch, 3)).toEqual([200, null]);
      expect(await statusWhileLocked(requests.list, 3)).toEqual([200, null]);
      expect(await statusWhileLocked(requests.batch)).toEqual([409, null]);
      expect(await statusWhileLocked(requests.list)).toEqual([409, null]);
      // Of many, the last ones do not wait until all before them were repeated.
      const many = Array.from({ length: 20 }, () => requests.batch);
      // Each has a connection: to wait for one, or to open it, may take longer on a busy machine than a statement may.
      await until(async () => {
        const reads = await Promise.all(many.map(() => request('/locks/1')));
        return reads.every(({ status }) => status === 200);
      });
      expect(await statusesWhileLocked(many)).toEqual(many.map(() => [409, null]));
      expect(await statusWhileLocked(requests.write)).toEqual([503, '2']);
      const rows = await database.execute({ text: 'SELECT amount FROM locks ORDER BY id', kind: 'read' }, []);
      expect(rows).toEqual([{ amount: 2 }, { amount: 0 }]);
    },
    START_TIMEOUT_MS,
  );
});
