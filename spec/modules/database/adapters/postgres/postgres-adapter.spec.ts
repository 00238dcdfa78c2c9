import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from '../../../../../src/framework';
import { PostgresAdapter } from '../../../../../src/modules/database/adapters/postgres/postgres-adapter';
import type { Probe } from '../../../../../src/modules/database/adapters/database-error';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { eachRow, reading, rows, writing } from '../../../../factories/database/sqlite';
import { until } from '../../../../factories/until';

const { describe, it } = withPrograms('postgres');

const INSERT = writing('INSERT INTO products (name, price) VALUES ($1, $2) RETURNING id, name');
const NAMES = 'SELECT name FROM products ORDER BY id';
const SLEEP = reading('SELECT pg_sleep(30)');

describe('the adapter of PostgreSQL', () => {
  let server: PostgresServer;
  let adapter: PostgresAdapter;

  beforeAll(async () => {
    server = await PostgresServer.start();
    adapter = server.adapter();
  }, 60_000);
  beforeEach(async () => {
    await adapter.runScripts([
      `DROP TABLE IF EXISTS products;
       CREATE TABLE products (id serial PRIMARY KEY, name text NOT NULL UNIQUE, price integer NOT NULL CHECK (price >= 0))`,
    ]);
  });
  afterAll(() => server.close());

  it('is named by host, port and database, without the password', () => {
    expect(adapter.target).toBe(`127.0.0.1:${server.port}/postgres`);
    expect(adapter.isAvailable).toBe(true);
  });

  it('keeps the rows of a page only, also of a prepared statement', async () => {
    const page = {
      ...reading("SELECT n, repeat('x', $1::int) AS text FROM generate_series(1, $2::int) n ORDER BY n"),
      isPage: true,
    };
    for (const [length, count, kept] of [
      [1_000_000, 10, 5],
      [5_000_000, 4, 2],
      [10, 100, 100],
      [1_000_000, 10, 5],
    ] as const) {
      const read = await adapter.execute(page, [length, count]);
      expect(read.map(({ n }) => n)).toEqual(Array.from({ length: kept }, (_, at) => at + 1));
    }
    await expect(adapter.execute(page, ['x', 1])).rejects.toMatchObject({ kind: 'invalid_value' });
    expect(await adapter.execute(page, [1, 3])).toHaveLength(3);
  });

  it('reports the error of a page, also with a time limit of the driver', async () => {
    const limited = new PostgresAdapter({ url: `${server.url()}?query_timeout=60000` });
    const page = { ...reading('SELECT 1 / (3 - n) AS a FROM generate_series(1, 5) n'), isPage: true };
    for (const one of [adapter, limited])
      await expect(one.execute(page, [])).rejects.toMatchObject({ kind: 'invalid_value' });
    expect(await limited.execute({ ...reading('SELECT 1 AS a'), isPage: true }, [])).toEqual([{ a: 1 }]);
    await limited.close();
  });

  it('executes statements with parameters, repeatedly', async () => {
    expect(await adapter.execute(INSERT, ['Globe', 10])).toEqual([{ id: 1, name: 'Globe' }]);
    expect(await adapter.execute(INSERT, ["Robert'); DROP TABLE products; --", 10])).toHaveLength(1);
    expect(await rows(adapter, NAMES)).toHaveLength(2);
  });

  it('returns small numbers, booleans and bytes as values, and all else as the text of PostgreSQL', async () => {
    const text = `SELECT 1::smallint AS small, 2 AS int, 0.5::real AS real, 1e300::float8 AS double, true AS yes,
      '\\xff00'::bytea AS bytes, 9007199254740993 AS big, 1.10::numeric AS exact, '2024-02-29'::date AS day,
      '{"a": [1]}'::json AS json, ARRAY['a', NULL] AS list, NULL AS nothing`;
    expect(await rows(adapter, text)).toEqual([
      {
        small: 1,
        int: 2,
        real: 0.5,
        double: 1e300,
        yes: true,
        bytes: Buffer.from([255, 0]),
        big: '9007199254740993',
        exact: '1.10',
        day: '2024-02-29',
        json: '{"a": [1]}',
        list: '{a,NULL}',
        nothing: null,
      },
    ]);
  });

  it.each([
    ['', '1min', 'public'],
    ['?options=-c%20TimeZone%3DEurope/Berlin%20-c%20search_path%3Dother,public', '1min', 'other'],
    ['?application_name=x&options=--search_path%3Dother', '1min', 'other'],
  ])('has sessions in UTC, with the options of the URL: %s', async (options, timeout, schema) => {
    await adapter.runScripts(['CREATE SCHEMA IF NOT EXISTS other']);
    const own = new PostgresAdapter({ url: server.url() + options, statement_timeout: 60 });
    const settings = `SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout, current_schema() AS schema`;
    expect(await rows(own, settings)).toEqual([{ zone: 'UTC', timeout, schema }]);
    await own.close();
  });

  it('prepares a statement again after its table has changed', async () => {
    const statement = reading('SELECT * FROM products');
    const single = server.adapter({ pool: 1 });
    await single.execute(INSERT, ['Globe', 10]);
    await single.execute(statement, []);
    // Prepared from the second time on.
    await single.execute(statement, []);
    await adapter.runScripts(['ALTER TABLE products ADD COLUMN maker text']);
    expect(await single.execute(statement, [])).toEqual([{ id: 1, name: 'Globe', price: 10, maker: null }]);
  });

  describe('transactions', () => {
    it('are committed when their action ends', async () => {
      const result = await adapter.transaction(async (executor) => {
        await executor.execute(INSERT, ['Globe', 1]);
        expect(await rows(adapter, NAMES)).toEqual([]);
        return executor.execute(reading(NAMES), []);
      });
      expect(result).toEqual([{ name: 'Globe' }]);
      expect(await rows(adapter, NAMES)).toEqual([{ name: 'Globe' }]);
    });

    it('are rolled back when their action throws, and execute nothing afterwards', async () => {
      const failure = new Error('changed my mind');
      let late: unknown;
      const transaction = adapter.transaction(async (executor) => {
        await executor.execute(INSERT, ['Globe', 1]);
        late = executor;
        throw failure;
      });
      await expect(transaction).rejects.toBe(failure);
      const executor = late as PostgresAdapter;
      await expect(executor.execute(INSERT, ['Map', 1])).rejects.toMatchObject({ kind: 'unknown' });
      expect(await rows(adapter, NAMES)).toEqual([]);
    });

    it('execute nothing after their action has ended, also before they are committed', async () => {
      let late: Promise<unknown> | undefined;
      await adapter.transaction(async (executor) => {
        await executor.execute(INSERT, ['Globe', 1]);
        // COMMIT has been sent then, and no response can have been read.
        late = nextTurn().then(() => executor.execute(INSERT, ['Map', 1]));
        late.catch(() => undefined);
      });
      await expect(late).rejects.toMatchObject({ kind: 'unknown', message: 'The transaction has ended.' });
      expect(await rows(adapter, NAMES)).toEqual([{ name: 'Globe' }]);
    });

    it('are rolled back when a statement failed, even if their action continues', async () => {
      const transaction = adapter.transaction(async (executor) => {
        await executor.execute(INSERT, ['Globe', 1]);
        await Promise.resolve(executor.execute(INSERT, ['Globe', 1])).catch(() => undefined);
      });
      await expect(transaction).rejects.toMatchObject({ kind: 'unique' });
      expect(await rows(adapter, NAMES)).toEqual([]);
    });
  });

  describe('limits', () => {
    it('cancel a statement that exceeds the time limit, and its connection is used again', async () => {
      const limited = server.adapter({ pool: 1, statement_timeout: 0.3 });
      await expect(limited.execute(SLEEP, [])).rejects.toMatchObject({ kind: 'timeout' });
      expect(await rows(limited, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('are longer for reading the tables before requests are served, which may be slow on a busy machine', async () => {
      const limited = server.adapter({ pool: 1, statement_timeout: 1 });
      const observer = server.adapter({ pool: 1 });
      const waiting =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '2 s'";
      let isOver = false;
      const started = await adapter.transaction(async (executor) => {
        await executor.execute(writing('LOCK TABLE pg_description IN ACCESS EXCLUSIVE MODE'), []);
        const introspection = limited.introspect({ mayBlock: true }).finally(() => (isOver = true));
        introspection.catch(() => undefined);
        await until(async () => isOver || (await rows(observer, waiting)).length > 0);
        return { introspection };
      });
      expect(Object.keys((await started.introspection).tables)).toContain('products');
      expect(await rows(limited, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '1s' }]);
    });

    it('are those of statements for reading the tables while requests are served', async () => {
      const limited = server.adapter({ pool: 1, statement_timeout: 0.3 });
      await adapter.transaction(async (executor) => {
        await executor.execute(writing('LOCK TABLE products IN ACCESS EXCLUSIVE MODE'), []);
        await expect(limited.introspect()).rejects.toMatchObject({ kind: 'timeout' });
      });
    });

    it('cancel a statement on the server when its signal aborts', async () => {
      const single = server.adapter({ pool: 1 });
      const [before] = await rows(single, 'SELECT pg_backend_pid() AS pid');
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const limits = { signal: controller.signal };
      await expect(single.execute(SLEEP, [], limits)).rejects.toMatchObject({ kind: 'timeout' });
      await expect(single.execute(INSERT, ['Globe', 1], limits)).rejects.toMatchObject({ kind: 'timeout' });
      // It waits for the end of the statement.
      expect(await rows(single, 'SELECT pg_backend_pid() AS pid')).toEqual([before]);
      const running =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)'";
      expect(await rows(single, running)).toEqual([{ n: 0 }]);
    });

    it('cancel a statement while queries about failed statements are executed', async () => {
      const single = server.adapter({ pool: 1, statement_timeout: 60 });
      const [before] = await rows(single, 'SELECT pg_backend_pid() AS pid');
      const error = await single
        .execute(reading('SELECT CAST($1 AS integer)'), ['many'])
        .catch((failed: unknown) => failed);
      const { probe } = error as { readonly probe: Probe };
      let isBusy = true;
      const busy = Promise.resolve(probe('SELECT pg_sleep(3)', [])).finally(() => (isBusy = false));
      const signal = AbortSignal.timeout(100);
      await expect(single.execute(SLEEP, [], { signal })).rejects.toMatchObject({ kind: 'timeout' });
      expect(await rows(single, 'SELECT pg_backend_pid() AS pid')).toEqual([before]);
      expect([isBusy, single.isAvailable]).toEqual([true, true]);
      await busy;
    });

    it('roll back a transaction whose statement is cancelled', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const transaction = adapter.transaction(
        async (executor) => {
          await executor.execute(INSERT, ['Globe', 1]);
          await executor.execute(SLEEP, []);
        },
        { signal: controller.signal },
      );
      await expect(transaction).rejects.toMatchObject({ kind: 'timeout' });
      expect(await rows(adapter, NAMES)).toEqual([]);
    });

    it('end the wait for a connection when all are in use', async () => {
      const small = server.adapter({ pool: 2, statement_timeout: 0.5 });
      const held = [1, 2].map(() => small.transaction(() => delay(1500)));
      await delay(100);
      await expect(small.execute(reading('SELECT 1'), [])).rejects.toMatchObject({ kind: 'unavailable' });
      // The database is well.
      expect(small.isAvailable).toBe(true);
      await Promise.all(held);
      expect(await rows(small, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  describe('streams', () => {
    const numbers = (count: number): ReturnType<typeof reading> =>
      reading(`SELECT generate_series(1 + $1::int, ${count}) AS i`);

    it('return all rows in their order', async () => {
      const found: unknown[] = [];
      for await (const { i } of eachRow(adapter.stream(numbers(2500), [500]))) found.push(i);
      expect(found).toEqual(Array.from({ length: 2000 }, (_, index) => index + 501));
    });

    it('release their connection when they are left, fail or are aborted', async () => {
      const single = server.adapter({ pool: 1 });
      for await (const { i } of eachRow(single.stream(numbers(1e9), [0]))) if (i === 700) break;
      const controller = new AbortController();
      const read = async (text: string): Promise<void> => {
        for await (const row of eachRow(single.stream(reading(text), [], { signal: controller.signal })))
          if (row.i === 700) controller.abort();
      };
      await expect(read('SELECT * FROM missing')).rejects.toMatchObject({ kind: 'schema' });
      await expect(read(numbers(1e9).text.replace('$1::int', '0'))).rejects.toMatchObject({
        kind: 'timeout',
      });
      expect(await rows(single, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  it('ends the session of a script that fails, with its locks', async () => {
    const single = server.adapter({ pool: 1 });
    const scripts = ['SELECT pg_advisory_lock(5)', 'SELECT 1 / 0'];
    await expect(single.runScripts(scripts)).rejects.toMatchObject({ name: 'ScriptError', script: 1 });
    const locks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 5";
    await until(async () => (await rows(single, locks)).length === 0);
  });

  it('runs scripts in one transaction, and those of several processes one after the other', async () => {
    const scripts = ["INSERT INTO products (name, price) VALUES ('a', 1)", 'INSERT INTO missing VALUES (1)'];
    await expect(adapter.runScripts(scripts)).rejects.toMatchObject({ kind: 'schema' });
    expect(await rows(adapter, NAMES)).toEqual([]);
    const next =
      'INSERT INTO products (name, price) SELECT count(*)::text, 1 FROM products; SELECT pg_sleep(0.1)';
    await Promise.all([1, 2, 3].map(() => server.adapter().runScripts([next])));
    expect(await rows(adapter, NAMES)).toEqual([{ name: '0' }, { name: '1' }, { name: '2' }]);
  });

  it('explains which index serves a statement, also for a small table', async () => {
    const lines = await adapter.explain(reading('SELECT * FROM products WHERE name = $1'));
    expect(lines.join('\n')).toContain('products_name_key');
    expect((await adapter.explain(reading('SELECT * FROM products WHERE price = $1'))).join()).toContain(
      'Seq Scan',
    );
    await expect(adapter.explain(reading('SELECT * FROM missing'))).rejects.toMatchObject({ kind: 'schema' });
  });
});

test.each(['postgres://user:secret@host:port/db', 'postgres://[secret'])(
  'the URL %s is refused without being repeated',
  (url) => {
    expect(() => new PostgresAdapter({ url })).toThrow(ConfigurationError);
    expect(() => new PostgresAdapter({ url })).not.toThrow('secret');
  },
);
