import type { TestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { startTables } from '../../../factories/database/table-databases';

const postgres = withPrograms('postgres');

postgres.describe('a PostgreSQL database with other notations than the usual ones', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([
      `CREATE TABLE events (id integer PRIMARY KEY, day date, span interval, bytes bytea, parts bytea[]);
       INSERT INTO events VALUES
         (1, '2026-01-31', '1 year 2 mons -3 days 04:05:06.5', '\\x00ff5c41', ARRAY['\\x5c00', '\\x78']::bytea[]);
       ALTER DATABASE postgres SET datestyle = 'German, DMY';
       CREATE SCHEMA pgshop;
       CREATE TABLE pgshop.notes (id integer PRIMARY KEY, "a\\" text DEFAULT 'x');
       INSERT INTO pgshop.notes VALUES (1);
       ALTER DATABASE postgres SET standard_conforming_strings = off;
       ALTER ROLE admin SET standard_conforming_strings = off;
       ALTER ROLE admin SET intervalstyle = 'iso_8601';
       ALTER DATABASE postgres SET intervalstyle = 'sql_standard';
       ALTER DATABASE postgres SET bytea_output = 'escape';`,
    ]);
    platform = await startTables(
      {
        services: {
          Note: {
            table_name: 'pgshop.notes',
            route: '/notes[/:id]',
            columns: { id: {}, 'a\\': {} },
            entity: { GET: {}, PUT: {} },
          },
          Event: {
            table_name: 'events',
            route: '/events[/:id]',
            columns: { id: {}, day: {}, span: {}, bytes: {}, parts: {} },
            filters: { day: ['eq'], span: ['gt'] },
            collection: { GET: { sort: ['day'] } },
            entity: { GET: {}, PATCH: {} },
          },
        },
      },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  postgres.it('has texts with backslashes as those of the documentation', async () => {
    const note = await platform.request('/notes/1', sendJson({}, 'PUT'));
    expect([note.status, await bodyOf(note)]).toEqual([200, { id: 1, 'a\\': 'x' }]);
  });

  const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

  postgres.it('has dates, durations and bytes in those of the documentation', async () => {
    const read = await platform.request('/events/1');
    const event = {
      id: 1,
      day: '2026-01-31',
      span: 'P1Y2M-3DT4H5M6.5S',
      bytes: base64('00ff5c41'),
      parts: [base64('5c00'), base64('78')],
    };
    expect(await bodyOf(read)).toEqual(event);
    const found = await platform.request('/events?day.eq=2026-01-31&span.gt=P1Y&sort=-day');
    expect(await bodyOf(found)).toMatchObject({ items: [event] });
    const changes = { day: '2026-02-03', span: 'P-1DT2H', bytes: base64('5c78') };
    const patch = sendJson(changes, 'PATCH', { 'If-Match': read.headers.get('etag') ?? '' });
    const patched = await platform.request('/events/1', patch);
    expect([patched.status, await bodyOf(patched)]).toEqual([200, { ...event, ...changes }]);
  });
});
