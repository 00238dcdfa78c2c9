import fc from 'fast-check';
import { canonical } from '../../../../src/modules/database/schema/canonical-notation';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

const ID = '0f9ad5b2-3a66-4c8e-9d0a-2b7c1e5f6a01';
const OTHER = '0f9ad5b2-3a66-4c8e-9d0a-2b7c1e5f6a02';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE events (id UUID PRIMARY KEY, at TIMESTAMPTZ, local TIMESTAMP DEFAULT CURRENT_TIMESTAMP, opens TIME);`,
      services: {
        Event: {
          table_name: 'events',
          route: '/events[/:id]',
          collection_name: 'events',
          columns: { id: {}, at: {}, local: {}, opens: {} },
          filters: {
            id: ['eq', 'ne', 'in'],
            at: ['eq', 'gte', 'lt', 'in'],
            local: ['eq', 'lte'],
            opens: ['eq'],
          },
          collection: { GET: { sort: ['at', 'local'] }, POST: {}, DELETE: {} },
          entity: { GET: {}, PATCH: {}, DELETE: {} },
          page_size: 2,
        },
      },
    });
  }, 60_000);
  afterEach(() => platform.database.runScripts(['DELETE FROM events']));

  const post = (body: object): Promise<Response> => platform.request('/events', sendJson(body));
  const find = async (query: string): Promise<readonly Record<string, unknown>[]> =>
    (await bodyOf(await platform.request(`/events?${query}`))).events as Record<string, unknown>[];

  it('a UUID has one notation, whichever one clients use', async () => {
    const made = await post({ id: ID.toUpperCase() });
    expect([made.status, made.headers.get('location')]).toEqual([201, `/events/${ID}`]);
    expect((await bodyOf(made)).id).toBe(ID);
    expect((await post({ id: ID })).status).toBe(409);
    for (const id of [ID, ID.toUpperCase()]) {
      expect((await platform.request(`/events/${id}`)).status).toBe(200);
      expect(await find(`id.eq=${id}`)).toHaveLength(1);
      expect(await find(`id.in=${id}`)).toHaveLength(1);
    }
  });

  it('a UUID that another program has written in upper case is found', async () => {
    await platform.database.runScripts([`INSERT INTO events (id) VALUES ('${ID.toUpperCase()}')`]);
    for (const id of [ID, ID.toUpperCase()]) {
      expect((await platform.request(`/events/${id}`)).status).toBe(200);
      expect(await find(`id.eq=${id}`)).toHaveLength(1);
      expect(await find(`id.in=${OTHER},${id}`)).toHaveLength(1);
      expect(await find(`id.ne=${id}`)).toHaveLength(0);
    }
    expect(await find(`id.ne=${OTHER}`)).toHaveLength(1);
    expect((await platform.request(`/events/${ID}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('a UUID that another program has written in upper case is deleted with a list', async () => {
    await platform.database.runScripts([`INSERT INTO events (id) VALUES ('${ID.toUpperCase()}')`]);
    expect((await platform.request(`/events?id.in=${ID}`, { method: 'DELETE' })).status).toBe(204);
    expect((await platform.request(`/events/${ID}`)).status).toBe(404);
  });

  it('notations of the same instant are equal', async () => {
    const made = await post({ id: ID, at: '2026-03-01T00:30:00.500+02:00', opens: '10:00:00.00' });
    const { at } = await bodyOf(made);
    expect(Date.parse(String(at))).toBe(Date.parse('2026-02-28T22:30:00.5Z'));
    for (const same of [
      '2026-02-28T22:30:00.5Z',
      '2026-03-01T00:30:00.500+02:00',
      '2026-02-28T17:30:00.50-05:00',
    ])
      expect(await find(`at.eq=${encodeURIComponent(same)}`)).toHaveLength(1);
    expect(await find('at.lt=2026-02-28T22:30:01Z')).toHaveLength(1);
    expect(await find('at.lt=2026-02-28T22:30:00Z')).toHaveLength(0);
    expect(await find('opens.eq=10:00:00')).toHaveLength(1);
  });

  it('an instant without a zone is in UTC, as the clock of the database writes it', async () => {
    await post({ id: ID });
    const [{ local } = {}] = await find('');
    expect(String(local)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);
    expect(await find(`local.eq=${String(local)}`)).toHaveLength(1);
    await platform.request(`/events/${ID}`, sendJson({ local: '2026-03-01T00:30:00+02:00' }, 'PATCH'));
    expect((await find('local.eq=2026-02-28T22:30:00Z'))[0]?.local).toBe('2026-02-28T22:30:00');
    expect(await find('local.lte=2026-02-28T22:30:00')).toHaveLength(1);
  });

  it.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])(
    'an instant whose year in UTC has no notation is refused: %s',
    async (instant) => {
      for (const name of ['at', 'local']) {
        const refused = await post({ id: ID, [name]: instant });
        expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([
          422,
          [{ pointer: `/${name}` }],
        ]);
        const filtered = await platform.request(`/events?${name}.eq=${encodeURIComponent(instant)}`);
        expect(filtered.status).toBe(400);
      }
    },
  );

  it.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+14:00', '0001-01-01T00:00:00Z'])(
    'an instant at the limits of years is read as it was written: %s',
    async (instant) => {
      const made = await post({ id: ID, at: instant });
      const { at } = await bodyOf(made);
      expect([made.status, Date.parse(String(at))]).toEqual([201, Date.parse(instant)]);
      expect(await find(`at.eq=${encodeURIComponent(String(at))}`)).toHaveLength(1);
    },
  );

  it('pages have every row once, in the order of time, also those in notations of other programs', async () => {
    const instants = [
      '09:00:00Z',
      '09:00:00.25Z',
      '10:00:00+02:00',
      '09:30:00-01:00',
      '09:00:00.5Z',
      '08:59:59Z',
    ];
    for (const [at, time] of instants.entries())
      await post({ id: ID.slice(0, -1) + String(at), at: `2026-01-01T${time}` });
    const foreign = dialect === 'sqlite' ? ['2026-01-01T09:10:00Z', '2026-01-01T11:00:00.000+00:00'] : [];
    for (const [at, text] of foreign.entries())
      await platform.database.runScripts([
        `INSERT INTO events (id, at) VALUES ('${ID.slice(0, -1)}${'ab'[at] ?? ''}', '${text}')`,
      ]);
    const seen: string[] = [];
    const times: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const response = await platform.request(`/events?sort=at${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = (await bodyOf(response)) as {
        events: { id: string; at: string }[];
        next_cursor: string | null;
      };
      seen.push(...page.events.map(({ id }) => id));
      times.push(...page.events.map(({ at }) => at));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(instants.length + foreign.length);
    if (foreign.length > 0) return;
    const order = times.map((text) => Date.parse(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

describe('the stored notation of an instant', () => {
  const instant = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('9998-01-01'),
    noInvalidDate: true,
  });

  it('has the order of time, and is its own notation', () => {
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: -14, max: 14 }), (first, second, hours) => {
        const moved = new Date(first.getTime() + hours * 3_600_000).toISOString().slice(0, -1);
        const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
        const stored = canonical(moved + offset, 'timestamptz', 'sqlite');
        expect(stored).toBe(canonical(first.toISOString(), 'timestamptz', 'sqlite'));
        expect(canonical(stored, 'timestamptz', 'sqlite')).toBe(stored);
        const other = canonical(second.toISOString(), 'timestamptz', 'sqlite');
        expect(Math.sign(first.getTime() - second.getTime())).toBe(
          stored < other ? -1 : stored > other ? 1 : 0,
        );
      }),
    );
  });

  it.each(['someday', '2026-13-01T00:00:00Z', '', '2026-01-01'])(
    'leaves other texts as they are: %s',
    (text) => expect(canonical(text, 'timestamptz', 'sqlite')).toBe(text),
  );
});
