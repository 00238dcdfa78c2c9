// The configuration of a server under load is reloaded again and again; every second one is invalid. No request may
// fail, and the memory must stay flat. Exits with 1 otherwise.
//
// node reliability/service/reloads.mjs [RELOADS]
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Load, MIXED, SHORT_FORM_PAUSE } from './load.mjs';
import { configuration, makeProject, writeLocal } from './project.mjs';
import { amountOf, Report, rounded } from './report.mjs';
import { startServer } from './server.mjs';

const CLIENTS = 20;
/** What the heap may grow by from the first quarter to the end, in MB. */
const MAX_GROWTH = 10;
/** Reloads from which on clients send their requests without a pause. */
const MIN_FULL_LOAD = 100;

const reloads = amountOf(process.argv[2] ?? '200', 'reloads', 'reloads');
const pause = reloads < MIN_FULL_LOAD ? SHORT_FORM_PAUSE : 0;
/** A multiple of four, as growth is measured from the first quarter on. */
const measurements = reloads < MIN_FULL_LOAD ? 4 : 8;
const report = new Report();
const folder = makeProject();
const server = await startServer(folder);

/** Configurations that differ each time, and what is wrong with the invalid ones. */
const INVALID = [
  () => '{ "server": ',
  () => JSON.stringify({ ...configuration(), server: { port: 'many' } }),
  () => JSON.stringify({ ...configuration(), unknown: {} }),
  () => JSON.stringify({ ...configuration({ nonceTimeout: -1 }) }),
];
const valid = (round) => JSON.stringify(configuration({ nonceTimeout: 1000 + round }));

/** Reloads, and waits for the result. @returns whether the new configuration is active */
async function reload(text) {
  [server.output, server.errors] = ['', ''];
  writeLocal(folder, text);
  server.signal('SIGHUP');
  const [line] = await server.printed(/Configuration reloaded\.|The previous configuration stays active\./);
  return line === 'Configuration reloaded.';
}

const load = new Load(server.origin, MIXED, { clients: CLIENTS, pause });
await delay(500);
const samples = [];
let [active, refused] = [0, 0];
for (let round = 0; round < reloads; round++) {
  const isValid = round % 2 === 0;
  const isActive = await reload(isValid ? valid(round) : INVALID[((round - 1) / 2) % INVALID.length]());
  report.check(
    isActive === isValid,
    `reload ${round + 1}: ${server.errors || 'an invalid configuration is active'}`,
  );
  if (isActive) active++;
  else refused++;
  if ((round + 1) % Math.ceil(reloads / measurements) === 0) samples.push(await server.measure());
}
await load.stop();
const idle = await server.measure();
for (const failure of load.failures) report.check(false, failure);
const quarter = samples[measurements / 4 - 1];
const growth = samples.at(-1).heap - quarter.heap;
report.check(
  growth < MAX_GROWTH,
  `The heap grew by ${rounded(growth)} MB: ${samples.map(({ heap }) => rounded(heap)).join(', ')}`,
);
const exit = await server.stop();
report.check(exit === 0, `The server exited with ${exit}. ${server.errors}`);
rmSync(folder, { recursive: true, force: true });
report.say(
  `${reloads} reloads under load: ${active} took effect, ${refused} were refused; ${load.requests} requests, ` +
    `${load.failed} failed; p99 ${rounded(load.latencies.p99)} ms`,
);
report.say(
  `heap after a quarter ${rounded(quarter.heap)} MB, at the end ${rounded(samples.at(-1).heap)} MB, idle ${rounded(idle.heap)} MB; ` +
    `resident ${rounded(quarter.rss)} MB, then ${rounded(idle.rss)} MB`,
);
report.end('failed requests, wrong results and leaks');
