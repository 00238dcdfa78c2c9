import type { ConfigObject } from '../../../../../src/framework';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';
import { sendJson } from '../../../../factories/http/requests';

const ID = '6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11';

const service = (table: string, parameter: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: table,
  route: `/${table}/:id`,
  route_identifier_name: 'id',
  parameters: { id: parameter },
  columns: { id: {}, name: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
});

describeOnBothDatabases(
  'a route parameter with a declared schema',
  {
    sql: () => `
      CREATE TABLE visits (id UUID NOT NULL PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE numbers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE letters (id VARCHAR(9) PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO visits VALUES ('${ID}', 'One');
      INSERT INTO numbers VALUES (1, 'One'), (20, 'Twenty');
      INSERT INTO letters VALUES ('a', 'A'), ('B', 'B');`,
    services: {
      Visit: service('visits', { type: 'string', description: 'Assigned by the server.' }),
      Number: service('numbers', { description: 'Counts.', maximum: 9 }),
      Letter: service('letters', { type: 'string', pattern: '^[a-z]+$' }),
    },
  },
  ({ it, platform }) => {
    const status = async (path: string, init: RequestInit = {}) =>
      (await platform().request(path, init)).status;

    it.each([`/visits/${ID}`, '/numbers/1', '/letters/a'])('finds %s', async (path) => {
      expect(await status(path)).toBe(200);
    });

    it.each([
      '/visits/x',
      `/visits/${ID}0`,
      '/visits/%00',
      '/numbers/x',
      '/numbers/1.5',
      '/numbers/-99999999999',
      '/numbers/20',
      '/letters/B',
      '/letters/muchtoolong',
    ])('%s is 404, by its type or by the declaration', async (path) => {
      expect(await status(path)).toBe(404);
      expect(await status(path, sendJson({ name: 'X' }, 'PUT'))).toBe(404);
      expect(await status(path, sendJson({ name: 'X' }, 'PATCH'))).toBe(404);
      expect(await status(path, { method: 'DELETE' })).toBe(404);
    });
  },
);
