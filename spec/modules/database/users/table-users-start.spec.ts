import { createSqliteTables } from '../../../factories/database/created-tables';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { Guards } from '../../../../src/modules/mvc-auth';
import type { ConfigObject } from '../../../../src/framework';

const database = createSqliteTables(
  `CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT, password_hash TEXT, roles TEXT, photo BLOB);
   INSERT INTO members (email, password_hash) VALUES ('two', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='), ('two', NULL),
     ('one', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=');
   CREATE TABLE orders (id INTEGER PRIMARY KEY);`,
);
const users: ConfigObject = { db: 'main', table: 'members', name: 'email', hash: 'password_hash' };

const project = (options: ConfigObject, modules: readonly string[] = [...HOSTING, 'database']) => ({
  modules,
  local: {
    ...(modules.includes('database') ? { 'platform-db': { adapters: { main: database } } } : {}),
    'platform-mvc-auth': {
      authentication: {
        adapters: {
          people: { adapter: 'HttpAdapter', options: { accept_schemes: ['basic'], realm: 'r', ...options } },
        },
      },
    },
  },
});
const refusalOf = (options: ConfigObject, modules?: readonly string[]): Promise<string> =>
  startRefusal(project(options, modules));

describe('the start with users of a table', () => {
  it('fails for an unknown database, table or column, and names what exists', async () => {
    expect(await refusalOf({ users: { ...users, db: 'mian' } })).toMatch(
      /^config\/autoload\/local\.json:\d+.*Authentication adapter "people": users\.db: the database adapter "mian" is not configured\. Did you mean "main"\? Available: main\./,
    );
    expect(await refusalOf({ users: { ...users, table: 'member' } })).toMatch(
      /"people": users\.table names the table "member", which the database "main" does not have\. Did you mean "members"\? Available: members, orders\./,
    );
    expect(await refusalOf({ users: { ...users, hash: 'password' } })).toMatch(
      /users\.hash names the column "password", which the table "members" of the database "main" does not have\..* Available: id, email, password_hash, roles, photo\./,
    );
  });

  it('fails for a column of another type', async () => {
    expect(await refusalOf({ users: { ...users, hash: 'photo' } })).toContain(
      'users.hash names the column "photo" of the table "members" of the database "main", which is of the type BLOB. Name a column of text.',
    );
    expect(await refusalOf({ users: { ...users, enabled: 'email' } })).toContain(
      'Name a column of booleans or integers.',
    );
    expect(await refusalOf({ users: { ...users, name: 'id' } })).toContain(
      'users.name names the column "id"',
    );
  });

  it('fails without the column that a scheme requires', async () => {
    const { hash: _, ...others } = users;
    expect(await refusalOf({ users: others })).toContain('users.hash is missing');
    expect(await refusalOf({ accept_schemes: ['digest'], nonce_timeout: '60', users })).toContain(
      'users.ha1 is missing',
    );
  });

  it('fails for a second source of users', async () => {
    expect(await refusalOf({ users, htpasswd: 'data/users' })).toContain(
      'users replaces password files, but htpasswd is set as well',
    );
    expect(await refusalOf({ users, source: 'People' })).toContain('both users and source are set');
    expect(await refusalOf({ users: { ...users, groups: 'roles' }, htgroup: 'data/groups' })).toContain(
      'users.groups and htgroup both define the groups',
    );
  });

  it('fails without the module that provides databases', async () => {
    expect(await refusalOf({ users }, HOSTING)).toContain(
      'add "database" to "modules" in config/application.json',
    );
  });

  it('warns about names that are not unique, with which nobody can sign in', async () => {
    const platform = await startTestPlatform(project({ users }));
    try {
      const guards = await platform.application.services.get(Guards);
      const lookUp = (name: string) => guards.adapter('people')?.adapter.lookUp?.(name);
      expect(await lookUp('one')).toMatchObject({ username: 'one' });
      expect(await lookUp('two')).toBeUndefined();
      expect(platform.application.warnings.join('\n')).toContain(
        'the column "email" of the table "members" of the database "main" is not unique',
      );
    } finally {
      await platform.stop();
    }
  });
});
