import { objectOf } from '../../../src/framework';
import { createSqliteTables } from '../../factories/created-tables';
import type { TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/requests';
import { startTables } from '../../factories/table-databases';
import { PAIR_SERVICE, TEXT_KEY_TABLES, WORD_SERVICE } from '../../factories/text-keys';

describe('A list of rows without a primary key, which SQLite allows', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const adapter = createSqliteTables(`${TEXT_KEY_TABLES}
      INSERT INTO words VALUES (NULL, 1), ('x', 1), ('y', 1), ('z', 2);
      INSERT INTO pairs VALUES (NULL, 'x', 1), ('x', NULL, 1), ('x', 'y', 1), ('y', NULL, 2);`);
    const common = { page_size: 1, collection: { GET: { sort: ['size'] } }, entity: { GET: {} } };
    platform = await startTables(
      { services: { Word: { ...WORD_SERVICE, ...common }, Pair: { ...PAIR_SERVICE, ...common } } },
      { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
    );
  });
  afterAll(() => platform.stop());

  const WORDS = [null, 'x', 'y', 'z'];

  it.each([
    ['/words', WORDS],
    ['/words?sort=size', WORDS],
    ['/pairs', [null, 'x', 'x', 'y']],
    ['/pairs?sort=size', [null, 'x', 'x', 'y']],
  ])('continues after them: %s', async (path, expected) => {
    const found: unknown[] = [];
    for (let query = ''; found.length <= expected.length;) {
      const response = await platform.request(path + query);
      const { items, next_cursor: next, errors } = await bodyOf(response);
      expect([response.status, errors]).toEqual([200, undefined]);
      found.push(...(items as Record<string, unknown>[]).map(({ word, a }) => word ?? a ?? null));
      if (typeof next !== 'string') break;
      query = `${path.includes('?') ? '&' : '?'}cursor=${next}`;
    }
    expect(found).toEqual(expected);
  });
});
