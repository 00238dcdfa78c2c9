// The service is used while its outputs fail: the readers of its standard streams are gone, the disk of its log is full,
// and metrics are scraped without a pause. No request may fail. Exits with 1 otherwise.
//
// node reliability/service/outputs.mjs [SECONDS]
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Load, MIXED, SHORT_FORM_PAUSE } from './load.mjs';
import { makeProject } from './project.mjs';
import { requireProgram } from './programs.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { startServer } from './server.mjs';

const CLIENTS = 10;
const SCRAPERS = 2;
/** Seconds of each phase from which on clients send their requests without a pause. */
const MIN_FULL_LOAD = 30;

/** The size of the disk for the log, in bytes. */
const SPACE = 67_108_864;

/** Seconds of each phase. */
const seconds = amountOf(process.argv[2] ?? '60', 'outputs', 'seconds');
const pause = seconds < MIN_FULL_LOAD ? SHORT_FORM_PAUSE : 0;
const unshare = requireProgram('unshare', 'util-linux');
const report = new Report();

/** Sends requests during a phase. */
async function use(server, what, action = () => undefined) {
  const load = new Load(server.origin, MIXED, { clients: CLIENTS, pause });
  await delay(500);
  await action();
  await delay(seconds * 1_000);
  await load.stop();
  for (const failure of load.failures) report.check(false, `${what}: ${failure}`);
  report.say(
    `${what}: ${load.requests} requests, ${load.failed} failed; p99 ${rounded(load.latencies.p99)} ms`,
  );
}

async function stop(server, folder, what) {
  const exit = await server.stop();
  report.check(exit === 0, `${what}: the server exited with ${exit}.`);
  rmSync(folder, { recursive: true, force: true });
}

async function closedPipes() {
  const what = 'standard output and standard error are closed';
  const folder = makeProject({ more: { 'platform-operations': { access_log: { enabled: true } } } });
  const server = await startServer(folder);
  await use(server, what, () => {
    server.stdout.destroy();
    server.stderr.destroy();
  });
  await stop(server, folder, what);
}

async function fullDisk() {
  const what = 'the disk of the access log is full';
  const log = { enabled: true, file: 'data/logs/access.log' };
  const folder = makeProject({ more: { 'platform-operations': { access_log: log } } });
  const logs = path.join(folder, 'data/logs');
  mkdirSync(logs);
  // Without the filler, the lines that were buffered and those of the next phase fit.
  const filler = SPACE - 8_192;
  const mount = `mount -t tmpfs -o size=${SPACE} tmpfs "$0" && head -c ${filler} /dev/zero >"$0/filler" && exec "$@"`;
  const server = await startServer(folder, { command: [unshare, '-rm', 'sh', '-c', mount, logs] });
  await use(server, what, () => server.printed(/access log cannot be written/));
  // As the server sees it.
  const inside = `/proc/${server.pid}/root${logs}`;
  const size = () => readFileSync(path.join(inside, 'access.log')).length;
  const full = size();
  rmSync(path.join(inside, 'filler'));
  await use(server, 'the disk has space again', () => server.printed(/access log is written again/));
  report.check(size() > full, `${what}: no line was written afterwards.`);
  await stop(server, folder, what);
}

async function scrapes() {
  const folder = makeProject();
  const server = await startServer(folder);
  await use(server, 'for comparison');
  const scrapers = new Load(server.operations, [{ path: '/metrics' }, { path: '/ready' }], {
    clients: SCRAPERS,
  });
  await use(server, 'metrics are scraped without a pause');
  await scrapers.stop();
  for (const failure of scrapers.failures) report.check(false, failure);
  report.check(scrapers.requests > 0, 'Nothing was scraped.');
  report.say(`${scrapers.requests} scrapes, ${scrapers.failed} failed`);
  await stop(server, folder, 'metrics');
}

await closedPipes();
await fullDisk();
await scrapes();
report.end('failures because of outputs');
