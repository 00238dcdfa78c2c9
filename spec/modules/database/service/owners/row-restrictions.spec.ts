import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../../src/framework';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { basic, bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';
import { PEOPLE, authenticatedBy } from '../../../../fixtures/people';

let platform: TestPlatform;
beforeAll(async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'rows-')), 'rows.sqlite');
  const database = openDatabase(file);
  database.exec(`
    CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL, owner TEXT NOT NULL, state TEXT);
    INSERT INTO notes VALUES (1, 'of bob', 'bob', 'open'), (2, 'of alice', 'alice', 'open');
  `);
  database.close();
  const service = (columns: ConfigObject, route: string): ConfigObject => ({
    kind: 'table',
    adapter_name: 'notes',
    table_name: 'notes',
    route,
    route_identifier_name: 'id',
    columns,
    rows: { owner: 'identity.name', state: 'open' },
    collection: { GET: {}, POST: {} },
    entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
  });
  platform = await startTestPlatform({
    modules: [...HOSTING, 'database'],
    files: PEOPLE,
    local: {
      'platform-db': { adapters: { notes: { adapter: 'SqliteAdapter', options: { file } } } },
      ...authenticatedBy('people'),
      'platform-hosting': {
        apis: {
          Notes: {
            versions: {
              '1': {
                services: {
                  Note: service({ id: {}, text: {} }, '/notes[/:id]'),
                  Shown: service({ id: {}, text: {}, owner: {} }, '/shown[/:id]'),
                },
              },
            },
          },
        },
      },
    },
  });
}, 60_000);
afterAll(() => platform.stop());

it('creates no rows for guests, as none can belong to them', async () => {
  const before = await texts(BOB);
  for (const [to, method, body] of [
    ['/notes', 'POST', { text: 'of nobody' }],
    ['/shown', 'POST', { text: 'of bob', owner: 'bob' }],
    ['/notes', 'POST', [{ text: 'one' }, { text: 'two' }]],
  ] as const) {
    const answer = await platform.request(to, sendJson(body, method));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="People", charset="UTF-8"',
    ]);
  }
  expect(await texts(BOB)).toEqual(before);
});

const BOB = { Authorization: basic('bob', 'password') };
const send = (to: string, method: string, body?: unknown) =>
  platform.request(to, body === undefined ? { method, headers: BOB } : sendJson(body, method, BOB));
const texts = async (headers = {}) =>
  ((await bodyOf(await platform.request('/notes', { headers }))).items as { text: string }[]).map(
    ({ text }) => text,
  );

describe('a service that is restricted to the rows of its user', () => {
  it('shows those rows only, and none to guests', async () => {
    expect(await texts(BOB)).toEqual(['of bob']);
    expect(await texts()).toEqual([]);
    expect((await send('/notes/1', 'GET')).status).toBe(200);
    expect((await send('/notes/2', 'GET')).status).toBe(404);
    expect((await platform.request('/notes/1')).status).toBe(404);
  });

  it.each([
    ['PUT', { text: 'stolen' }],
    ['PATCH', { text: 'stolen' }],
    ['DELETE', undefined],
  ])('changes no other row by %s', async (method, body) => {
    expect((await send('/notes/2', method, body)).status).toBe(404);
  });

  it('creates rows of its user, whatever the body says', async () => {
    const made = await send('/shown', 'POST', { text: 'new', owner: 'alice' });
    expect(made.status).toBe(201);
    expect(await bodyOf(made)).toMatchObject({ owner: 'bob' });
    const { id } = (await bodyOf(await send('/shown', 'POST', { text: 'newer' }))) as { id: number };
    const moved = await send(`/shown/${id}`, 'PATCH', { text: 'moved', owner: 'alice' });
    expect(await bodyOf(moved)).toMatchObject({ text: 'moved', owner: 'bob' });
  });
});
