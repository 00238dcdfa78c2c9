import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../../src/framework';
import { PostgresAdapter } from '../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { sendJson } from '../../../factories/http/requests';
import { rows } from '../../../factories/database/sqlite';
import { startTables } from '../../../factories/database/table-databases';
import type { TestPlatform } from '../../../factories/platform';
import { until } from '../../../factories/until';

const { describe, it } = withPrograms('postgres');

const service: ConfigObject = {
  table_name: 'things',
  route: '/things[/:id]',
  columns: { id: {}, name: {} },
  filters: { name: ['eq'] },
  collection: { GET: { sort: ['name'] }, POST: {} },
  entity: { GET: {}, PATCH: {}, DELETE: {} },
};
/** A view whose rows take longer than the tests may. */
const slow: ConfigObject = {
  table_name: 'slow_things',
  route: '/slow[/:id]',
  columns: { id: {} },
  entity: { GET: {} },
};
const TABLES = `CREATE TABLE things (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT);
  INSERT INTO things (name) VALUES ('one');
  CREATE VIEW slow_things AS SELECT id, pg_sleep(600)::text AS pause FROM things;`;

const UNKNOWN = 'It is not known whether the change was made. Read the data before you repeat the request.';

/** A connection to a server that is lost when the server has sent a text. */
class Wire {
  readonly #server: Server;
  cut: string | undefined;

  constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      client.pipe(upstream);
      upstream.on('data', (data) => {
        if (this.cut !== undefined && data.includes(this.cut)) client.destroy();
        else client.write(data);
      });
      client.on('error', () => undefined).on('close', () => upstream.destroy());
      upstream.on('error', () => undefined).on('close', () => client.destroy());
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `postgres://admin:secret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/postgres`;
  }

  close(): void {
    this.#server.close();
  }
}

/** Requests of several clients, without a pause, until they are ended. */
class Load {
  readonly #platform: TestPlatform;
  readonly #clients: readonly Promise<void>[];
  /** Statuses of the responses since the last look, and whether each unavailable one says when to retry, unless the outcome is unknown. */
  #statuses: number[] = [];
  #isRunning = true;
  hasRetryAfter = true;

  constructor(platform: TestPlatform) {
    this.#platform = platform;
    this.#clients = Array.from({ length: 4 }, (_, at) => this.#run(at));
  }

  /** The statuses since the last call, each once. */
  take(): readonly number[] {
    return [...new Set(this.#statuses.splice(0))].sort();
  }

  /** Waits for a response of a status. */
  async until(status: number): Promise<void> {
    while (!this.#statuses.includes(status)) await delay(5);
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
  }

  async #run(client: number): Promise<void> {
    const requests: readonly [path: string, init?: RequestInit][] = [
      ['/things/1'],
      ['/things?name.eq=one&count=exact'],
      ['/things', sendJson({ name: 'more' })],
      [
        '/platform/batch',
        sendJson({ operations: [{ method: 'POST', path: '/things', body: { name: 'more' } }] }),
      ],
    ];
    for (let at = client; this.#isRunning; at++) {
      const [path = '', init] = requests[at % requests.length] ?? [];
      const response = await this.#platform.request(path, init);
      const text = await response.text();
      this.#statuses.push(response.status);
      if (response.status === 503 && !text.includes(UNKNOWN))
        this.hasRetryAfter &&= response.headers.get('retry-after') === '2';
      // An answer at once must not keep the processor from the database.
      await delay(response.status === 503 ? 20 : 2);
    }
  }
}

describe('a service over a table of PostgreSQL', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  let load: Load;

  const start = (options: ConfigObject): Promise<TestPlatform> =>
    startTables(
      { services: { Thing: service, Slow: slow }, options },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );

  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([TABLES]);
    platform = await start({ pool: 3, statement_timeout: 1 });
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  describe('under load', () => {
    beforeEach(async () => {
      load = new Load(platform);
      await load.until(201);
    });
    afterEach(() => load.end());

    it('responds with 503 while the database is stopped, and recovers', async () => {
      await server.stop();
      await load.until(503);
      load.take();
      await delay(500);
      expect(load.take()).toEqual([503]);
      await server.start();
      load.take();
      await load.until(201);
      // Statements that were sent before may still fail.
      await delay(300);
      load.take();
      await delay(300);
      await load.until(200);
      await load.until(201);
      expect(load.take()).toEqual([200, 201]);
      expect(load.hasRetryAfter).toBe(true);
    }, 30_000);

    it('responds with 503 while the database is paused, and recovers', async () => {
      const found = await rows(
        server.adapter({ pool: 1 }),
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
      );
      const processes = [server.pid, ...found.map(({ pid }) => Number(pid))];
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      await load.until(503);
      load.take();
      await delay(2500);
      expect(load.take()).toEqual([503]);
      for (const pid of processes) process.kill(pid, 'SIGCONT');
      load.take();
      await load.until(201);
      await delay(1500);
      load.take();
      await delay(300);
      await load.until(200);
      await load.until(201);
      expect(load.take()).toEqual([200, 201]);
      expect(load.hasRetryAfter).toBe(true);
    }, 30_000);
  });

  it('responds with 503 within the time limit when all connections are in use', async () => {
    await server.adapter({ pool: 1 }).transaction(async (executor) => {
      await executor.execute({ text: 'LOCK TABLE things', kind: 'write' }, []);
      const responses = await Promise.all(Array.from({ length: 12 }, () => platform.request('/things/1')));
      for (const { status, headers } of responses)
        expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    });
    expect((await platform.request('/things/1')).status).toBe(200);
  });

  it('cancels the statement of a client that disconnects', async () => {
    const patient = await start({ pool: 1, statement_timeout: 600 });
    const observer = server.adapter({ pool: 1 });
    const running = async (): Promise<unknown> =>
      (
        await rows(
          observer,
          "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%slow_things%' AND pid <> pg_backend_pid()",
        )
      )[0]?.count;
    try {
      const abort = new AbortController();
      const request = patient.request('/slow/1', { signal: abort.signal }).catch(() => undefined);
      while ((await running()) === 0) await delay(10);
      abort.abort();
      await request;
      await until(async () => (await running()) === 0);
      // Its only connection is free.
      expect((await patient.request('/things/1')).status).toBe(200);
    } finally {
      await patient.stop();
    }
  });

  it('writes again after a failover, when new connections lead to the primary', async () => {
    const admin = new PostgresAdapter({
      url: `${server.url()}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`,
    });
    // As if the name of the host still led to the server that was demoted.
    await admin.runScripts(['ALTER ROLE admin SET default_transaction_read_only = on']);
    const moved = await start({ pool: 1 });
    const create = async (): Promise<number> =>
      (await moved.request('/things', sendJson({ name: 'moved' }))).status;
    try {
      expect((await moved.request('/things/1')).status).toBe(200);
      expect(await create()).toBe(503);
      expect((await moved.request('/things/1')).status).toBe(200);
      await admin.runScripts(['ALTER ROLE admin RESET default_transaction_read_only']);
      expect(await create()).toBe(503);
      expect(await create()).toBe(201);
    } finally {
      await moved.stop();
      await admin.close();
    }
  });

  it('does not know whether a change was made if the connection is lost before its result', async () => {
    const wire = new Wire(server.port);
    const remote = await startTables(
      { services: { Thing: service } },
      { adapter: 'PostgresAdapter', options: { url: await wire.open(), pool: 1 } },
    );
    const operations = [{ method: 'POST', path: '/things', body: { name: 'wired' } }];
    const failed = async (cut: string, path: string, init?: RequestInit): Promise<unknown> => {
      wire.cut = cut;
      const response = await remote.request(path, init);
      const { detail } = (await response.json()) as { detail: string };
      wire.cut = undefined;
      const retryAfter = response.headers.get('retry-after');
      expect((await remote.request('/things?name.eq=wired')).status).toBe(200);
      return [response.status, retryAfter, detail];
    };
    try {
      expect(await failed('INSERT 0 1', '/things', sendJson({ name: 'wired' }))).toEqual([
        503,
        null,
        UNKNOWN,
      ]);
      expect(await failed('COMMIT', '/platform/batch', sendJson({ operations }))).toEqual([
        503,
        null,
        UNKNOWN,
      ]);
      const retry = [
        503,
        '2',
        expect.stringContaining('The data is currently unavailable. Try again later.'),
      ];
      expect(await failed('INSERT 0 1', '/platform/batch', sendJson({ operations }))).toEqual(retry);
      expect(await failed('SELECT 1', '/things/1')).toEqual(retry);
      const found = await rows(server.adapter({ pool: 1 }), "SELECT id FROM things WHERE name = 'wired'");
      expect(found).toHaveLength(2);
    } finally {
      await remote.stop();
      wire.close();
    }
  }, 30_000);

  it('starts while the database is down, and serves its rows as soon as it can', async () => {
    await server.stop();
    const early = await start({ pool: 2, statement_timeout: 1 });
    try {
      const refused = await early.request('/things/1');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      await server.start();
      while ((await early.request('/things/1')).status !== 200) await delay(20);
    } finally {
      await early.stop();
    }
  }, 30_000);

  it.each([
    ['a serialization failure', "RAISE EXCEPTION 'x' USING ERRCODE = '40001'", 409],
    ['a deadlock', "RAISE EXCEPTION 'x' USING ERRCODE = '40P01'", 409],
    ['a read-only server', "RAISE EXCEPTION 'x' USING ERRCODE = '25006'", 503],
    ['a full disk', "RAISE EXCEPTION 'x' USING ERRCODE = '53100'", 507],
    ['an exceeded time limit', 'PERFORM pg_sleep(20)', 503],
    ['a missing privilege', "RAISE EXCEPTION 'x' USING ERRCODE = '42501'", 503],
  ])('responds to %s in the terms of clients', async (_, statement, status) => {
    const database = server.adapter({ pool: 1 });
    await database.runScripts([
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN new; END $$;
       CREATE TRIGGER failing BEFORE UPDATE ON things FOR EACH ROW EXECUTE FUNCTION fail();`,
    ]);
    const response = await platform.request('/things/1', sendJson({ name: 'other' }, 'PATCH'));
    await database.runScripts(['DROP TRIGGER failing ON things']);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.not.stringMatching(/things|SQL|trigger|RAISE/)]);
    expect((await platform.request('/things/1')).status).toBe(200);
  });

  it('executes batches and statements after the type of a column has changed, on every connection', async () => {
    const batch = (): Promise<Response> => {
      const operations = [1, 2, 3].map((at) => ({
        method: 'POST',
        path: '/things',
        body: { name: `${at}` },
      }));
      return platform.request('/platform/batch', sendJson({ operations }));
    };
    const post = (): Promise<Response> => platform.request('/things', sendJson({ name: 'one' }));
    const onAll = async (send: () => Promise<Response>): Promise<unknown> =>
      (await Promise.all(Array.from({ length: 9 }, send))).map(({ status }) => status);
    for (const [send, type] of [
      [batch, 'varchar(50)'],
      [post, 'text'],
    ] as const) {
      for (let round = 0; round < 5; round++) await onAll(send);
      await server.adapter({ pool: 1 }).runScripts([`ALTER TABLE things ALTER COLUMN name TYPE ${type}`]);
      const status = send === batch ? 200 : 201;
      expect(await onAll(send)).toEqual(Array.from({ length: 9 }, () => status));
    }
  });

  it('repeats a statement after a serialization failure', async () => {
    const database = server.adapter({ pool: 1 });
    await database.runScripts([
      `CREATE SEQUENCE attempts;
       CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END IF; RETURN new; END $$;
       CREATE TRIGGER failing BEFORE UPDATE ON things FOR EACH ROW EXECUTE FUNCTION fail_once();`,
    ]);
    const response = await platform.request('/things/1', sendJson({ name: 'again' }, 'PATCH'));
    await database.runScripts(['DROP TRIGGER failing ON things']);
    expect(response.status).toBe(200);
    expect(await rows(database, 'SELECT last_value::int AS attempts FROM attempts')).toEqual([
      { attempts: 2 },
    ]);
  });
});
