import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Probe } from '../../../../../../src/modules/database/adapters/database-error';
import { PostgresAdapter } from '../../../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { PostgresServer } from '../../../../../factories/database/postgres';
import { SilentNetwork } from '../../../../../factories/database/silent-network';
import { reading, rows, writing } from '../../../../../factories/database/sqlite';
import { withPrograms } from '../../../../../factories/processes/programs';
import { until } from '../../../../../factories/until';

const { describe, it } = withPrograms('postgres');

const PID = 'SELECT pg_backend_pid() AS pid';
const SLEEP = reading('SELECT pg_sleep(30)');
const NEGATIVE = writing('INSERT INTO prices (amount) VALUES (-1)');
const LARGE = writing('INSERT INTO prices (amount) VALUES (1000)');

/** Executes a query on the connection that reads about failed statements. */
async function probeOf(adapter: PostgresAdapter): Promise<Probe> {
  const error = await adapter
    .execute(reading('SELECT CAST($1 AS integer)'), ['many'])
    .catch((failed: unknown) => failed);
  const { probe } = error as { readonly probe: Probe };
  return probe;
}

const cancelOne = (adapter: PostgresAdapter): Promise<unknown> =>
  expect(adapter.execute(SLEEP, [], { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    kind: 'timeout',
  });

describe('the connections to PostgreSQL', () => {
  let server: PostgresServer;
  let network: SilentNetwork;
  let url: string;

  beforeAll(async () => {
    server = await PostgresServer.start();
    await server
      .adapter()
      .runScripts([
        'CREATE TABLE prices (amount integer CONSTRAINT positive CHECK (amount > 0) CONSTRAINT small CHECK (amount < 100))',
      ]);
    network = new SilentNetwork(server.port);
    url = await network.open();
  }, 60_000);
  afterAll(async () => {
    network.close();
    await server.close();
  });

  it('replace the one that reads about failed statements when it is silent', async () => {
    const adapter = new PostgresAdapter({ url, pool: 1, statement_timeout: 1 });
    await (
      await probeOf(adapter)
    )("SELECT 'about'", []);
    expect(network.silence("'about'")).toBe(1);
    await expect(adapter.execute(NEGATIVE, [])).rejects.toMatchObject({ kind: 'check', columns: [] });
    await expect(adapter.execute(LARGE, [])).rejects.toMatchObject({ kind: 'check', columns: ['amount'] });
    await adapter.close();
  });

  it('are closed while the one that reads about failed statements is silent', async () => {
    const adapter = new PostgresAdapter({ url, pool: 1, statement_timeout: 1 });
    const probe = await probeOf(adapter);
    await probe("SELECT 'first'", []);
    expect(network.silence("'first'")).toBe(1);
    const silent = expect(probe("SELECT 'second'", [])).rejects.toMatchObject({ kind: 'timeout' });
    await until(() => network.silence("'second'") === 1);
    await adapter.close();
    await silent;
  });

  it('are free while a query about their failed statement waits', async () => {
    const single = server.adapter({ pool: 1, statement_timeout: 60 });
    const probe = await probeOf(single);
    for (const fail of [
      () => single.execute(NEGATIVE, []),
      () => single.transaction(async (executor) => executor.execute(LARGE, [])),
    ]) {
      let isBusy = true;
      const busy = Promise.resolve(probe('SELECT pg_sleep(2)', [])).finally(() => (isBusy = false));
      const failure = expect(fail()).rejects.toMatchObject({ kind: 'check', columns: ['amount'] });
      expect(await rows(single, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(isBusy).toBe(true);
      await Promise.all([busy, failure]);
    }
  });

  it('replace the one that cancels statements when it is silent', async () => {
    const adapter = new PostgresAdapter({ url, pool: 1, statement_timeout: 60 });
    await cancelOne(adapter);
    const [first] = await rows(adapter, PID);
    expect(network.silence('pg_cancel_backend')).toBe(1);
    await cancelOne(adapter);
    const [second] = await rows(adapter, PID);
    // The statement could not be cancelled.
    expect(second).not.toEqual(first);
    await cancelOne(adapter);
    expect(await rows(adapter, PID)).toEqual([second]);
    await adapter.close();
  });

  it('cancel a statement also where the server accepts no more of them', async () => {
    await rows(server.adapter(), 'CREATE ROLE few LOGIN CONNECTION LIMIT 2');
    const adapter = new PostgresAdapter({ url: server.url().replace('admin:secret', 'few'), pool: 1 });
    const unavailable: boolean[] = [];
    adapter.onAvailable(() => unavailable.push(true));
    const before = await rows(adapter, PID);
    await (
      await probeOf(adapter)
    )('SELECT 1', []);
    await cancelOne(adapter);
    expect(await rows(adapter, PID)).toEqual(before);
    expect([adapter.isAvailable, unavailable]).toEqual([true, []]);
    await adapter.close();
  });

  it('are opened and become free while the process is busy for longer than a statement may take', async () => {
    const adapter = server.adapter({ pool: 1, statement_timeout: 1 });
    const busy = async (): Promise<void> => {
      await nextTurn();
      const end = Date.now() + 1020;
      while (Date.now() < end);
    };
    const opened = adapter.execute(reading('SELECT 1 AS one'), []);
    await busy();
    expect(await opened).toEqual([{ one: 1 }]);
    const using = adapter.execute(reading('SELECT pg_sleep(0.3)'), []);
    const waiting = adapter.execute(reading('SELECT 2 AS two'), []);
    await busy();
    expect(await waiting).toEqual([{ two: 2 }]);
    await using;
    expect(adapter.isAvailable).toBe(true);
  });

  it('are reported when the server does not respond while they are opened', async () => {
    const silent = new SilentNetwork(server.port);
    const silentUrl = await silent.open();
    const adapter = new PostgresAdapter({ url: silentUrl, pool: 1, statement_timeout: 0.5 });
    silent.isSilent = true;
    await expect(adapter.execute(reading('SELECT 1'), [])).rejects.toMatchObject({ kind: 'unavailable' });
    await until(() => adapter.isAvailable === false);
    silent.isSilent = false;
    await until(() => adapter.isAvailable === true);
    await adapter.close();
    silent.close();
  });
});
