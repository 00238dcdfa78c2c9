// Sends valid and mutated requests over raw sockets to a server with all features. It must not crash, respond with an
// unexpected 5xx, leave a connection without an end, or grow. Exits with 1 otherwise. A seed gives the same requests
// again, except for the nonces in them.
//
// node reliability/fuzz/run.mjs [REQUESTS [SEED]]
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { digestChallenge } from '../service/digest.mjs';
import { send } from '../service/load.mjs';
import { makeProject, root } from '../service/project.mjs';
import { amountOf, Report, rounded } from '../service/report.mjs';
import { startServer } from '../service/server.mjs';
import { exchange } from './connection.mjs';
import { request } from './grammar.mjs';
import { mutate } from './mutations.mjs';
import { Random } from './random.mjs';
import { readResponses } from './responses.mjs';

const CONNECTIONS = 100;
const MAX_PIPELINED = 8;
/** What the heap may grow by from the first quarter to the end, in MB. */
const MAX_GROWTH = 10;
/** Problems after which it stops. */
const MAX_PROBLEMS = 10;

const requests = amountOf(process.argv[2] ?? '1000000', 'fuzz', 'requests');
const seed =
  process.argv[3] === undefined ? randomInt(2 ** 31) : amountOf(process.argv[3], 'fuzz', 'requests');
/** While requests are sent: a multiple of four, as growth is measured from the first quarter on. */
const measurements = requests > 100_000 ? 8 : 4;
const report = new Report();
report.say(`seed ${seed}`);

const folder = makeProject({
  more: { server: { request_timeout: 3, inactivity_timeout: 3, keep_alive_timeout: 3 } },
});
// The lowest cost of bcrypt: hashing is not under test.
const htpasswd = path.join(folder, 'data/administrators.htpasswd');
const made = spawnSync(
  process.execPath,
  [path.join(root, 'dist/cli.js'), 'htpasswd', '-i', '-C', '4', htpasswd, 'guide'],
  {
    input: 'explore\n',
  },
);
if (made.status !== 0) throw new Error(String(made.stderr));
const server = await startServer(folder);
const { port } = new URL(server.origin);

/** Clients that sign in with Digest share a nonce; new ones get a new one. */
async function newSession() {
  const { headers } = await send(`${server.origin}/v2/atlas/visits`);
  return { challenge: digestChallenge(headers['www-authenticate']), count: 0 };
}

const statuses = new Map();
let [sent, mutated, connections, problems, crashed] = [0, 0, 0, 0, false];
let session = await newSession();
const samples = [await server.measure()];
void server.ended.then(() => (crashed = true));

function found(connection, text, problem) {
  problems++;
  report.check(
    false,
    `connection ${connection} of seed ${seed}: ${problem}\nsent ${JSON.stringify(text).slice(0, 3_000)}`,
  );
}

/**
 * Only the last request of a connection is mutated: most mutations end it.
 * @returns the requests of a connection, in the parts in which they are written
 */
function compose(random) {
  const texts = Array.from({ length: 1 + random.below(MAX_PIPELINED) }, () => request(random, session));
  sent += texts.length;
  if (random.chance(0.5)) {
    mutated++;
    texts.push(mutate(random, texts.pop()));
  } else texts.push('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const all = texts.join('');
  if (random.chance(0.7)) return [all];
  const ends = random.some(6, () => random.below(all.length)).sort((a, b) => a - b);
  return [0, ...ends].map((begin, at) => all.slice(begin, ends[at] ?? all.length));
}

async function client() {
  while (sent < requests && problems < MAX_PROBLEMS && !crashed) {
    const connection = connections++;
    const random = new Random(seed + connection * 7919);
    const parts = compose(random);
    const from = `127.${random.below(200)}.${random.below(250)}.${1 + random.below(250)}`;
    const { text, hangs } = await exchange(parts, { port, from, closes: random.chance(0.9) });
    const read = readResponses(text);
    for (const status of read.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (const problem of read.problems) found(connection, parts.join(''), problem);
    if (hangs) found(connection, parts.join(''), 'the connection has no end');
  }
}

async function watch() {
  for (let next = 1; next <= measurements && !crashed && problems < MAX_PROBLEMS; next++) {
    while (sent < (requests * next) / measurements && !crashed && problems < MAX_PROBLEMS)
      await new Promise((done) => setTimeout(done, 50));
    if (crashed) return;
    samples.push(await server.measure());
    session = await newSession();
    if (requests > 100_000) report.say(`${sent} requests, heap ${rounded(samples.at(-1).heap)} MB`);
  }
}

const begin = performance.now();
await Promise.all([watch(), ...Array.from({ length: CONNECTIONS }, client)]);
report.check(!crashed, `The server ended with ${server.exit}. ${server.errors}`);
if (!crashed) {
  const after = await send(`${server.origin}/v1/atlas/countries/DE`);
  report.check(after.status === 200, `After it, a request is answered with ${after.status}.`);
  samples.push(await server.measure());
  const exit = await server.stop();
  report.check(exit === 0, `The server exited with ${exit}.`);
}
rmSync(folder, { recursive: true, force: true });
const heaps = samples.map(({ heap }) => heap);
const growth = heaps.at(-1) - heaps[Math.floor(heaps.length / 4)];
report.check(growth < MAX_GROWTH, `The heap grew by ${rounded(growth)} MB: ${heaps.map(rounded).join(', ')}`);
const table = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
report.say(
  `${sent} requests, ${mutated} of them mutated, on ${connections} connections in ${Math.round((performance.now() - begin) / 1000)} s`,
);
report.say(`responses ${table.join(', ')}`);
report.say(
  `heap ${heaps.map(rounded).join(', ')} MB; resident ${rounded(samples.at(-1).rss)} MB; ${samples.at(-1).descriptors} descriptors, ${samples[0].descriptors} before`,
);
report.end('crashes, unexpected 5xx, connections without an end, and leaks');
