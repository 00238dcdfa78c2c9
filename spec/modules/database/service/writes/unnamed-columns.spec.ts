import type { ConfigObject } from '../../../../../src/framework';
import { ContainerModule, type Module } from '../../../../../src/platform';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';
import { bodyOf, sendJson } from '../../../../factories/http/requests';

const hooks: Module = {
  name: 'hooks',
  services: new ContainerModule(({ bind }) => {
    bind('Unchanged').toConstantValue({ beforeCreate: (values: object) => values });
  }),
};

const SET_CODE = `CREATE FUNCTION set_code() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.code = 'a'; RETURN NEW; END $$;`;

const setCode = (table: string): string =>
  `CREATE TRIGGER set_code BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION set_code();`;

/** Tables of PostgreSQL in which other values than those of the statement are stored. */
const SET_BY_DATABASE = `${SET_CODE}
  CREATE TABLE triggered (id INTEGER PRIMARY KEY, code TEXT NOT NULL);
  ${setCode('triggered')}
  CREATE TABLE divided (id INTEGER PRIMARY KEY, code TEXT NOT NULL) PARTITION BY RANGE (id);
  CREATE TABLE divided_1 PARTITION OF divided DEFAULT;
  ${setCode('divided_1')}
  CREATE TABLE ruled (id INTEGER PRIMARY KEY, code TEXT NOT NULL);
  CREATE RULE set_code AS ON INSERT TO ruled DO INSTEAD
    INSERT INTO triggered (id, code) VALUES (NEW.id, 'a') RETURNING triggered.*;
  CREATE DOMAIN code AS TEXT NOT NULL DEFAULT 'a';
  CREATE TABLE defaulted (id INTEGER PRIMARY KEY, code code);
  CREATE TABLE numbered (id INTEGER PRIMARY KEY, code INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY);`;

/** SQLite stores NULL in a primary key that is not an INTEGER. */
const NULLABLE_KEY = 'CREATE TABLE keyed (id INTEGER NOT NULL UNIQUE, code TEXT PRIMARY KEY);';

const SERVICE: ConfigObject = {
  table_name: 'parts',
  route: '/parts[/:id]',
  columns: { id: {} },
  collection: { POST: {} },
  entity: { GET: {} },
};

/** What a start says about columns that need a value. */
const unsetOf = ({ application }: TablePlatform): readonly string[] =>
  application.warnings.filter((text) => text.includes('NOT NULL'));

onEachDatabase(({ it, dialect, start }) => {
  it.each(['NULL', '((null))', 'CAST(NULL AS VARCHAR(9))'])(
    'a start warns about a column that is NOT NULL with the default NULL: %s',
    async (value) => {
      const table = `blank_${value.length}`;
      const platform = await start({
        script: `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, a VARCHAR(9) NOT NULL DEFAULT ${value.startsWith('CAST') ? `(${value})` : value},
        b VARCHAR(9) DEFAULT NULL, c BOOLEAN NOT NULL DEFAULT (CAST(NULL AS VARCHAR(9)) IS NULL))`,
        services: { Blank: { ...SERVICE, table_name: table, route: `/${table}[/:id]` } },
      });
      expect(unsetOf(platform)).toEqual([
        expect.stringContaining(`the column "a" of ${table} is NOT NULL, has no default`) as unknown,
      ]);
    },
  );

  it('a start warns about a column that needs a value and that a service does not name', async () => {
    const platform = await start({
      script: 'CREATE TABLE bare (id INTEGER PRIMARY KEY, "Bin Code" TEXT NOT NULL, note TEXT)',
      services: {
        Part: { ...SERVICE, table_name: 'bare' },
        Removed: {
          ...SERVICE,
          table_name: 'bare',
          route: '/removed[/:id]',
          columns: { id: {}, 'Bin Code': null },
        },
      },
    });
    expect(unsetOf(platform)).toEqual(
      ['Part', 'Removed'].map((name): unknown =>
        expect.stringMatching(
          new RegExp(
            `^config/autoload/\\S+\\.json:\\d+:\\d+: platform-hosting\\.apis\\.Tables\\.versions\\.1\\.services\\.${name}\\.columns: the column "Bin Code" of bare is NOT NULL, has no default, and is not among these columns, so that no row can be created without it\\. Add the column, or give it a default\\.$`,
          ),
        ),
      ),
    );
    const post = await platform.request('/parts', sendJson({ id: 1 }));
    expect([post.status, (await bodyOf(post)).detail]).toEqual([
      503,
      expect.stringMatching(/^This service does not match its database\./),
    ]);
  });

  it('a start does not warn about columns that have values without being named', async () => {
    const count = dialect === 'sqlite' ? 'AS (2) STORED' : 'GENERATED ALWAYS AS (2) STORED';
    const named = (route: string, further: ConfigObject): ConfigObject => ({
      ...SERVICE,
      route: `/${route}[/:id]`,
      ...further,
    });
    const platform = await start({
      script: `CREATE TABLE parts (id INTEGER PRIMARY KEY, code TEXT NOT NULL);
        CREATE TABLE counted (id INTEGER PRIMARY KEY, code INTEGER NOT NULL);
        CREATE TABLE filled (id INTEGER PRIMARY KEY, code TEXT NOT NULL DEFAULT 'a', count INTEGER NOT NULL ${count});
        ${dialect === 'sqlite' ? NULLABLE_KEY : ''}
        ${dialect === 'postgres' ? SET_BY_DATABASE : ''}`,
      extra: [hooks],
      services: {
        Read: named('read', { collection: {} }),
        Hooked: named('hooked', { hooks: 'Unchanged' }),
        Owned: named('owned', { rows: { code: 'identity.name' } }),
        Nested: { ...SERVICE, route: '/bins/:code/parts[/:id]' },
        Counted: named('counted', { table_name: 'counted', revision: 'code' }),
        ...(dialect === 'sqlite' ? { Keyed: named('keyed', { table_name: 'keyed' }) } : {}),
        Filled: named('filled', { table_name: 'filled' }),
        ...(dialect === 'postgres'
          ? Object.fromEntries(
              ['triggered', 'divided', 'ruled', 'defaulted', 'numbered'].map((table) => [
                `Of_${table}`,
                named(table, { table_name: table }),
              ]),
            )
          : {}),
      },
    });
    expect(unsetOf(platform)).toEqual([]);
    if (dialect === 'sqlite') return;
    for (const table of ['triggered', 'divided', 'ruled', 'defaulted', 'numbered'])
      expect([table, (await platform.request(`/${table}`, sendJson({ id: 7 }))).status]).toEqual([
        table,
        table === 'ruled' ? 409 : 201,
      ]);
  });
});
