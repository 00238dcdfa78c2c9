// Thousands of connections send headers and bodies a byte at a time, or do not read their responses. Those that send slowly
// get 408, those that do not read are disconnected, and other clients do not notice. Exits with 1 otherwise.
//
// node reliability/service/slow.mjs [CONNECTIONS]
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startControl } from './control.mjs';
import { Load, SHORT_FORM_PAUSE } from './load.mjs';
import { makeProject } from './project.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { startServer } from './server.mjs';
import { SlowClients } from './slow-connections.mjs';

/** Connections that do not read: each is sent megabytes at full speed first, which fill the buffers of the system. */
const SHARE_OF_READS = 0.002;
const OPENED_PER_SECOND = 300;
/** Seconds in which all must have ended, on a busy machine. */
const MAX_SECONDS = 300;
/** Connections from which on latencies are compared. */
const MIN_COMPARED = 5_000;
const OTHERS = [{ path: '/v1/atlas/countries/DE' }, { path: '/v2/atlas/countries?region=Europe' }];

const connections = amountOf(process.argv[2] ?? '10000', 'slow', 'connections');
/** Seconds: longer than opening the connections takes. */
const timeout = connections < MIN_COMPARED ? 4 : 45;
/** Seconds for which some clients do not read: longer than filling the buffers, and twice the timeout. */
const unread = 20 + 3 * timeout;
/** Milliseconds between the requests of a client. */
const pause = connections < MIN_COMPARED ? SHORT_FORM_PAUSE : 20;
const report = new Report();
const limits = { request_timeout: timeout, inactivity_timeout: timeout };
const folder = makeProject({ more: { server: limits } });
const server = await startServer(folder);
const control = await startControl();

/** Runs other clients during an action. @returns their latencies, and those of the clients of a bare server */
async function during(action) {
  const others = new Load(server.origin, OTHERS, { clients: 4, pause });
  const bare = new Load(control.origin, [{ path: '/' }], { clients: 2, pause });
  await action();
  await Promise.all([others.stop(), bare.stop()]);
  report.check(others.failed === 0, `${others.failed} requests of others failed: ${others.failures[0]}`);
  return { p99: others.latencies.p99, bare: bare.latencies.p99, requests: others.requests };
}

const calm = () => delay(connections < MIN_COMPARED ? 2_000 : 20_000);
await during(() => delay(2_000));
const before = await during(calm);
const idle = await server.measure();
const reads = Math.max(3, Math.round(connections * SHARE_OF_READS));
const counts = {
  headers: Math.ceil((connections - reads) / 2),
  bodies: Math.floor((connections - reads) / 2),
  reads,
};
const slow = new SlowClients(new URL(server.origin).port, counts, { rate: OPENED_PER_SECOND, unread });
let most = 0;
const attacked = await during(async () => {
  const end = performance.now() + MAX_SECONDS * 1_000;
  while ((!slow.isOpen || slow.open > 0) && performance.now() < end) {
    await delay(100);
    most = Math.max(most, slow.open);
  }
});
const results = slow.results();
slow.stop();
const after = await during(calm);
await delay(1_000);
const end = await server.measure();
const exit = await server.stop();
control.stop();
rmSync(folder, { recursive: true, force: true });

for (const kind of ['headers', 'bodies'])
  report.check(
    results.get(`${kind} 408`) === counts[kind],
    `Not all of ${counts[kind]} slow ${kind} got 408.`,
  );
const disconnected = (results.get('reads closed') ?? 0) + (results.get('reads reset') ?? 0);
report.check(
  disconnected === reads,
  `Of ${reads} connections that do not read, ${disconnected} were closed.`,
);
const calmest = { p99: Math.max(before.p99, after.p99), bare: Math.max(before.bare, after.bare) };
const slower = attacked.p99 / calmest.p99 / Math.max(1, attacked.bare / calmest.bare);
report.check(
  connections < MIN_COMPARED || slower <= 2,
  `The 99th percentile of others is ${slower.toFixed(1)} times that without.`,
);
report.check(
  end.descriptors - idle.descriptors < 20,
  `${end.descriptors - idle.descriptors} descriptors are left open.`,
);
report.check(exit === 0, `The server exited with ${exit}.`);
report.say(
  `${connections} slow connections, ${most} at the same time: ${[...results]
    .sort()
    .map((one) => one.join(': '))
    .join(', ')}`,
);
report.say(
  `others: p99 ${rounded(before.p99)} ms before, ${rounded(attacked.p99)} ms meanwhile (${attacked.requests} requests), ${rounded(after.p99)} ms after; ` +
    `bare server ${rounded(before.bare)}, ${rounded(attacked.bare)}, ${rounded(after.bare)} ms; heap ${rounded(idle.heap)} MB before, ${rounded(end.heap)} MB after`,
);
report.end('wrong ends of slow connections, and disturbed clients');
