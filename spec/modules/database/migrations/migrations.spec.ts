import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseAdapter } from '../../../../src/modules/database/adapters/database-adapter';
import { Migrations } from '../../../../src/modules/database/migrations/migrations';
import type { PostgresAdapter } from '../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { SqliteFiles } from '../../../factories/database/sqlite';

function behaviour(it: jest.It, open: () => Promise<DatabaseAdapter>): void {
  let folder: string;
  let adapter: DatabaseAdapter;
  let migrations: Migrations;
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const tables = async (): Promise<readonly string[]> =>
    Object.keys((await adapter.introspect()).tables).filter((name) => /^[abc]$/.test(name));
  const failure = async (isAnyOrder = false): Promise<string> => {
    try {
      await migrations.apply(isAnyOrder);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error('The migrations were applied.');
  };

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'migrations-'));
    adapter = await open();
    migrations = new Migrations(folder, adapter);
  }, 60_000);
  afterEach(async () => {
    await adapter.close();
    rmSync(folder, { recursive: true });
  });

  it('are all undone by a failing statement, whose file and line are named', async () => {
    write('1_a.sql', 'CREATE TABLE a (x int);');
    write(
      '2_b.sql',
      '-- Two statements;\nCREATE TABLE b (x int);\n\nINSERT INTO nosuch\n  VALUES (1);\nSELECT 1;',
    );
    write('3_c.sql', 'CREATE TABLE c (x int);');
    expect(await failure()).toMatch(/2_b\.sql:4: .*nosuch.*\n {4}INSERT INTO nosuch\nNothing was applied\.$/);
    expect(await tables()).toEqual([]);
    expect((await migrations.status()).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
  });

  it('are undone by a failure that the database reports without a position', async () => {
    write(
      '1_a.sql',
      'CREATE TABLE a (x int NOT NULL);\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (NULL);',
    );
    expect(await failure()).toMatch(/1_a\.sql:3: [^\n]+\n {4}INSERT INTO a VALUES \(NULL\)/);
    expect(await tables()).toEqual([]);
  });

  it('contain the statements after block comments with quotes', async () => {
    write('1_a.sql', "/* ----- Tables ----- */\nCREATE TABLE a (x text DEFAULT 'a');");
    write('2_b.sql', "/* don't */ CREATE TABLE b (x text DEFAULT 'b'); /* $$ */ CREATE TABLE c (x int);");
    await migrations.apply();
    expect(await tables()).toEqual(['a', 'b', 'c']);
    write('3_c.sql', "/* don't */\nCOMMIT; SELECT 'c';");
    expect(await failure()).toMatch(/3_c\.sql:2: remove COMMIT/);
  });

  it.each(['COMMIT', 'begin', 'END', 'ROLLBACK', 'START TRANSACTION'])(
    'cannot end the transaction of all files by %s',
    async (statement) => {
      write('1_a.sql', `CREATE TABLE a (x int);\n${statement};\nINSERT INTO nosuch VALUES (1);`);
      expect(await failure()).toMatch(
        /1_a\.sql:2: remove \w+\. All pending files are applied in one transaction\./,
      );
      expect(await tables()).toEqual([]);
    },
  );

  it('name the file when a deferred foreign key fails at the commit', async () => {
    write('1_a.sql', 'CREATE TABLE a (id int PRIMARY KEY);');
    await migrations.apply();
    write(
      '2_b.sql',
      'CREATE TABLE b (a int REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO b VALUES (9);',
    );
    expect(await failure()).toMatch(
      /^[^\n:]*2_b\.sql: .*foreign key constraint[^]*\nNothing was applied\.$/i,
    );
    expect(await tables()).toEqual(['a']);
    write('3_c.sql', 'CREATE TABLE c (x int);');
    expect(await failure()).toMatch(/^[^\n:]*2_b\.sql: .*foreign key constraint/i);
    expect(await tables()).toEqual(['a']);
  });

  it('name the file whose violation remains, not one that a later file has corrected', async () => {
    write('1_a.sql', 'CREATE TABLE a (id int PRIMARY KEY);');
    write(
      '2_b.sql',
      'CREATE TABLE b (a int REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO b VALUES (1);',
    );
    write('3_a.sql', 'INSERT INTO a VALUES (1);');
    write('4_b.sql', 'INSERT INTO b VALUES (2);');
    write('5_c.sql', 'CREATE TABLE c (x int);');
    expect(await failure()).toMatch(
      /^[^\n:]*4_b\.sql: .*foreign key constraint[^]*\nNothing was applied\.$/i,
    );
    expect(await tables()).toEqual([]);
    write('4_b.sql', 'INSERT INTO b VALUES (1);');
    expect(await migrations.apply()).toHaveLength(5);
  });

  it('do not blame a line of a file for the failure to record it', async () => {
    write('1_a.sql', 'CREATE TABLE a (x int);');
    await migrations.apply();
    write('2_b.sql', 'CREATE TABLE b (x int);\nDROP TABLE platform_migrations;');
    expect(await failure()).toMatch(
      /2_b\.sql: its statements succeeded, but it cannot be recorded as applied: .*platform_migrations.*\nNothing was applied\.$/,
    );
    expect(await tables()).toEqual(['a']);
  });

  it('are the same with other line endings, but not with another statement', async () => {
    const text = 'CREATE TABLE a (\n  x int\n);\n';
    const states = async (): Promise<readonly string[]> =>
      (await migrations.status()).map(({ state }) => state);
    write('1_a.sql', text);
    await migrations.apply();
    write('1_a.sql', text.replaceAll('\n', '\r\n'));
    expect(await states()).toEqual(['applied']);
    expect(await migrations.apply()).toEqual([]);
    write('1_a.sql', text.replace('x', 'y'));
    expect(await states()).toEqual(['changed']);
    // What earlier versions recorded for a file with CRLF.
    const crlf = text.replaceAll('\n', '\r\n');
    const recorded = createHash('sha256').update(crlf).digest('hex');
    await adapter.runScripts([`UPDATE platform_migrations SET checksum = '${recorded}'`]);
    for (const same of [text, crlf]) {
      write('1_a.sql', same);
      expect(await states()).toEqual(['applied']);
    }
  });

  it('can have savepoints, and no statement at all', async () => {
    write('1_a.sql', 'SAVEPOINT s; CREATE TABLE a (x int); ROLLBACK TO s; CREATE TABLE b (x int); RELEASE s');
    write('2_empty.sql', '-- Nothing yet.\n');
    expect(await migrations.apply()).toEqual(['1_a.sql', '2_empty.sql']);
    expect(await tables()).toEqual(['b']);
  });

  it.each([
    ["CREATE TABLE a (x int);\nCREATE TABLE b (x varchar(9) DEFAULT '\u00e9');", 'latin1', 2, 'is not UTF-8'],
    ['CREATE TABLE a (x int);', 'utf16le', 1, 'contains a NUL character'],
    ['\ufeffCREATE TABLE a (x int);', 'utf16le', 1, 'is not UTF-8'],
    ['CREATE TABLE a (x int);\n\n\0CREATE TABLE b (x int);', 'utf8', 3, 'contains a NUL character'],
  ] as const)('are text in UTF-8: %j as %s is not', async (text, encoding, line, found) => {
    writeFileSync(path.join(folder, '1_a.sql'), text, encoding);
    expect(await failure()).toMatch(new RegExp(`1_a\\.sql:${line}: ${found}\\. Save the file as UTF-8\\.$`));
    expect(await tables()).toEqual([]);
    writeFileSync(path.join(folder, '1_a.sql'), '\ufeffCREATE TABLE a (x int);');
    expect(await migrations.apply()).toEqual(['1_a.sql']);
  });

  it('are refused before applied ones, unless that is wanted', async () => {
    write('2_b.sql', 'CREATE TABLE b (x int);');
    await migrations.apply();
    write('1_a.sql', 'CREATE TABLE a (x int);');
    expect(await migrations.status()).toEqual([
      { name: '1_a.sql', state: 'pending', before: '2_b.sql' },
      { name: '2_b.sql', state: 'applied' },
    ]);
    expect(await failure()).toContain('1_a.sql comes before 2_b.sql, which has been applied');
    expect(await tables()).toEqual(['b']);
    expect(await migrations.apply(true)).toEqual(['1_a.sql']);
    expect(await tables()).toEqual(['a', 'b']);
  });
}

describe('migrations of SQLite', () => {
  const files = new SqliteFiles();
  afterAll(() => files.close());
  behaviour(it, () => Promise.resolve(files.adapter()));

  it('can create triggers', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'triggers-'));
    const adapter = files.adapter();
    writeFileSync(
      path.join(folder, '1.sql'),
      'CREATE TABLE a (x int);\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET x = 2; SELECT 1;\nEND;\nINSERT INTO a VALUES (1);',
    );
    await new Migrations(folder, adapter).apply();
    expect(await adapter.execute({ text: 'SELECT x FROM a', kind: 'read' }, [])).toMatchObject([{ x: 2 }]);
  });
});

describe('a migration that changes a table of SQLite by copying it', () => {
  const files = new SqliteFiles();
  afterAll(() => files.close());
  const tables = `CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) ON DELETE CASCADE);
    INSERT INTO parents VALUES (1, 'a'), (2, 'b'); INSERT INTO children VALUES (1, 1), (2, 2);`;
  const copied = (rows: string): string => `CREATE TABLE copies (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO copies SELECT * FROM parents WHERE ${rows};
    DROP TABLE parents;
    ALTER TABLE copies RENAME TO parents;`;
  let folder: string;
  let adapter: ReturnType<SqliteFiles['adapter']>;
  let migrations: Migrations;
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const read = async (text: string): Promise<unknown> =>
    (await adapter.execute({ text, kind: 'read' }, [])).map((row) => Object.values(row)[0]);

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'copies-'));
    adapter = files.adapter();
    migrations = new Migrations(folder, adapter);
    write('1.sql', tables);
    await migrations.apply();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    'PRAGMA foreign_keys=OFF',
    'pragma foreign_keys = 0',
    'PRAGMA foreign_keys(off)',
    "PRAGMA foreign_keys = 'off'",
    'PRAGMA foreign_keys = "off"',
    'PRAGMA foreign_keys("no")',
    'PRAGMA main.foreign_keys = OFF',
    'PRAGMA "main".foreign_keys(false)',
    'PRAGMA [main]."foreign_keys" = 00',
    'PRAGMA foreign_keys = disabled',
  ])('keeps the rows that refer to it, with %s', async (pragma) => {
    write('2.sql', `${pragma};\n${copied('true')}\nPRAGMA foreign_key_check;\nPRAGMA foreign_keys=ON;`);
    expect(await migrations.apply()).toEqual(['2.sql']);
    expect(await read('SELECT id FROM children ORDER BY id')).toEqual([1, 2]);
    expect((await adapter.introspect()).tables.parents?.columns.name?.isNullable).toBe(false);
    // Foreign keys have their effect again.
    await adapter.runScripts(['DELETE FROM parents WHERE id = 1']);
    expect(await read('SELECT id FROM children')).toEqual([2]);
  });

  it('is undone if rows refer to one that does not exist any more', async () => {
    write('2.sql', `PRAGMA foreign_keys = OFF;\n${copied('id = 1')}`);
    await expect(migrations.apply()).rejects.toThrow(
      /2\.sql: FOREIGN KEY constraint failed: rows of "children" refer to rows of "parents" that do not exist\.[^]*Nothing was applied\.$/,
    );
    expect(await read('SELECT id FROM parents ORDER BY id')).toEqual([1, 2]);
    await expect(adapter.runScripts(['INSERT INTO children VALUES (3, 99)'])).rejects.toThrow('FOREIGN KEY');
  });
});

const postgres = withPrograms('postgres');
postgres.describe('migrations of PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.createTemplate();
  }, 60_000);
  afterAll(() => server.close());
  behaviour(postgres.it, async () => {
    const name = `migrations_${++databases}`;
    const main = server.adapter();
    await main.execute({ text: `CREATE DATABASE ${name}`, kind: 'read' }, []);
    return server.adapter({}, name);
  });

  describe('that change their session', () => {
    let folder: string;
    let adapter: PostgresAdapter;
    const read = async (text: string): Promise<readonly unknown[]> =>
      (await adapter.execute({ text, kind: 'read', adHoc: true }, [])).map((row) => Object.values(row)[0]);

    beforeEach(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'sessions-'));
      const name = `sessions_${++databases}`;
      await server.adapter().execute({ text: `CREATE DATABASE ${name}`, kind: 'read' }, []);
      // One connection, so that the next statement would have the settings of a migration.
      adapter = server.adapter({ pool: 1 }, name);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    postgres.it('are recorded, and leave the next file and the connection as they were', async () => {
      const before = await read('SHOW statement_timeout');
      writeFileSync(
        path.join(folder, '1.sql'),
        'CREATE SCHEMA other; SET search_path=other; CREATE TABLE o1 (id int PRIMARY KEY);\nSET statement_timeout=59000; SET ROLE pg_monitor; CREATE TEMP TABLE t (x int)',
      );
      writeFileSync(
        path.join(folder, '2.sql'),
        "CREATE TABLE a (x text);\nINSERT INTO a SELECT current_setting('statement_timeout') || ' ' || current_user;\nSELECT pg_sleep(0.01)",
      );
      writeFileSync(
        path.join(folder, '3.sql'),
        "SELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE public.b (x int);",
      );
      const migrations = new Migrations(folder, adapter);
      expect(await migrations.apply()).toEqual(['1.sql', '2.sql', '3.sql']);
      expect((await migrations.status()).map(({ state }) => state)).toEqual([
        'applied',
        'applied',
        'applied',
      ]);
      expect(await read('SELECT x FROM public.a')).toEqual(['0 admin']);
      expect(await read('SHOW statement_timeout')).toEqual(before);
      expect(await read('SELECT current_schemas(false)::text')).toEqual(['{public}']);
      expect(await read("SELECT to_regclass('pg_temp.t')::text")).toEqual([null]);
      expect(Object.keys((await adapter.introspect()).tables)).toEqual(
        expect.arrayContaining(['a', 'b', 'other.o1', 'platform_migrations']),
      );
    });
  });
});
