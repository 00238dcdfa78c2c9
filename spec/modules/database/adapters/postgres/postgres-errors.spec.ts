import {
  DatabaseError,
  type DatabaseErrorKind,
} from '../../../../../src/modules/database/adapters/database-error';
import { PostgresAdapter } from '../../../../../src/modules/database/adapters/postgres/postgres-adapter';
import { toDatabaseError } from '../../../../../src/modules/database/adapters/postgres/postgres-errors';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { rows, writing } from '../../../../factories/database/sqlite';

const { describe, it } = withPrograms('postgres');

describe('errors of PostgreSQL', () => {
  let server: PostgresServer;
  let adapter: PostgresAdapter;

  beforeAll(async () => {
    server = await PostgresServer.start();
    adapter = server.adapter();
    await adapter.runScripts([
      `CREATE TABLE makers (id integer PRIMARY KEY, "The Name" text UNIQUE);
       CREATE TABLE products (
         id integer PRIMARY KEY, maker_id integer REFERENCES makers (id), name varchar(5) NOT NULL,
         price numeric(5, 2) CHECK (price >= 0), low integer, high integer, at date,
         during int4range, total integer GENERATED ALWAYS AS (low + high) STORED,
         UNIQUE (maker_id, name), CONSTRAINT bounds CHECK (low < high),
         EXCLUDE USING gist (during WITH &&));
       CREATE UNIQUE INDEX makers_lower ON makers (lower("The Name"));
       CREATE TABLE customers (email text, active boolean, gone_at date, region text, note text);
       CREATE UNIQUE INDEX customers_email ON customers (lower(email)) WHERE active;
       CREATE UNIQUE INDEX customers_note ON customers (note) WHERE gone_at IS NULL;
       CREATE UNIQUE INDEX customers_region ON customers (region, (email || note)) WHERE gone_at > '2024-01-01';
       CREATE VIEW totals AS SELECT count(*) AS n FROM products;
       CREATE FUNCTION refuse() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$;
       CREATE FUNCTION refuse_as(code text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'not today' USING ERRCODE = code; END $$;
       CREATE FUNCTION find_one() RETURNS integer LANGUAGE plpgsql AS $$ DECLARE found integer; BEGIN
         SELECT id INTO STRICT found FROM makers WHERE id = 99; RETURN found; END $$;
       CREATE TABLE private_notes (owner text);
       ALTER TABLE private_notes ENABLE ROW LEVEL SECURITY;
       CREATE POLICY own ON private_notes USING (true) WITH CHECK (owner = current_user);
       CREATE TABLE secrets (id integer);
       CREATE ROLE client LOGIN;
       GRANT ALL ON private_notes TO client;
       INSERT INTO makers VALUES (1, 'A');
       INSERT INTO customers VALUES ('a@b.c', true, NULL, NULL, 'first'), ('x', false, '2025-01-01', 'EU', 'old');
       INSERT INTO products (id, maker_id, name, during) VALUES (1, 1, 'Globe', '[1, 5)')`,
    ]);
  }, 60_000);
  afterAll(() => server.close());

  it.each<readonly [string, DatabaseErrorKind, readonly string[], string | undefined]>([
    ["INSERT INTO products (id, name) VALUES (1, 'Map')", 'unique', ['id'], 'products_pkey'],
    [
      "INSERT INTO products (id, maker_id, name) VALUES (2, 1, 'Globe')",
      'unique',
      ['maker_id', 'name'],
      'products_maker_id_name_key',
    ],
    [`INSERT INTO makers VALUES (2, 'A')`, 'unique', ['The Name'], 'makers_The Name_key'],
    [`INSERT INTO makers VALUES (2, 'a')`, 'unique', ['The Name'], 'makers_lower'],
    [`INSERT INTO customers VALUES ('A@B.C', true)`, 'unique', ['email'], 'customers_email'],
    [`INSERT INTO customers (note) VALUES ('first')`, 'unique', ['note'], 'customers_note'],
    [
      `INSERT INTO customers VALUES ('x', false, '2026-01-01', 'EU', 'old')`,
      'unique',
      ['email', 'region', 'note'],
      'customers_region',
    ],
    [
      "INSERT INTO products (id, name, during) VALUES (2, 'Map', '[4, 6)')",
      'unique',
      ['during'],
      'products_during_excl',
    ],
    [
      "INSERT INTO products (id, name, maker_id) VALUES (2, 'Map', 9)",
      'foreign_key',
      ['maker_id'],
      'products_maker_id_fkey',
    ],
    ['DELETE FROM makers WHERE id = 1', 'foreign_key', ['id'], 'products_maker_id_fkey'],
    ['INSERT INTO products (id) VALUES (2)', 'not_null', ['name'], undefined],
    [
      "INSERT INTO products (id, name, price) VALUES (2, 'Map', -1)",
      'check',
      ['price'],
      'products_price_check',
    ],
    [
      "INSERT INTO products (id, name, low, high) VALUES (2, 'Map', 2, 1)",
      'check',
      ['low', 'high'],
      'bounds',
    ],
    ['SELECT refuse()', 'check', [], undefined],
    ["SELECT refuse_as('AB123')", 'check', [], undefined],
    ["SELECT refuse_as('45000')", 'check', [], undefined],
    ["SELECT refuse_as('P0002')", 'check', [], undefined],
    ['SELECT find_one()', 'check', [], undefined],
    ["SELECT refuse_as('0Z000')", 'unknown', [], undefined],
    ["SELECT refuse_as('42501')", 'schema', [], undefined],
    ["INSERT INTO products (id, name) VALUES (2, 'Globes')", 'too_long', [], undefined],
    ["INSERT INTO products (id, name, price) VALUES (2, 'Map', 1000)", 'invalid_value', [], undefined],
    ["INSERT INTO products (id, name) VALUES (3000000000, 'Map')", 'invalid_value', [], undefined],
    ["INSERT INTO products (id, name) VALUES ('x', 'Map')", 'invalid_value', [], undefined],
    ["INSERT INTO products (id, name, at) VALUES (2, 'Map', '2023-02-30')", 'invalid_value', [], undefined],
    ['SELECT 1 / 0', 'invalid_value', [], undefined],
    ['SELECT * FROM missing', 'schema', [], undefined],
    ['SELECT missing FROM products', 'schema', [], undefined],
    ["INSERT INTO products (id, name, total) VALUES (2, 'Map', 1)", 'schema', [], undefined],
    ['INSERT INTO totals VALUES (1)', 'schema', [], undefined],
    ['SELECT (', 'unknown', [], undefined],
  ])('%s is %s of %j', async (text, kind, columns, constraint) => {
    const execution = rows(adapter, text);
    await expect(execution).rejects.toBeInstanceOf(DatabaseError);
    await expect(execution).rejects.toMatchObject({ kind, columns, constraint });
    const transaction = adapter.transaction(async (executor) => executor.execute(writing(text), []));
    await expect(transaction).rejects.toMatchObject({ name: 'DatabaseError', kind, columns, constraint });
  });

  it('a row that a policy refuses is a failed check, unlike a missing privilege', async () => {
    const client = new PostgresAdapter({ url: server.url().replace('admin:secret', 'client:secret') });
    try {
      const insert = rows(client, "INSERT INTO private_notes VALUES ('admin')");
      await expect(insert).rejects.toMatchObject({ kind: 'check', columns: [] });
      await expect(rows(client, 'SELECT * FROM secrets')).rejects.toMatchObject({ kind: 'schema' });
    } finally {
      await client.close();
    }
  });

  it('a deadlock is a conflict of one of the transactions', async () => {
    await adapter.runScripts([`INSERT INTO makers VALUES (11, 'x'), (12, 'y')`]);
    const update = writing('UPDATE makers SET "The Name" = $2 WHERE id = $1');
    let arrived = 0;
    let open: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (open = resolve));
    const swap = (first: number, second: number): Promise<unknown> =>
      adapter.transaction(async (executor) => {
        await executor.execute(update, [first, `from ${first}`]);
        if (++arrived === 2) open();
        await both;
        await executor.execute(update, [second, `from ${first} too`]);
      });
    const results = await Promise.allSettled([swap(11, 12), swap(12, 11)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ kind: 'conflict' }) as unknown,
    });
  });

  it('a database or a password that the server does not accept makes it unavailable', async () => {
    const other = server.adapter({}, 'missing');
    await expect(rows(other, 'SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(other.isAvailable).toBe(false);
  });
});

test.each<readonly [string, DatabaseErrorKind]>([
  ['40001', 'conflict'],
  ['26000', 'conflict'],
  ['57P01', 'unavailable'],
  ['53300', 'unavailable'],
  ['08006', 'unavailable'],
  ['25006', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ERR_INVALID_ARG_TYPE', 'unknown'],
  ['EPIPE', 'unavailable'],
  ['99999', 'check'],
])('the code %s is %s', (code, kind) => {
  expect(toDatabaseError(Object.assign(new Error('failed'), { code })).kind).toBe(kind);
});
