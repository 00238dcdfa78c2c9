import { ObservedAdapter } from '../../../../src/modules/database/adapters/observed/observed-adapter';
import { kyselyOver } from '../../../../src/modules/database/kysely/kysely-over';
import { sql, type Kysely } from '../../../../src/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';

interface Tables {
  things: { id: number; name: string };
}

type Query = (db: Kysely<Tables>) => { execute(): Promise<readonly unknown[]> };

const inserted: Query = (db) =>
  db
    .with('made', (own) => own.insertInto('things').values({ id: 2, name: 'two' }).returning('id'))
    .selectFrom('made')
    .select('id');
const updated: Query = (db) =>
  db
    .with('first', (own) => own.selectFrom('things').select('id'))
    .with('changed', (own) => own.updateTable('things').set({ name: 'new' }).returning('id'))
    .selectFrom('changed')
    .select('id');
const deleted: Query = (db) =>
  db
    .with('gone', () => sql<{ id: number }>`(delete from things returning id)`)
    .selectFrom('gone')
    .select('id');
const selected: Query = (db) =>
  db
    .with('found', (own) =>
      own
        .with('all', (inner) => inner.selectFrom('things').select('id'))
        .selectFrom('all')
        .select('id'),
    )
    .with('raw', () => sql<{ id: number }>`(select id from things)`)
    .selectFrom('found')
    .select('id');

const { describe, it } = withPrograms('postgres');

describe('a query of Kysely with common table expressions', () => {
  let server: PostgresServer;
  let db: Kysely<Tables>;
  let writes = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    const adapter = new ObservedAdapter('db', server.adapter());
    await adapter.runScripts([
      "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO things VALUES (1, 'one')",
    ]);
    adapter.onWrite('things', () => (writes += 1));
    db = kyselyOver<Tables>(adapter);
  }, 60_000);
  afterAll(() => server.close());

  it.each([
    ['selects', selected, 1, 0],
    ['inserts', inserted, 1, 1],
    ['updates', updated, 2, 1],
    ['deletes with raw SQL', deleted, 2, 1],
  ])(
    'counts as a change only if one of them changes something: one that %s',
    async (_, query, rows, changes) => {
      const before = writes;
      expect(await query(db).execute()).toHaveLength(rows);
      expect(writes - before).toBe(changes);
    },
  );
});
