import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../../../src/framework';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';
import { START_TIMEOUT_MS } from '../../../../factories/test-timeout';
import { until } from '../../../../factories/until';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';
/** More than a few batches, and more than sockets buffer. */
const ROWS = 20_000;
const PADDING = 1000;

/** Things that CSV must quote, and many rows of which one cannot be read: after some batches. */
const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
const THINGS = `CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size INTEGER, owner TEXT NOT NULL);
  INSERT INTO things VALUES (1, 'plain', 3, 'ada'), (2, 'a "b", c', NULL, 'ada'), (3, NULL, 1, 'bob'),
    (4, '', 2, 'bob'), (5, 'two
lines', 5, 'ada'), (6, '=1+1', -4, 'ada');
  CREATE TABLE exact(id INTEGER PRIMARY KEY, big BIGINT, price NUMERIC(20, 2));`;
const SQLITE = `${THINGS}
  CREATE TABLE logs(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  ${numbers} INSERT INTO logs SELECT i, printf('%.*c', ${PADDING}, 'x') FROM n;
  CREATE TABLE broken(id INTEGER PRIMARY KEY, value INTEGER);
  ${numbers} INSERT INTO broken SELECT i, CASE i WHEN 5000 THEN 9007199254740993 ELSE i END FROM n;`;
const POSTGRES = `${THINGS}
  CREATE TABLE logs(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  ${numbers} INSERT INTO logs SELECT i, repeat('x', ${PADDING}) FROM n;
  CREATE VIEW broken AS SELECT id, 1 / (5000 - id) AS value FROM logs;`;

const service = (table: string, columns: readonly string[], others: ConfigObject = {}): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: table,
  route: `/${table}[/:id]`,
  route_identifier_name: 'id',
  columns: Object.fromEntries(columns.map((name) => [name, {}])),
  page_size: 2,
  filters: { id: ['gte'] },
  collection: { GET: { stream: [NDJSON, CSV], sort: ['id', ...columns.slice(2, 3)] } },
  ...others,
});

const local = (adapter: ConfigObject): ConfigObject => ({
  'platform-db': { adapters: { shop: adapter } },
  'platform-hosting': {
    apis: {
      Shop: {
        versions: {
          '1': {
            services: {
              Thing: service('things', ['id', 'name', 'size'], {
                filters: { id: ['gte'], size: ['gte', 'in'] },
                entity: { GET: {} },
              }),
              Owned: service('things', ['id'], { route: '/owned[/:id]', rows: { owner: 'ada' } }),
              Exact: service('exact', ['id', 'big', 'price'], {
                filters: { big: ['in', 'eq'], price: ['in', 'gt'] },
              }),
              Log: service('logs', ['id', 'text']),
              Broken: service('broken', ['id', 'value']),
            },
          },
        },
      },
    },
  },
});

let postgres: PostgresServer | undefined;

/** @param options of the adapter */
function sqlite(options: ConfigObject): Promise<ConfigObject> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'streams-')), 'shop.sqlite');
  const database = openDatabase(file);
  database.exec(SQLITE);
  database.close();
  return Promise.resolve({ adapter: 'SqliteAdapter', options: { file, ...options } });
}

async function postgresql(options: ConfigObject): Promise<ConfigObject> {
  if (postgres === undefined) {
    postgres = await PostgresServer.start();
    await postgres.adapter().runScripts([POSTGRES]);
  }
  // One of two connections may stream.
  return { adapter: 'PostgresAdapter', options: { url: postgres.url(), pool: 2, ...options } };
}

/** The same requests, whatever the database. */
function behaviour(it: jest.It, open: (options: ConfigObject) => Promise<ConfigObject>): void {
  const start = async (options: ConfigObject): Promise<TestPlatform> =>
    startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
      local: local(await open(options)),
    });
  let platform: TestPlatform;
  beforeAll(async () => {
    // A busy machine may not read anything for a second.
    platform = await start({ stream_timeout: 600 });
  }, START_TIMEOUT_MS);
  afterAll(() => platform.stop());

  const get = (url: string, accept: string, init: RequestInit = {}): Promise<Response> =>
    platform.request(url, { headers: { Accept: accept }, ...init });
  const lines = async (url: string): Promise<unknown[]> => {
    const response = await get(url, NDJSON);
    const text = await response.text();
    expect([response.status, text.endsWith('\n') || text === '']).toEqual([200, true]);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  };

  /** The response to a GET that is not read yet. */
  const unread = async (url: string, { origin } = platform): Promise<IncomingMessage> => {
    const sent = request(`${origin}${url}`, { headers: { Accept: NDJSON }, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  };

  /** Whether a connection is free for a stream. */
  const isStreamed = async ({ request: send }: TestPlatform): Promise<boolean> => {
    const response = await send('/things', { headers: { Accept: NDJSON } });
    await response.text();
    return response.status === 200;
  };

  it('streams all rows that match as lines of JSON', async () => {
    expect(await lines('/things')).toHaveLength(6);
    expect(await lines('/things?size.gte=2&sort=-size')).toEqual([
      { id: 5, name: 'two\nlines', size: 5 },
      { id: 1, name: 'plain', size: 3 },
      { id: 4, name: '', size: 2 },
    ]);
    expect(await lines('/things?size.in=1,2&fields=id')).toEqual([{ id: 3 }, { id: 4 }]);
    expect(await lines('/things?size.gte=100')).toEqual([]);
    expect(await lines('/owned')).toEqual([{ id: 1 }, { id: 2 }, { id: 5 }, { id: 6 }]);
  });

  it('streams comma-separated values by RFC 4180', async () => {
    const response = await get('/things', CSV);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept');
    expect(await response.text()).toBe(
      'id,name,size\r\n1,plain,3\r\n2,"a ""b"", c",\r\n3,,1\r\n4,"",2\r\n5,"two\nlines",5\r\n6,=1+1,-4\r\n',
    );
    expect(await (await get('/things?fields=size,id&sort=-id', CSV)).text()).toMatch(/^id,size\r\n6,-4\r\n/);
    expect(await (await get('/things?size.gte=100', CSV)).text()).toBe('id,name,size\r\n');
  });

  it('streams all rows of a query in the body, whichever method sends it', async () => {
    const body = {
      filter: { or: [{ size: { gte: 3 } }, { not: { id: { gte: 4 } } }] },
      sort: ['-size', 'id'],
      fields: ['id', 'size'],
    };
    const post = (accept: string, sent: object, to = '/things/query'): Promise<Response> =>
      platform.request(to, sendJson(sent, 'POST', { Accept: accept }));
    const streamed = await post(NDJSON, body);
    expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, NDJSON]);
    const found = (await streamed.text()).split('\n').slice(0, -1);
    expect(new Set(found)).toEqual(
      new Set(['{"id":5,"size":5}', '{"id":1,"size":3}', '{"id":3,"size":1}', '{"id":2,"size":null}']),
    );
    const table = await post(CSV, { ...body, filter: { size: { gte: 3 } } });
    expect(await table.text()).toBe('id,size\r\n5,5\r\n1,3\r\n');
    expect(await bodyOf(await post('application/json', body))).toMatchObject({
      items: [{}, {}],
      page_size: 2,
    });
    expect((await (await post(NDJSON, {})).text()).split('\n')).toHaveLength(7);
    expect(await (await post(NDJSON, { filter: { id: { gte: 3 } } }, '/owned/query')).text()).toBe(
      '{"id":5}\n{"id":6}\n',
    );
  });

  it.each([
    [{ page_size: 2 }, '/page_size'],
    [{ count: 'exact' }, '/count'],
    [{ fields: ['owner'] }, '/fields/0'],
    [{ filter: { name: { eq: 'x' } } }, '/filter/name'],
    [{ sort: ['size', '-size'] }, '/sort/1'],
  ])('rejects members of a body that a stream does not have: %j', async (body, pointer) => {
    const response = await platform.request('/things/query', sendJson(body, 'POST', { Accept: NDJSON }));
    expect(response.status).toBe(422);
    expect((await bodyOf(response)).errors).toMatchObject([{ pointer }]);
  });

  it('aborts the response to a query in the body if a row in the middle cannot be read', async () => {
    const response = await platform.request(
      '/broken/query',
      sendJson({ filter: { id: { gte: 1 } } }, 'POST', { Accept: NDJSON }),
    );
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('responds with pages by default, and HEAD without a statement', async () => {
    for (const accept of ['*/*', 'application/json', `${CSV};q=0.5, application/json`]) {
      const body = await bodyOf(await get('/things', accept));
      expect(body).toMatchObject({ items: [{ id: 1 }, { id: 2 }], page_size: 2 });
    }
    const head = await get('/things', CSV, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await get('/things', 'application/xml')).status).toBe(406);
  });

  it.each([
    ['page_size=5', 'page_size'],
    ['count=exact', 'count'],
    ['name.eq=x', 'name.eq'],
    ['size.in=a', 'size.in'],
    ['fields=owner', 'fields'],
  ])('rejects parameters that a stream does not have: %s', async (query, parameter) => {
    const response = await get(`/things?${query}`, NDJSON);
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).errors).toMatchObject([{ parameter }]);
  });

  it('is documented with the schema of a line', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Shop-v1', {
        headers: { Accept: 'application/vnd.apidesc+json' },
      }),
    );
    const text = JSON.stringify(document);
    expect(text).toContain('"application/x-ndjson":{"schema":{"type":"string"');
    expect(text).toContain('"text/csv":{"schema":{"type":"string"');
    const page = await (
      await platform.request('/platform/documentation/Shop-v1/Thing', { headers: { Accept: 'text/html' } })
    ).text();
    expect(page).toContain('text/csv');
    expect(page).toContain('Schema of a streamed item');
  });

  it('aborts the response if a row in the middle cannot be read', async () => {
    const response = await get('/broken', NDJSON);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('releases the connection of a client that leaves', async () => {
    for (let client = 0; client < 40; client++) (await unread('/logs')).destroy();
    await until(() => isStreamed(platform));
    expect(await lines('/things')).toHaveLength(6);
  });

  it('aborts the stream of a client that stops reading, and serves others meanwhile', async () => {
    const impatient = await start({ stream_timeout: 1 });
    // Until the buffers of the sockets are full, the stream is not stalled: on a busy machine, that takes a while.
    const abortion = async (): Promise<unknown> => {
      const stalled = await unread('/logs', impatient);
      expect(await bodyOf(await impatient.request('/things/1'))).toMatchObject({ id: 1 });
      await delay(1500);
      await until(() => isStreamed(impatient));
      const ended = once(stalled, 'end').then(
        () => undefined,
        (error: unknown) => error,
      );
      stalled.resume();
      return ended;
    };
    try {
      let error: unknown;
      await until(async () => (error = await abortion()) !== undefined);
      expect(error).toMatchObject({ code: 'ECONNRESET' });
    } finally {
      await impatient.stop();
    }
  });

  it(
    'streams every row to a client that reads slowly',
    async () => {
      const response = await unread('/logs');
      let length = 0;
      for await (const chunk of response) {
        length += (chunk as Buffer).length;
        if (length % 50 === 0) await delay(1);
      }
      expect(length).toBeGreaterThan(ROWS * PADDING);
    },
    START_TIMEOUT_MS,
  );

  it.each(['big.in=x', 'big.eq=9223372036854775808', 'price.in=x', 'price.gt=1e30'])(
    'refuses %s, which its column cannot have, as pages do',
    async (query) => {
      for (const accept of [NDJSON, CSV, 'application/json'])
        expect((await get(`/exact?${query}`, accept)).status).toBe(400);
      expect((await get(`/exact?${query}`, NDJSON, { method: 'HEAD' })).status).toBe(400);
    },
  );

  it('cannot be part of a batch', async () => {
    const operations = [{ method: 'GET', path: '/things', headers: { Accept: NDJSON } }];
    const response = await platform.request('/platform/batch', sendJson({ operations }));
    expect(response.status).toBe(422);
    expect((await bodyOf(response)).detail).toContain('its response is a stream');
  });
}

describe('a table service that streams, with SQLite', () => {
  behaviour(it, sqlite);
});

{
  const { describe, it } = withPrograms('postgres');
  describe('a table service that streams, with PostgreSQL', () => {
    behaviour(it, postgresql);
    afterAll(() => postgres?.close());
  });
}
