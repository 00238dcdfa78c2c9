import { objectOf } from '../../../../../src/framework';
import { createSqliteTables } from '../../../../factories/database/created-tables';
import type { TestPlatform } from '../../../../factories/platform';
import { bodyOf } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';
import { PAIR_SERVICE, TEXT_KEY_TABLES, WORD_SERVICE } from '../../../../factories/database/text-keys';

describe('A list of rows without a primary key, which SQLite allows', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const adapter = createSqliteTables(`${TEXT_KEY_TABLES}
      INSERT INTO words VALUES (NULL, 1), ('x', 1), ('y', 1), ('z', 2);
      INSERT INTO pairs VALUES (NULL, 'x', 1), ('x', NULL, 1), ('x', 'y', 1), ('y', NULL, 2);`);
    const common = { page_size: 1, entity: { GET: {} } };
    platform = await startTables(
      {
        services: {
          Word: { ...WORD_SERVICE, ...common, collection: { GET: { sort: ['size', 'word'] } } },
          Pair: { ...PAIR_SERVICE, ...common, collection: { GET: { sort: ['size', 'a'] } } },
        },
      },
      { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
    );
  });
  afterAll(() => platform.stop());

  const WORDS = [null, 'x', 'y', 'z'];
  const PAIRS = [null, 'x', 'x', 'y'];

  interface WordPage {
    readonly found: readonly unknown[];
    readonly next: string | undefined;
    readonly previous: string | undefined;
  }
  const page = async (path: string, cursor = ''): Promise<WordPage> => {
    const query = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const response = await platform.request(path + query);
    const { items, next_cursor: next, previous_cursor: previous, errors } = await bodyOf(response);
    expect([response.status, errors]).toEqual([200, undefined]);
    const textOf = (one: unknown): string | undefined => (typeof one === 'string' ? one : undefined);
    const found = (items as Record<string, unknown>[]).map(({ word, a }) => word ?? a ?? null);
    return { found, next: textOf(next), previous: textOf(previous) };
  };

  it.each([
    ['/words', WORDS],
    ['/words?sort=size', WORDS],
    ['/words?sort=word', WORDS],
    ['/words?sort=-word', [...WORDS].reverse()],
    ['/words?sort=-size', [...WORDS].reverse()],
    ['/words?sort=size,-word', ['y', 'x', null, 'z']],
    ['/words?sort=-size,word', ['z', null, 'x', 'y']],
    ['/pairs', PAIRS],
    ['/pairs?sort=size', PAIRS],
    ['/pairs?sort=-a', [...PAIRS].reverse()],
    ['/pairs?sort=-size', [...PAIRS].reverse()],
  ])('continues after them, and before them: %s', async (path, expected) => {
    let last = await page(path);
    const found = [...last.found];
    while (last.next !== undefined && found.length <= expected.length) {
      last = await page(path, last.next);
      found.push(...last.found);
    }
    expect(found).toEqual(expected);
    const backwards = [...last.found];
    while (last.previous !== undefined && backwards.length <= expected.length) {
      last = await page(path, last.previous);
      backwards.unshift(...last.found);
    }
    expect(backwards).toEqual(expected);
  });
});
