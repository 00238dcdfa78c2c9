import { sql } from 'kysely';
import type { ConfigObject } from '../../../../src/framework';
import { kyselyOver } from '../../../../src/modules/database/kysely/kysely-over';
import { createSqliteTables } from '../../../factories/database/created-tables';
import type { TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { SqliteFiles } from '../../../factories/database/sqlite';
import { startTables } from '../../../factories/database/table-databases';

/** Of 32 bits, and of more: the drivers bind them differently. */
const NUMBERS = [1, 3_000_000_000];

describe('a whole number in SQL of SQLite', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const procedure = (route: string, type: string) => ({
      kind: 'procedure',
      route,
      sql: "SELECT typeof(:n) AS type, 'P' || :n AS text, 7 / :n AS part, count(*) AS found FROM codes WHERE code = 'P' || :n",
      parameters: { n: { type } },
      result: 'row',
    });
    const filter = (type: string) => ({ where: "code = 'P' || :value", schema: { type } });
    platform = await startTables(
      {
        services: {
          Whole: procedure('/whole', 'integer'),
          Real: procedure('/real', 'number'),
          Code: {
            table_name: 'codes',
            route: '/codes[/:id]',
            columns: { id: {}, code: {} },
            sql_filters: {
              number: filter('integer'),
              flag: { where: "'' || :value IN ('0', '1')", schema: { type: 'boolean' } },
            },
            collection: { GET: {} },
          },
        },
      },
      {
        adapter: 'SqliteAdapter',
        options: createSqliteTables(`CREATE TABLE codes (id INTEGER PRIMARY KEY, code TEXT);
          INSERT INTO codes (code) VALUES ${NUMBERS.map((one) => `('P${one}')`).join(', ')};`)
          .options as ConfigObject,
      },
    );
  });
  afterAll(() => platform.stop());

  it.each(NUMBERS)('is an integer in a procedure whose schema says so: %d', async (n) => {
    expect(await bodyOf(await platform.request(`/whole?n=${n}`))).toEqual({
      type: 'integer',
      text: `P${n}`,
      part: Math.floor(7 / n),
      found: 1,
    });
    expect(await bodyOf(await platform.request(`/real?n=${n}`))).toMatchObject({ part: 7 / n });
  });

  it('is a binary number in a procedure whose schema says so', async () => {
    expect(await bodyOf(await platform.request('/real?n=2'))).toMatchObject({ type: 'real', part: 3.5 });
  });

  it.each(NUMBERS)('is an integer in a filter whose schema says so: %d', async (n) => {
    const { items } = await bodyOf(await platform.request(`/codes?number=${n}`));
    expect(items).toMatchObject([{ code: `P${n}` }]);
  });

  it('is an integer for true and false', async () => {
    expect((await bodyOf(await platform.request('/codes?flag=true'))).items).toHaveLength(2);
    expect((await bodyOf(await platform.request('/codes?flag=false'))).items).toHaveLength(2);
  });

  it('is an integer in statements of Kysely', async () => {
    const files = new SqliteFiles();
    const db = kyselyOver<{ logs: { text: unknown; json: unknown } }>(await files.shop(1));
    await sql`CREATE TABLE logs (text TEXT, json TEXT)`.execute(db);
    for (const n of [...NUMBERS, true])
      await db
        .insertInto('logs')
        .values({ text: n, json: sql`json_object('n', ${n})` })
        .execute();
    await db.insertInto('logs').values({ text: 1.5, json: null }).execute();
    expect(await db.selectFrom('logs').selectAll().execute()).toEqual([
      ...NUMBERS.map((n) => ({ text: String(n), json: JSON.stringify({ n }) })),
      { text: '1', json: '{"n":1}' },
      { text: '1.5', json: null },
    ]);
    await files.close();
  });
});
