// Four workers are replaced one after the other (SIGUSR1), while clients send requests on keep-alive connections: no
// request may fail. Then workers are killed, which clients that repeat idempotent requests on a closed connection must
// not notice, and at the end the primary, which must leave no process behind. Exits with 1 otherwise.
//
// node reliability/service/workers.mjs [ROLLING_RESTARTS]
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Load, MIXED, send, SHORT_FORM_PAUSE } from './load.mjs';
import { makeProject } from './project.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { ServerProcess } from './server.mjs';

const WORKERS = 4;
const CLIENTS = 40;
const KILLS = 5;
/** Rolling restarts from which on clients send their requests without a pause. */
const MIN_FULL_LOAD = 10;

const restarts = amountOf(process.argv[2] ?? '100', 'workers', 'restarts');
const pause = restarts < MIN_FULL_LOAD ? SHORT_FORM_PAUSE : 0;
const report = new Report();
const folder = makeProject({ more: { server: { workers: WORKERS, shutdown_timeout: 60 } } });
const server = await new ServerProcess(folder, { isProbed: false }).listening();

/** The processes that a process has started. */
function childrenOf(parent) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return (
        readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) \S /s, '')
          .split(' ', 1)[0] === String(parent)
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Waits until a text was printed more often. */
async function printedAgain(text, times) {
  for (let turn = 0; turn < 60_000 && server.count(text) < times; turn++) await delay(5);
}

const load = new Load(server.origin, MIXED, { clients: CLIENTS, pause });
while (load.requests < 3 * CLIENTS) await delay(50);
const began = performance.now();
for (let round = 1; round <= restarts; round++) {
  const before = childrenOf(server.pid);
  server.signal('SIGUSR1');
  await printedAgain('All workers replaced.', round);
  const after = childrenOf(server.pid);
  report.check(
    after.length === WORKERS && after.every((pid) => !before.includes(pid)),
    `rolling restart ${round}: ${before.join(' ')} became ${after.join(' ')}. ${server.errors}`,
  );
}
const seconds = (performance.now() - began) / 1_000;
await load.stop();
for (const failure of load.failures) report.check(false, failure);
report.check(load.failed === 0, `${load.failed} requests failed during rolling restarts.`);
report.say(
  `${restarts} rolling restarts of ${WORKERS} workers, ${CLIENTS} keep-alive clients: ${load.requests} requests, ` +
    `${load.failed} failed; ${rounded(seconds / restarts)} s each`,
);

// Half of the clients open a connection for each request: one may be on its way to the worker that is killed.
const results = { requests: 0, repeated: 0, failed: 0 };
let isRunning = true;
const ask = async (agent, attempt = 1) => {
  const closed = await send(`${server.origin}/v2/atlas/countries/DE`, { agent }).then(
    ({ status }) => (status === 200 ? undefined : `status ${status}`),
    (error) => error.code ?? error.message,
  );
  if (closed === undefined) return;
  if (attempt < 4 && ['ECONNRESET', 'EPIPE', 'ECONNREFUSED'].includes(closed)) {
    results.repeated++;
    await ask(agent, attempt + 1);
    return;
  }
  results.failed++;
  report.check(false, `while workers were killed: ${closed}`);
};
const clients = Array.from({ length: CLIENTS }, async (_, at) => {
  // Of its own: among idle connections that clients share, others of the killed worker may be next.
  const agent = at % 2 === 0 && new Agent({ keepAlive: true });
  while (isRunning) {
    await ask(agent);
    results.requests++;
    if (pause > 0) await delay(pause);
  }
  if (agent) agent.destroy();
});
for (let kill = 1; kill <= KILLS; kill++) {
  const [victim] = childrenOf(server.pid);
  process.kill(Number(victim), 'SIGKILL');
  await printedAgain('serves again', kill);
}
isRunning = false;
await Promise.all(clients);
report.say(
  `${KILLS} workers killed, ${CLIENTS} clients that repeat requests on a closed connection: ${results.requests} requests, ` +
    `${results.repeated} repeated, ${results.failed} failed`,
);

const workers = childrenOf(server.pid);
await server.stop('SIGKILL');
const isAlive = (pid) => readdirSync('/proc').includes(pid);
for (let turn = 0; turn < 1_000 && workers.some(isAlive); turn++) await delay(10);
const orphans = workers.filter(isAlive);
report.check(orphans.length === 0, `Left behind: ${orphans.join(', ')}.`);
report.say(`primary killed: ${workers.length} workers ended, ${orphans.length} left behind`);
rmSync(folder, { recursive: true, force: true });
report.end('failed requests and processes left behind');
