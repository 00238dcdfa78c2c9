import { DatabaseUsers } from '../../../../src/modules/database/users/database-users';
import type { UserTable } from '../../../../src/modules/mvc-auth';
import { describeOnBothDatabases } from '../../../factories/both-databases';

const NAMES = ['BOB', 'bob'];

describeOnBothDatabases(
  'Users whose names the database takes for equal',
  {
    sql: (dialect) => `
      ${dialect === 'postgres' ? 'CREATE EXTENSION citext;' : ''}
      CREATE TABLE members (id INTEGER PRIMARY KEY,
        name ${dialect === 'postgres' ? 'citext' : 'TEXT COLLATE NOCASE'}, hash TEXT);
      CREATE UNIQUE INDEX exact_names ON members (${dialect === 'postgres' ? '(name::text)' : 'name COLLATE BINARY'});
      INSERT INTO members VALUES ${NAMES.map((name, id) => `(${id}, '${name}', 'of ${name}')`).join(', ')};`,
    services: {
      Member: {
        kind: 'table',
        adapter_name: 'shop',
        table_name: 'members',
        route: '/members[/:id]',
        route_identifier_name: 'id',
        columns: { id: {} },
        entity: { GET: {} },
      },
    },
  },
  ({ it, platform }) => {
    let users: UserTable;
    beforeAll(async () => {
      const settings = { db: 'shop', table: 'members', name: 'name', hash: 'hash' };
      users = await new DatabaseUsers(platform().application).open(settings);
    });
    const hashes = async (): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for (const name of NAMES) found.push((await users.find(name))?.hash);
      return found;
    };

    it('are found by their exact names', async () => {
      expect(await hashes()).toEqual(['of BOB', 'of bob']);
      expect(await users.find('Bob')).toBeUndefined();
    });

    it('have passwords of their own', async () => {
      expect(await users.change('bob', { hash: 'new' })).toBe(true);
      expect(await hashes()).toEqual(['of BOB', 'new']);
    });
  },
);
