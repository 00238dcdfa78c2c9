import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { makeProject } from '../../../factories/platform';
import { SERVER } from '../../../factories/processes/platform-process';
import { withPrograms } from '../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const { describe, it } = withPrograms('unshare');

/** Mounts a small file system in a namespace of its own, starts the server, and executes commands. */
const SCRIPT = `mount -t tmpfs -o size=1m tmpfs data
cp shop.sqlite data/
eval "$3"
"$1" "$2" <&- &
while read -r command; do eval "$command" || true; echo "executed $command"; done
kill $!
wait`;

/** A server whose database is on a small file system. */
class SmallDisk {
  readonly #root = makeProject({
    modules: [...HOSTING, 'database'],
    local: {
      'platform-db': {
        adapters: { db: { adapter: 'SqliteAdapter', options: { file: 'data/shop.sqlite' } } },
      },
      'platform-hosting': {
        apis: {
          Shop: {
            versions: {
              '1': {
                services: {
                  Thing: {
                    kind: 'table',
                    adapter_name: 'db',
                    table_name: 'things',
                    route: '/things[/:id]',
                    route_identifier_name: 'id',
                    columns: { id: {}, name: {} },
                    collection: { GET: {}, POST: {} },
                    entity: { GET: {} },
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  readonly #child;
  readonly #lines: string[] = [];
  readonly #ended: Promise<unknown>;

  /**
   * @param prepare a command before the server starts
   * @param sql statements before the table is created
   */
  constructor(prepare = '', sql = '') {
    mkdirSync(path.join(this.#root, 'data'), { recursive: true });
    writeFileSync(path.join(this.#root, 'run.sh'), SCRIPT);
    const database = openDatabase(path.join(this.#root, 'shop.sqlite'));
    database.exec(
      `${sql} CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO things VALUES (1, 'first')`,
    );
    database.close();
    this.#child = spawn('unshare', ['-rm', 'sh', 'run.sh', process.execPath, SERVER, prepare], {
      cwd: this.#root,
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off' },
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    for (const output of [this.#child.stdout, this.#child.stderr])
      createInterface(output).on('line', (line) => this.#lines.push(line));
  }

  async request(to: string, init?: RequestInit): Promise<Response> {
    const line = await this.printed(/^API +(http:\/\/[^/]+)/);
    return fetch((/http:\/\/[^/]+/.exec(line) ?? [''])[0] + to, init);
  }

  /** Executes a command in the namespace. */
  async run(command: string): Promise<void> {
    this.#child.stdin.write(`${command}\n`);
    await this.printed(new RegExp(`^executed ${command.slice(0, 10)}`));
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
    rmSync(this.#root, { recursive: true });
  }

  /** The first line of the output that matches. */
  async printed(text: RegExp): Promise<string> {
    for (;;) {
      const found = this.#lines.find((line) => text.test(line));
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`The server ended: ${this.#lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('a database of SQLite', () => {
  it('on a full disk refuses writes with 507, reads, and writes again when there is space', async () => {
    const disk = new SmallDisk();
    try {
      const post = (name: string) => disk.request('/things', sendJson({ name }));
      const batch = (...names: string[]) =>
        disk.request(
          '/platform/batch',
          sendJson({
            operations: names.map((name) => ({ method: 'POST', path: '/things', body: { name } })),
          }),
        );
      expect((await post('second')).status).toBe(201);
      await disk.run('head -c 4m /dev/zero > data/fill');
      const large = 'x'.repeat(20_000);
      for (const refused of [await post(large), await batch('small', large), await post(large)]) {
        expect(refused.status).toBe(507);
        expect((await bodyOf(refused)).detail).toContain('the data cannot be stored now. Try again later.');
      }
      expect(await bodyOf(await disk.request('/things/2'))).toEqual({ id: 2, name: 'second' });
      await disk.run('rm data/fill');
      expect((await post('third')).status).toBe(201);
      expect((await batch('fourth', large)).status).toBe(200);
      const { items } = (await bodyOf(await disk.request('/things'))) as { items: { name: string }[] };
      expect(items.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'fourth', large]);
    } finally {
      await disk.stop();
    }
  }, 120_000);

  it.each([
    [
      '',
      /disk is full\. .* Free space on its disk, or set platform-db\.adapters\.db\.options\.file to a file/,
    ],
    [
      'PRAGMA journal_mode = WAL;',
      /disk I\/O error\. .* Free space on its disk, in case it is full, or set /,
    ],
  ])(
    'on a full disk at the start is a warning that says so, 503, and served when there is space (%s)',
    async (sql, warning) => {
      const disk = new SmallDisk('head -c 4m /dev/zero > data/fill', sql);
      try {
        expect(await disk.printed(/cannot be reached/)).toMatch(warning);
        expect((await disk.request('/things/1')).status).toBe(503);
        await disk.run('rm data/fill');
        let response = await disk.request('/things/1');
        while (response.status === 503) response = await disk.request('/things/1');
        expect(await bodyOf(response)).toEqual({ id: 1, name: 'first' });
      } finally {
        await disk.stop();
      }
    },
    120_000,
  );

  it('on a read-only file system is 503, and served when it can be written', async () => {
    const disk = new SmallDisk('mount -o remount,ro data');
    try {
      const refused = await disk.request('/things', sendJson({ name: 'second' }));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      await disk.run('mount -o remount,rw data');
      let response = refused;
      while (response.status === 503) response = await disk.request('/things', sendJson({ name: 'second' }));
      expect(response.status).toBe(201);
      const { items } = (await bodyOf(await disk.request('/things'))) as { items: { name: string }[] };
      expect(items.map(({ name }) => name)).toEqual(['first', 'second']);
    } finally {
      await disk.stop();
    }
  }, 120_000);
});
