import type { SqlStatement } from '../../../../../src/modules/database/adapters/database-adapter';
import type { PostgresAdapter } from '../../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { StatementNames } from '../../../../../src/modules/database/adapters/postgres/statement-names';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';

const reading = (text: string): SqlStatement => ({ text, kind: 'read' });

describe('names of prepared statements', () => {
  it('are given to statements that are executed again, one for each text', () => {
    const names = new StatementNames();
    const [one, same] = [reading('SELECT 1'), reading('SELECT 1')];
    expect(names.nameOf(one)).toBeUndefined();
    const name = names.nameOf(one);
    expect(name).toMatch(/^[\w-]{27}$/);
    expect(names.nameOf(one)).toBe(name);
    expect([names.nameOf(same), names.nameOf(same)]).toEqual([undefined, name]);
  });

  it('are others after they are renewed', () => {
    const names = new StatementNames();
    const one = reading('SELECT 1');
    const before = [names.nameOf(one), names.nameOf(one)];
    names.renew();
    const after = [names.nameOf(one), names.nameOf(one)];
    expect(after).toEqual([undefined, expect.stringMatching(/^[\w-]{27}$/)]);
    expect(after).not.toEqual(before);
  });

  it('are limited, since servers keep what is prepared', () => {
    const names = new StatementNames(2);
    const all = [reading('SELECT 1'), reading('SELECT 2'), reading('SELECT 3')];
    for (const statement of all) names.nameOf(statement);
    expect(all.map((statement) => names.nameOf(statement) === undefined)).toEqual([false, false, true]);
    expect(all.map((statement) => names.nameOf(statement) === undefined)).toEqual([false, false, true]);
  });

  it('are limited by the length of the statements as well', () => {
    const names = new StatementNames();
    const all = Array.from({ length: 60 }, (_, at): SqlStatement => {
      return { text: `INSERT ${at} ${'?, '.repeat(7_000)}`, kind: 'write' };
    });
    for (const statement of all) names.nameOf(statement);
    expect(all.filter((statement) => names.nameOf(statement) !== undefined)).toHaveLength(47);
    names.renew();
    for (const statement of all) names.nameOf(statement);
    expect(all.filter((statement) => names.nameOf(statement) !== undefined)).toHaveLength(47);
  });

  it('are not given to queries with thousands of values', () => {
    const names = new StatementNames();
    const long = reading(`SELECT 1 WHERE 1 IN (${'$1, '.repeat(3_000)})`);
    expect([names.nameOf(long), names.nameOf(long), names.nameOf(long)]).toEqual(Array(3).fill(undefined));
  });
});

const { describe: describeServer, it: itServer } = withPrograms('postgres');
describeServer('a connection to PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.close());

  itServer('prepares what is executed again, and not what is executed once', async () => {
    const adapter = server.adapter({ pool: 1 });
    const again = reading('SELECT 1 AS one');
    for (let count = 0; count < 3; count++) await adapter.execute(again, []);
    for (let count = 0; count < 20; count++) await adapter.execute(reading(`SELECT ${count} AS n`), []);
    const list = reading('SELECT statement FROM pg_prepared_statements');
    expect((await adapter.execute(list, [])).map(({ statement }) => statement)).toEqual(['SELECT 1 AS one']);
  });

  itServer('prepares a statement again if its name is taken, as behind a pooler', async () => {
    const adapter = server.adapter({ pool: 1 });
    const again = reading('SELECT 2 AS two');
    const names = new StatementNames();
    const [, name = ''] = [names.nameOf(again), names.nameOf(again)];
    await adapter.execute({ text: `PREPARE "${name}" AS SELECT 1`, kind: 'write', adHoc: true }, []);
    for (let times = 0; times < 4; times++) expect(await adapter.execute(again, [])).toEqual([{ two: 2 }]);
  });

  describe('whose tables change', () => {
    const finish: SqlStatement = {
      text: 'UPDATE jobs SET state = $1 WHERE id = 1 RETURNING id',
      kind: 'write',
    };
    let adapter: PostgresAdapter;
    let other: PostgresAdapter;
    beforeAll(async () => {
      [adapter, other] = [server.adapter({ pool: 1 }), server.adapter()];
      await other.runScripts([
        `CREATE TYPE state AS ENUM ('new', 'done');
         CREATE TABLE jobs (id INTEGER, at TIMESTAMP, state state);
         INSERT INTO jobs VALUES (1, '2026-01-31 09:00', 'new');`,
      ]);
    });

    itServer('converts parameters to the types of their columns when these are read again', async () => {
      const count = reading('SELECT count(*)::integer AS total FROM jobs WHERE at < $1');
      const totalOf = async () => (await adapter.execute(count, ['2026-01-31T10:30:00+02:00']))[0]?.total;
      await adapter.introspect();
      for (let times = 0; times < 3; times++) expect(await totalOf()).toBe(1);
      await other.runScripts(['ALTER TABLE jobs ALTER COLUMN at TYPE TIMESTAMPTZ']);
      await adapter.introspect();
      for (let times = 0; times < 3; times++) expect(await totalOf()).toBe(0);
    });

    itServer('prepares statements again when a type is replaced', async () => {
      const replace = (values: string, end: string) =>
        other.runScripts([
          `ALTER TYPE state RENAME TO former; CREATE TYPE state AS ENUM (${values});
           ALTER TABLE jobs ALTER COLUMN state TYPE state USING state::text::state; ${end}`,
        ]);
      for (let times = 0; times < 3; times++) await adapter.execute(finish, ['new']);
      await replace("'new', 'late'", 'DROP TYPE former');
      for (let times = 0; times < 3; times++)
        expect(await adapter.execute(finish, ['late'])).toEqual([{ id: 1 }]);
      await replace("'late', 'new'", '');
      const finishTogether = () => adapter.transaction(async (executor) => executor.execute(finish, ['new']));
      await expect(finishTogether()).rejects.toMatchObject({ kind: 'conflict' });
      expect(await finishTogether()).toEqual([{ id: 1 }]);
    });
  });
});
