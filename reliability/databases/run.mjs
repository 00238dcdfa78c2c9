// Two clients race on one row of each database, the server is killed while it writes, and PostgreSQL fails under load. No
// update may be lost, nothing half-written, and services recover. Prints a summary; exits with 1 if something is wrong.
//
// node reliability/databases/run.mjs [INCREMENTS]
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresFolder, startPostgres } from '../../scripts/postgres.mjs';
import { killWhileWriting } from './kills.mjs';
import { outages } from './outages.mjs';
import { makeProject, startServer, TABLES } from './project.mjs';
import { race } from './race.mjs';

const load = createRequire(import.meta.url);

const increments = Number(process.argv[2] ?? '10000');
if (!Number.isSafeInteger(increments) || increments < 1) {
  process.stderr.write(`"${process.argv[2]}" is not a number of increments.\n`);
  process.exit(2);
}
/** Writes that are acknowledged while the server is killed again and again, and kills at least. */
const writes = Math.max(Math.ceil(increments / 10), 10);
const isShort = increments < 1000;
const kills = isShort ? 1 : 20;

const problems = [];
const say = (text) => process.stdout.write(`${text}\n`);

async function play(database, folder, adapter, services) {
  makeProject(folder, adapter);
  const server = await startServer(folder);
  try {
    for (const [at, service] of services.entries()) {
      const { refused, problems: found } = await race(server.origin, service, at + 1, increments);
      say(`${database}, ${service}: ${increments} increments by two clients, ${refused} refused with 412`);
      problems.push(...found);
    }
  } finally {
    await server.kill('SIGTERM');
  }
  const killed = await killWhileWriting(folder, writes, kills);
  say(
    `${database}, killed while it writes: ${killed.acknowledged} writes acknowledged, ` +
      `${killed.batches.length} batches sent, ${killed.stored} rows stored`,
  );
  problems.push(...killed.problems);
}

async function sqlite() {
  const { openDatabase } = load('../../dist/modules/database/adapters/sqlite/sqlite-driver.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'reliability-'));
  const file = path.join(folder, 'data.sqlite');
  const database = openDatabase(file);
  database.exec(TABLES);
  database.close();
  await play('SQLite', folder, { adapter: 'SqliteAdapter', options: { file } }, ['hashed', 'revised']);
  const again = openDatabase(file);
  const [{ integrity_check: result }] = again.prepare('PRAGMA integrity_check').all();
  again.close();
  if (result !== 'ok') problems.push(`SQLite: ${result}`);
  rmSync(folder, { recursive: true, force: true });
}

async function postgres() {
  const server = await startPostgres({ fsync: 'off' });
  const folder = mkdtempSync(path.join(tmpdir(), 'reliability-'));
  try {
    const { Client } = load('pg');
    const query = async (text) => {
      const client = new Client({ connectionString: server.url });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    await query(TABLES);
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url, statement_timeout: 1 } };
    await play('PostgreSQL', folder, adapter, ['hashed', 'revised', 'xmin']);
    // How long it takes depends on the machine: spec/modules/database/adapters/database-outages.spec.ts has no limit.
    if (isShort) return;
    const { results, problems: found } = await outages(folder, query, server.pid);
    for (const result of results) say(`PostgreSQL, ${result}`);
    problems.push(...found);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await sqlite();
if (postgresFolder() === undefined) say('PostgreSQL is not installed: skipped');
else await postgres();
say(`lost, half-written or not recovered in databases: ${problems.length}`);
if (problems.length > 0) {
  say(problems.slice(0, 20).join('\n'));
  process.exitCode = 1;
}
