import type { TestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { startTables } from '../../../factories/database/table-databases';
import { START_TIMEOUT_MS } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('postgres');

const SCRIPT = `CREATE SCHEMA types;
  CREATE TYPE types."Mood" AS ENUM ('sad', 'fine', 'happy');
  CREATE DOMAIN mood AS types."Mood";
  CREATE TABLE people (id INTEGER PRIMARY KEY, mood mood, owner mood NOT NULL DEFAULT 'sad');
  INSERT INTO people VALUES (1, 'happy'), (2, 'sad'), (3, NULL), (4, 'fine'), (5, 'happy');
  CREATE TABLE moods (mood mood PRIMARY KEY, note TEXT);`;

describe('A domain over an enum of PostgreSQL', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([SCRIPT]);
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
    platform = await startTables(
      {
        services: {
          Person: {
            table_name: 'people',
            route: '/people[/:id]',
            columns: { id: {}, mood: {} },
            filters: { mood: ['eq', 'ne', 'lt', 'gte', 'in', 'starts', 'is'] },
            rows: { owner: 'sad' },
            page_size: 2,
            collection: { GET: { sort: ['mood'] } },
            entity: { GET: {}, PUT: {}, PATCH: {} },
          },
          Mood: {
            table_name: 'moods',
            route: '/moods[/:mood]',
            route_identifier_name: 'mood',
            columns: { mood: {}, note: {} },
            entity: { GET: {}, PUT: {}, DELETE: {} },
          },
        },
      },
      adapter,
    );
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const idsOf = async (path: string): Promise<unknown> => {
    const found: number[] = [];
    for (let cursor = ''; ;) {
      const response = await platform.request(path + cursor);
      const { items, next_cursor: next } = await bodyOf(response);
      expect(response.status).toBe(200);
      found.push(...(items as { id: number }[]).map(({ id }) => id));
      if (typeof next !== 'string') return found;
      cursor = `&cursor=${next}`;
    }
  };

  it.each([
    ['sort=mood', [2, 4, 1, 5, 3]],
    ['sort=-mood', [5, 1, 4, 2, 3]],
    ['mood.eq=happy', [1, 5]],
    ['mood.ne=happy', [2, 3, 4]],
    ['mood.lt=happy', [2, 4]],
    ['mood.gte=fine', [1, 4, 5]],
    ['mood.in=sad,fine', [2, 4]],
    ['mood.starts=ha', [1, 5]],
    ['mood.is=null', [3]],
  ])('lists compare the values of the enum: %s', async (query, expected) => {
    expect(await idsOf(`/people?${query}`)).toEqual(expected);
  });

  it('rows are changed in the state that a client expects', async () => {
    const tag = (await platform.request('/people/4')).headers.get('etag') ?? '';
    for (const [sent, status] of [
      [tag, 200],
      ['"other"', 412],
    ] as const) {
      const body = sendJson({ mood: 'fine' }, 'PATCH', { 'If-Match': sent });
      expect((await platform.request('/people/4', body)).status).toBe(status);
    }
  });

  it('a value identifies an entity', async () => {
    for (const [note, status] of [
      ['a', 201],
      ['b', 200],
    ] as const)
      expect((await platform.request('/moods/sad', sendJson({ note }, 'PUT'))).status).toBe(status);
    expect(await bodyOf(await platform.request('/moods/sad'))).toEqual({ mood: 'sad', note: 'b' });
    expect((await platform.request('/moods/sad', { method: 'DELETE' })).status).toBe(204);
  });
});
