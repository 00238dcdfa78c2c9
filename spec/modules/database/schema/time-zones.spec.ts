import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

const TABLES = `
  CREATE TABLE days (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL);
  CREATE TABLE talks (id INTEGER PRIMARY KEY, day_id INTEGER NOT NULL REFERENCES days (id), at TIMESTAMPTZ);
  INSERT INTO days VALUES (1, '2026-07-23 01:56:25.323748');
  INSERT INTO talks VALUES (1, 1, '2026-07-23 01:56:25.5'), (2, 1, '2026-01-31 10:30:00'), (3, 1, NULL);`;

const INSTANTS = ['2026-07-23T01:56:25.5Z', '2026-01-31T10:30:00Z', null];

const TYPE = 'application/x-ndjson';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const isPostgres = dialect === 'postgres';
    // Of sessions that begin later.
    const zone = isPostgres ? "ALTER DATABASE postgres SET timezone = 'Europe/Berlin';" : '';
    const arrays = isPostgres ? ', list timestamptz[]' : '';
    platform = await start({
      script: `${isPostgres ? "SET TIME ZONE 'UTC';" : ''}${TABLES}
        CREATE TABLE spans (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL${arrays});
        ${isPostgres ? "INSERT INTO spans VALUES (1, 'infinity', '{2026-01-31 10:30:00.25+00,NULL}');" : ''}${zone}`,
      services: {
        Day: {
          table_name: 'days',
          route: '/days[/:id]',
          collection_name: 'days',
          revision: 'at',
          columns: { id: {}, at: {} },
          embeds: { talks: { table_name: 'talks', foreign_key: 'day_id', columns: ['at'], sort: ['id'] } },
          filters: { at: ['eq', 'in', 'gte'] },
          collection: { GET: { sort: ['at'] }, POST: {} },
          entity: { GET: {}, PATCH: {} },
        },
        Talk: {
          table_name: 'talks',
          route: '/talks[/:id]',
          collection_name: 'talks',
          columns: { id: {}, at: {}, day_id: { embed: { columns: ['at'] } } },
          filters: { at: ['eq', 'lt'] },
          collection: { GET: { sort: ['at', 'id'], stream: [TYPE] } },
          entity: { GET: {} },
          page_size: 1,
        },
        Span: {
          table_name: 'spans',
          route: '/spans[/:id]',
          collection_name: 'spans',
          columns: { id: {}, at: {}, ...(isPostgres ? { list: {} } : {}) },
          collection: { GET: {} },
          entity: { GET: {} },
        },
      },
    });
  }, 60_000);

  const read = async (url: string): Promise<Record<string, unknown>> => bodyOf(await platform.request(url));

  it('an instant is in UTC, with its microseconds, whatever the time zone of the database', async () => {
    expect(await read('/days/1')).toMatchObject({ at: '2026-07-23T01:56:25.323748Z' });
    expect(await read('/days')).toMatchObject({ days: [{ at: '2026-07-23T01:56:25.323748Z' }] });
  });

  it('embedded rows have the same notation', async () => {
    const { talks } = (await read('/days/1?embed=talks')) as { talks: readonly { at: string | null }[] };
    expect(talks.map(({ at }) => at)).toEqual(INSTANTS);
    expect(JSON.stringify(await read('/talks/1?embed=day'))).toContain('"at":"2026-07-23T01:56:25.323748Z"');
  });

  it('streams have the same notation', async () => {
    const response = await platform.request('/talks?sort=id', { headers: { Accept: TYPE } });
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { at: unknown }).at)).toEqual(INSTANTS);
  });

  it('what a response has can be given to filters, and pages follow it', async () => {
    for (const same of ['2026-07-23T01:56:25.323748Z', '2026-07-23T03:56:25.323748%2B02:00'])
      for (const operator of ['eq', 'in', 'gte'])
        expect(await read(`/days?at.${operator}=${same}`)).toMatchObject({ days: [{ id: 1 }] });
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = (await read(`/talks?sort=-at${cursor}`)) as {
        talks: readonly { at: unknown }[];
        next_cursor: string | null;
      };
      seen.push(...page.talks.map(({ at }) => at));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen.filter((at) => at !== null)).toEqual([INSTANTS[0], INSTANTS[1]]);
    expect(seen).toHaveLength(3);
  });

  it('a written instant and its ETag are those that are read', async () => {
    const made = await platform.request('/days', sendJson({ id: 2, at: '2026-01-01T00:30:00.000001+01:00' }));
    expect((await bodyOf(made)).at).toBe('2025-12-31T23:30:00.000001Z');
    const found = await platform.request('/days/2');
    if (dialect === 'postgres') expect(found.headers.get('etag')).toBe('"2025-12-31T23:30:00.000001Z"');
    expect(found.headers.get('etag')).toBe(made.headers.get('etag'));
    const changed = await platform.request('/days/2', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'If-Match': made.headers.get('etag') ?? '' },
      body: '{"at":"2026-08-01T00:00:00Z"}',
    });
    expect([changed.status, (await bodyOf(changed)).at]).toEqual([200, '2026-08-01T00:00:00Z']);
    expect((await platform.request('/days/2')).headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  if (dialect === 'postgres')
    it('arrays have the same notation, and infinity stays', async () => {
      expect(await read('/spans/1')).toMatchObject({
        at: 'infinity',
        list: ['2026-01-31T10:30:00.25Z', null],
      });
    });
});
