// Every feature of a server is used for a long time, while its configuration is reloaded. Memory, handles and the 99th
// percentile of latencies must stay flat, and no response may be unexpected. Exits with 1 otherwise.
//
// node reliability/service/soak.mjs [SECONDS]
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startControl } from './control.mjs';
import { Latencies } from './latencies.mjs';
import { Load } from './load.mjs';
import { configuration, makeProject, writeLocal } from './project.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { startServer } from './server.mjs';
import { adminClient, digestClient, monitor, simpleClient, Soak, streamClient } from './soak-clients.mjs';

const WINDOWS = 12;
/** What the heap may grow by from the first third to the last one, in MB. */
const MAX_GROWTH = 10;
/** Handles and descriptors that may be open in addition: connections that are being closed. */
const MAX_MORE = 12;
/** Factor of the 99th percentile, compared with the first half and with a bare server. */
const MAX_SLOWER = 2;
/** Seconds from which on the 99th percentile is compared: it takes many requests. */
const MIN_COMPARED = 300;
/** Clients pause this many times longer in shorter soaks. */
const SHORT_FORM_FACTOR = 4;
/** Seconds; shorter than the soak, so that nonces expire. */
const NONCE_TIMEOUT = 7;

const seconds = amountOf(process.argv[2] ?? '1800', 'soak', 'seconds');
const factor = seconds < MIN_COMPARED ? SHORT_FORM_FACTOR : 1;
const report = new Report();
const options = (round) => ({ nonceTimeout: NONCE_TIMEOUT + (round % 3) });
const folder = makeProject(options(0));
const server = await startServer(folder);
const control = await startControl();
const agent = new Agent({ keepAlive: true });
const soak = new Soak();
soak.latencies = new Latencies();
let controlLoad = new Load(control.origin, [{ path: '/' }], { clients: 2, pause: 20 * factor });
const { origin, operations } = server;

let reloads = 0;
async function reload() {
  const isValid = reloads % 3 !== 2;
  [server.output, server.errors] = ['', ''];
  writeLocal(folder, isValid ? JSON.stringify(configuration(options(reloads))) : '{');
  server.signal('SIGHUP');
  const [line] = await server.printed(/Configuration reloaded\.|The previous configuration stays active\./);
  if ((line === 'Configuration reloaded.') !== isValid)
    soak.fail(`reload ${reloads}: ${line} ${server.errors}`);
  reloads++;
}

const clients = [
  ...Array.from({ length: 6 }, () => soak.repeat(40 * factor, simpleClient(soak, origin, agent))),
  ...Array.from({ length: 2 }, () => soak.repeat(60 * factor, digestClient(soak, origin, agent))),
  soak.repeat(200 * factor, streamClient(soak, origin, 300 / factor)),
  soak.repeat(300 * factor, await adminClient(soak, origin, agent)),
  soak.repeat(2_000, monitor(soak, operations, agent)),
  soak.repeat(Math.max(3_000, seconds * 5), reload),
];

const windows = [];
for (let at = 0; at < WINDOWS && server.exit === undefined; at++) {
  soak.latencies = new Latencies();
  await delay((seconds * 1000) / WINDOWS);
  const { p99, p50, count } = soak.latencies;
  await controlLoad.stop();
  const bare = controlLoad.latencies.p99;
  controlLoad = new Load(control.origin, [{ path: '/' }], { clients: 2, pause: 20 * factor });
  const one = { ...(await server.measure()), p99, p50, count, bare };
  windows.push(one);
  report.say(
    `${Math.round(((at + 1) * seconds) / WINDOWS)} s: heap ${rounded(one.heap)} MB, resident ${rounded(one.rss)} MB, ` +
      `${one.resources} handles, ${one.descriptors} descriptors; p50 ${rounded(p50)} ms, p99 ${rounded(p99)} ms (bare server ${rounded(bare)} ms)`,
  );
}
soak.isRunning = false;
await Promise.all([...clients, controlLoad.stop()]);
agent.destroy();
const exit = await server.stop();
control.stop();
rmSync(folder, { recursive: true, force: true });

const least = (list, key) => Math.min(...list.map((one) => one[key]));
const median = (list, key) => list.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
// The first window warms up.
const [first, last] = [windows.slice(1, 5), windows.slice(-4)];
const [before, after] = [windows.slice(1, 7), windows.slice(-6)];
const growth = least(last, 'heap') - least(first, 'heap');
report.check(growth < MAX_GROWTH, `The heap grew by ${rounded(growth)} MB.`);
for (const key of ['resources', 'descriptors']) {
  const more = least(last, key) - least(first, key);
  report.check(more <= MAX_MORE, `There are ${more} more ${key} than in the beginning.`);
}
const busier = Math.max(1, median(after, 'bare') / median(before, 'bare'));
const slower = median(after, 'p99') / median(before, 'p99') / busier;
report.check(
  seconds < MIN_COMPARED || slower < MAX_SLOWER,
  `The 99th percentile is ${slower.toFixed(1)} times that of the first half.`,
);
for (const failure of soak.failures.slice(0, 20)) report.check(false, failure);
report.check(exit === 0, `The server exited with ${exit}. ${server.errors}`);
report.say(
  `${seconds} s, ${soak.requests} requests, ${reloads} reloads, ${soak.failures.length} unexpected responses; heap ${growth < 0 ? '' : '+'}${growth.toFixed(1)} MB, ` +
    `p99 ${rounded(median(before, 'p99'))} ms in the first half, ${rounded(median(after, 'p99'))} ms in the second`,
);
report.end('unexpected responses and growth in the soak');
