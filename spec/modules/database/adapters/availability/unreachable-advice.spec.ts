import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTables } from '../../../../factories/database/table-databases';

const folder = mkdtempSync(path.join(tmpdir(), 'unreachable-'));
afterAll(() => rmSync(folder, { recursive: true }));

const services = {
  Product: {
    table_name: 'products',
    route: '/products[/:id]',
    columns: { id: {}, name: {} },
    collection: { GET: {} },
  },
};

async function warningAbout(file: string): Promise<string | undefined> {
  const platform = await startTables({ services }, { adapter: 'SqliteAdapter', options: { file } });
  await platform.stop();
  return platform.application.warnings.find((warning) => warning.includes('cannot be reached'));
}

describe('The warning about a database that cannot be reached', () => {
  it('advises to move a folder away that has its name', async () => {
    const file = path.join(folder, 'folder.sqlite');
    mkdirSync(file);
    expect(await warningAbout(file)).toMatch(
      /folder\.sqlite\) cannot be reached: .* It is a folder: move it away, or set platform-db\.adapters\.db\.options\.file to another file\.$/,
    );
  });

  it('advises to restore a file that is not a database', async () => {
    const file = path.join(folder, 'random.sqlite');
    writeFileSync(file, 'no database'.repeat(500));
    expect(await warningAbout(file)).toMatch(
      /cannot be reached: file is not a database\. .* Restore the file from a backup, or move it away, and the next start creates an empty one\.$/,
    );
  });
});
