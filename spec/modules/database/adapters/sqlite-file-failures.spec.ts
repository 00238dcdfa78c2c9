import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../../src/framework';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import type { TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { startTables } from '../../../factories/database/table-databases';

const services: Readonly<Record<string, ConfigObject>> = {
  Thing: {
    table_name: 'things',
    route: '/things[/:id]',
    columns: { id: {}, name: {} },
    collection: { GET: {}, POST: {} },
    entity: { GET: {}, PATCH: {}, DELETE: {} },
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'failures-'));
afterAll(() => rmSync(folder, { recursive: true }));

function create(file: string, name: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const database = openDatabase(file);
  database.exec(
    `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO things (name) VALUES ('${name}')`,
  );
  database.close();
}

describe('a service over a table of SQLite', () => {
  let file: string;
  let platform: TestPlatform;
  let number = 0;
  beforeEach(async () => {
    file = path.join(folder, String(++number), 'shop.sqlite');
    create(file, 'first');
    const adapter = { adapter: 'SqliteAdapter', options: { file, statement_timeout: 1 } };
    platform = await startTables({ services }, adapter);
  });
  afterEach(() => platform.stop());

  const get = () => platform.request('/things/1');
  const post = () => platform.request('/things', sendJson({ name: 'more' }));
  const batch = () =>
    platform.request(
      '/platform/batch',
      sendJson({ operations: [{ method: 'POST', path: '/things', body: { name: 'more' } }] }),
    );

  async function expectUnavailable(...requests: readonly (() => Promise<Response>)[]): Promise<void> {
    for (const request of requests) {
      const response = await request();
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await response.text()).not.toMatch(/sqlite|things|locked/i);
    }
  }

  it('responds to writes with 503 while another process holds the lock, and to reads as before', async () => {
    const other = openDatabase(file);
    other.exec('BEGIN EXCLUSIVE');
    await expectUnavailable(post, batch);
    expect((await get()).status).toBe(200);
    other.exec('ROLLBACK');
    other.close();
    expect([(await post()).status, (await batch()).status]).toEqual([201, 200]);
  });

  it('responds with 503 while its file is missing, and with its rows when it is back', async () => {
    for (const suffix of ['', '-wal', '-shm']) renameSync(file + suffix, `${file}.away${suffix}`);
    await delay(150);
    await expectUnavailable(get, post, batch);
    for (const suffix of ['', '-wal', '-shm']) renameSync(`${file}.away${suffix}`, file + suffix);
    expect(await (await get()).json()).toMatchObject({ name: 'first' });
    expect([(await post()).status, (await batch()).status]).toEqual([201, 200]);
  });

  it('reads and writes the file that takes the place of its own', async () => {
    const other = path.join(folder, `${number}.backup`);
    create(other, 'restored');
    expect((await batch()).status).toBe(200);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix);
    renameSync(other, file);
    await delay(150);
    expect(await (await get()).json()).toMatchObject({ name: 'restored' });
    expect([(await post()).status, (await batch()).status]).toEqual([201, 200]);
    const database = openDatabase(file);
    expect(database.prepare('SELECT count(*) AS count FROM things').get()).toMatchObject({ count: 3 });
    database.close();
  });

  it('responds with 503 when its file is damaged', async () => {
    const whole = `${file}.copy`;
    const database = openDatabase(file);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    copyFileSync(file, whole);
    truncateSync(file, 4096);
    await expectUnavailable(get);
    expect((await post()).status).toBe(503);
  });

  it('starts with a file that is not a database, responds with 503, and with its rows when it is replaced', async () => {
    const broken = path.join(folder, 'broken.sqlite');
    writeFileSync(broken, 'This is a text. '.repeat(1000));
    const early = await startTables({ services }, { adapter: 'SqliteAdapter', options: { file: broken } });
    try {
      const refused = await early.request('/things/1');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      rmSync(broken);
      create(`${broken}.new`, 'found');
      renameSync(`${broken}.new`, broken);
      while ((await early.request('/things/1')).status !== 200) await delay(20);
    } finally {
      await early.stop();
    }
  }, 30_000);
});
