import { proposeService } from '../../../../src/modules/database/inspection/table-proposal';
import { SqliteFiles } from '../../../factories/sqlite';

const files = new SqliteFiles();
afterAll(() => files.close());

it('A proposed service leaves out columns that are named like secrets', async () => {
  const adapter = files.adapter();
  const names = [
    'name',
    'keyboard',
    'password',
    'pwd',
    'api_key',
    'apikey',
    'private_key',
    'accessKey',
    'salt',
  ];
  await adapter.runScripts([
    `CREATE TABLE users (id INTEGER PRIMARY KEY, ${names.map((one) => `${one} TEXT`).join()})`,
  ]);
  const { users } = (await adapter.introspect()).tables;
  const columns = users === undefined ? [] : proposeService(users).columns;
  expect(columns.filter(({ isIncluded }) => isIncluded).map(({ name }) => name)).toEqual([
    'id',
    'name',
    'keyboard',
  ]);
});
