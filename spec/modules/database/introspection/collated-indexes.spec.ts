import { objectOf, type ConfigObject } from '../../../../src/framework';
import { createSqliteTables } from '../../../factories/database/created-tables';
import { withPrograms } from '../../../factories/processes/programs';
import { PostgresServer } from '../../../factories/database/postgres';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { startTables } from '../../../factories/database/table-databases';

const service = {
  table_name: 'rooms',
  route: '/rooms[/:code]',
  route_identifier_name: 'code',
  columns: { code: {}, name: {} },
  entity: { GET: {}, DELETE: {} },
};
const NOT_UNIQUE = '"code" identifies an entity, and is not unique in rooms.';

const refusalWith = (adapter: ConfigObject): Promise<string> =>
  startRefusal({
    modules: [...HOSTING, 'database'],
    local: {
      'platform-db': { adapters: { shop: adapter } },
      'platform-hosting': {
        apis: {
          Shop: {
            versions: { '1': { services: { Room: { kind: 'table', adapter_name: 'shop', ...service } } } },
          },
        },
      },
    },
  });

const sqlite = (script: string) => ({
  adapter: 'SqliteAdapter',
  options: objectOf(createSqliteTables(script).options),
});

describe('A column identifies entities only if no two rows are equal in its collation', () => {
  it.each([
    'CREATE TABLE rooms (code TEXT COLLATE NOCASE, name TEXT); CREATE UNIQUE INDEX codes ON rooms (code COLLATE BINARY);',
    'CREATE TABLE rooms (code TEXT COLLATE nocase, name TEXT, UNIQUE (code COLLATE RTRIM));',
    'CREATE TABLE rooms (code TEXT COLLATE NOCASE, name TEXT, PRIMARY KEY (code COLLATE BINARY));',
    'CREATE TABLE rooms (code TEXT COLLATE NOCASE, name TEXT, PRIMARY KEY (code COLLATE BINARY)) WITHOUT ROWID;',
  ])('refuses %s', async (script) => {
    expect(await refusalWith(sqlite(script))).toContain(NOT_UNIQUE);
  });

  it.each([
    // Texts that are equal in the collation of the column are so in that of the index.
    'CREATE TABLE rooms (code TEXT, name TEXT); CREATE UNIQUE INDEX codes ON rooms (code COLLATE NOCASE);',
    'CREATE TABLE rooms (code TEXT COLLATE NOCASE, name TEXT); CREATE UNIQUE INDEX codes ON rooms (code);',
    `CREATE TABLE rooms (code TEXT CHECK (code COLLATE NOCASE <> 'x'), name TEXT, UNIQUE (code));`,
    'CREATE TABLE rooms ("code" TEXT COLLATE "nocase", name TEXT, UNIQUE (code COLLATE NoCase));',
    'CREATE TABLE rooms (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT);',
  ])('accepts %s', async (script) => {
    const platform = await startTables(
      { services: { Room: service } },
      sqlite(`${script} INSERT INTO rooms VALUES ('ab', 'Hall');`),
    );
    try {
      expect(await bodyOf(await platform.request('/rooms/ab'))).toEqual({ code: 'ab', name: 'Hall' });
    } finally {
      await platform.stop();
    }
  });
});

const postgres = withPrograms('postgres');
postgres.describe('A column of PostgreSQL with a collation that ignores case', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await PostgresServer.start()), 60_000);
  afterAll(() => server.close());

  postgres.it('identifies entities only by an index in its own collation', async () => {
    await server.adapter().runScripts([
      `CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
       CREATE TABLE rooms (code text COLLATE anycase, name text);
       CREATE UNIQUE INDEX codes ON rooms (code COLLATE "C") INCLUDE (name);`,
    ]);
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
    expect(await refusalWith(adapter)).toContain(NOT_UNIQUE);
    await server.adapter().runScripts(['CREATE UNIQUE INDEX own ON rooms (code)']);
    await (await startTables({ services: { Room: service } }, adapter)).stop();
  });
});
