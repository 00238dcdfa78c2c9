import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startTables } from '../../../factories/database/table-databases';
import { bodyOf } from '../../../factories/http/requests';
import type { TestPlatform } from '../../../factories/platform';

describe('virtual tables of SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'virtual-'));
  const file = path.join(folder, 'words.sqlite');
  beforeAll(() => {
    const database = openDatabase(file);
    database.exec(`CREATE VIRTUAL TABLE "the words" USING fts5(text);
      INSERT INTO "the words" VALUES ('globe'), ('lamp');
      CREATE VIEW words AS SELECT CAST(rowid AS INTEGER) AS id, CAST(text AS TEXT) AS text FROM "the words";`);
    database.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const startOver = (table: string): Promise<TestPlatform> =>
    startTables(
      {
        services: {
          Word: {
            table_name: table,
            route: '/words[/:id]',
            columns: { id: {}, text: {} },
            collection: { GET: {} },
            entity: { GET: {} },
          },
        },
      },
      { adapter: 'SqliteAdapter', options: { file } },
    );

  it('are not served, and the error names a view of them', async () => {
    await expect(startOver('the words')).rejects.toThrow(
      'The service Word of Tables-v1: the words is a virtual table, which has no declared types and no key. Use a view of it: CREATE VIEW … AS SELECT CAST(rowid AS INTEGER) AS id, CAST(… AS TEXT) AS … FROM "the words".',
    );
  });

  it('are read through such a view', async () => {
    const platform = await startOver('words');
    try {
      expect(await bodyOf(await platform.request('/words/2'))).toEqual({ id: 2, text: 'lamp' });
    } finally {
      await platform.stop();
    }
  });
});
