import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fill, rows, SqliteFiles } from '../../../../factories/database/sqlite';
import { ROOT } from '../../../../factories/platform';
import path from 'node:path';

const ADAPTER = path.join(ROOT, 'dist/modules/database/adapters/sqlite/sqlite-adapter.js');

const files = new SqliteFiles();
afterAll(() => files.close());

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

/** A process that runs a script with `adapter`, the adapter of a file, and the function that waits for its end. */
function start(file: string, script: string): readonly [ChildProcess, () => Promise<Ended>] {
  const code = `
    require('reflect-metadata');
    const { SqliteAdapter } = require(${JSON.stringify(ADAPTER)});
    const adapter = new SqliteAdapter({ file: ${JSON.stringify(file)} });
    const write = (text) => adapter.execute({ text, kind: 'write' }, []);
    const read = (text) => adapter.execute({ text, kind: 'read' }, []);
    (async () => { ${script} })();`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(([status, signal]) => ({
    code: status as number | null,
    signal: signal as NodeJS.Signals | null,
    errors,
  }));
  return [child, () => ended];
}

const SCAN = "await read('SELECT count(*) FROM products WHERE price <> 0');";
const LONG =
  "read('WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n')";

test.each([
  ['ends by itself when it has nothing to do, also with an open database', SCAN, 0],
  ['ends on exit with idle threads', `${SCAN} process.exit(3);`, 3],
  ['ends on exit while a statement runs', `${LONG}; setTimeout(() => process.exit(3), 100);`, 3],
  ['ends after a running statement', `${LONG};`, 0],
  ['ends after close', `${SCAN} ${LONG}; await adapter.close();`, 0],
])('a process %s', async (_, script, code) => {
  const adapter = await files.shop(3000);
  const [, ended] = start(adapter.target, script);
  expect(await ended()).toEqual({ code, signal: null, errors: '' });
});

test('a process killed while it writes leaves nothing half-written', async () => {
  const adapter = await files.shop();
  const [child, ended] = start(
    adapter.target,
    `await Promise.all([
       (async () => { for (let i = 0; ; i++) {
         await write("INSERT INTO products (name, price) VALUES ('single " + i + "', 1)");
         if (i % 10 === 0) await new Promise(setImmediate);
       } })(),
       (async () => { for (let i = 0; ; i++) await adapter.transaction(async (executor) => {
         for (const half of ['left', 'right'])
           await executor.execute({ text: "INSERT INTO products (name, price) VALUES (?, 2)", kind: 'write' }, [half + ' ' + i]);
         if (i === 20) console.log('writing');
       }); })(),
     ]);`,
  );
  // A process that ends by itself has the wrong signal.
  await Promise.race([once(child.stdout!, 'data'), ended()]);
  child.kill('SIGKILL');
  expect((await ended()).signal).toBe('SIGKILL');
  expect(await rows(adapter, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const halves = `SELECT sum(name LIKE 'left %') AS lefts, sum(name LIKE 'right %') AS rights FROM products WHERE price = 2`;
  const [{ lefts, rights } = { lefts: 0, rights: 1 }] = await rows(adapter, halves);
  expect(lefts).toBe(rights);
  expect(lefts).toBeGreaterThanOrEqual(20);
  // Its locks are free.
  await rows(adapter, fill(1));
});
