// Two servers behind HAProxy are restarted in turn with SIGTERM, while 200 clients send requests on keep-alive
// connections. No request may fail. Exits with 1 otherwise.
//
// node reliability/service/restarts.mjs [RESTARTS]
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECK_INTERVAL_MS, startHaproxy } from './haproxy.mjs';
import { Load, MIXED, send } from './load.mjs';
import { freePorts } from '../../scripts/ports.mjs';
import { makeProject } from './project.mjs';
import { requireProgram } from './programs.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { startServer } from './server.mjs';

const CLIENTS = 200;
/** Milliseconds between a response and the next request of a client. */
const PAUSE = 2_000;
/** Seconds; longer than HAProxy needs to notice, also on a busy machine. */
const DRAIN_DELAY = 5;

const restarts = amountOf(process.argv[2] ?? '50', 'restarts', 'restarts');
const program = requireProgram('haproxy');
const report = new Report();
const [port, ...own] = await freePorts(5);
const members = [0, 1].map((at) => ({
  folder: makeProject({ more: { server: { drain_delay: DRAIN_DELAY, shutdown_timeout: 30 } } }),
  port: own[2 * at],
  operations: own[2 * at + 1],
}));

async function start(member) {
  const env = { PORT: String(member.port), OPERATIONS_LISTEN: `127.0.0.1:${member.operations}` };
  member.server = await startServer(member.folder, { env });
}

/** Waits until HAProxy has seen that a server is ready. */
async function ready({ operations }) {
  const isReady = () => send(`http://127.0.0.1:${operations}/ready`).then(({ status }) => status === 200);
  while (!(await isReady().catch(() => false))) await delay(20);
  await delay(4 * CHECK_INTERVAL_MS);
}

await Promise.all(members.map(start));
const folder = path.join(members[0].folder, 'proxy');
mkdirSync(folder);
const proxy = await startHaproxy(program, folder, port, members);
await Promise.all(members.map(ready));
const load = new Load(proxy.origin, MIXED, { clients: CLIENTS, pause: PAUSE });
// Servers that compile their functions are slow.
while (load.latencies.count < 3 * CLIENTS) await delay(100);
const served = [];
for (let round = 0; round < restarts; round++) {
  const member = members[round % members.length];
  const before = load.requests;
  const exit = await member.server.stop('SIGTERM');
  report.check(exit === 0, `restart ${round + 1}: the server exited with ${exit}. ${member.server.errors}`);
  served.push(load.requests - before);
  await start(member);
  await ready(member);
}
await load.stop();
for (const failure of load.failures) report.check(false, failure);
await proxy.stop();
await Promise.all(members.map(({ server }) => server.stop('SIGTERM')));
for (const one of members) rmSync(one.folder, { recursive: true, force: true });
report.say(
  `${restarts} restarts behind HAProxy, ${CLIENTS} keep-alive clients: ${load.requests} requests, ` +
    `${load.failed} failed; ${Math.min(...served)} or more during each shutdown; p99 ${rounded(load.latencies.p99)} ms`,
);
report.end('failed requests and unclean exits');
