// The certificate of a server is replaced again and again while clients send requests, on connections that they keep and
// on new ones. No request may fail, no kept connection may be closed, and each certificate must be served. Some
// replacements are preceded by a pair that does not match, which must not be used. Exits with 1 otherwise.
//
// node reliability/edge/certificates.mjs [REPLACEMENTS]
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { requireProgram } from '../service/programs.mjs';
import { amountOf, Report, rounded } from '../service/report.mjs';
import { startServer } from '../service/server.mjs';
import { makeEchoProject } from './project.mjs';

const KEEPING_CLIENTS = 20;
const NEW_CLIENTS = 4;
/** Different certificates, which are used in turn. */
const PAIRS = 5;
/** Every so many replacements begin with a pair that does not match. */
const MISMATCH_EVERY = 10;

const replacements = amountOf(process.argv[2] ?? '100', 'certificates', 'replacements');
const openssl = requireProgram('openssl');
const report = new Report();
const folder = makeEchoProject({ tls: { certificate: 'tls/tls.crt', key: 'tls/tls.key' } });
const inFolder = (name) => path.join(folder, name);
const run = (...args) => execFileSync(openssl, args, { stdio: 'ignore' });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

mkdirSync(inFolder('tls'));
run('req', '-x509', ...NEW_KEY, '-keyout', inFolder('ca.key'), '-out', inFolder('ca.crt'), '-subj', '/CN=CA');
writeFileSync(inFolder('names'), 'subjectAltName=IP:127.0.0.1');
for (let at = 0; at < PAIRS; at++) {
  run(
    'req',
    '-new',
    ...NEW_KEY,
    '-keyout',
    inFolder(`${at}.key`),
    '-out',
    inFolder('csr'),
    '-subj',
    `/CN=${at}`,
  );
  const by = ['-CA', inFolder('ca.crt'), '-CAkey', inFolder('ca.key'), '-CAcreateserial'];
  run(
    'x509',
    '-req',
    '-in',
    inFolder('csr'),
    ...by,
    '-extfile',
    inFolder('names'),
    '-days',
    '30',
    '-out',
    inFolder(`${at}.crt`),
  );
}
const ca = readFileSync(inFolder('ca.crt'));

/** Puts a file in place by a rename. */
function install(from, to) {
  copyFileSync(inFolder(from), inFolder(`tls/${to}.new`));
  renameSync(inFolder(`tls/${to}.new`), inFolder(`tls/${to}`));
}

install('0.crt', 'tls.crt');
install('0.key', 'tls.key');
const server = await startServer(folder);
const { port } = new URL(server.origin);
let requests = 0;
let isRunning = true;

function get(agent) {
  requests++;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/echo', ca, agent, timeout: 60_000 },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.complete ? resolve(response.statusCode) : reject(new Error('incomplete')),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function client(agent) {
  while (isRunning) {
    const status = await get(agent).catch((error) => error.message);
    report.check(status === 200, `a request failed: ${status}`);
    await delay(5);
  }
}

/** The common name of the certificate that a new connection gets. */
const servedName = () =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca });
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
  });

const kept = new Set();
const agents = Array.from({ length: KEEPING_CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
for (const agent of agents) {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = create(...args);
    kept.add(socket);
    return socket;
  };
}
const clients = [
  ...agents.map(client),
  ...Array.from({ length: NEW_CLIENTS }, () => client(new Agent({ keepAlive: false }))),
];
let refused = 0;
let slowest = 0;
for (let round = 1; round <= replacements; round++) {
  const next = String(round % PAIRS);
  if (round % MISMATCH_EVERY === 0) {
    const before = await servedName();
    install(`${(round + 2) % PAIRS}.crt`, 'tls.crt');
    await server.printed(new RegExp(`(?:the changed files are not used[^]*){${++refused}}`));
    report.check((await servedName()) === before, 'a certificate without its key was used');
  }
  // Either of the two may come first.
  const order = round % 2 === 0 ? ['crt', 'key'] : ['key', 'crt'];
  for (const kind of order) install(`${next}.${kind}`, `tls.${kind}`);
  const begin = performance.now();
  while ((await servedName()) !== next) {
    await delay(10);
    if (performance.now() - begin < 60_000) continue;
    report.check(false, `certificate ${round} was not served`);
    break;
  }
  slowest = Math.max(slowest, performance.now() - begin);
}
isRunning = false;
await Promise.all(clients);
report.check(
  kept.size === KEEPING_CLIENTS,
  `${kept.size} connections were opened for ${KEEPING_CLIENTS} clients`,
);
for (const agent of agents) agent.destroy();
const exit = await server.stop('SIGTERM');
report.check(exit === 0, `the server exited with ${exit}: ${server.errors}`);
rmSync(folder, { recursive: true, force: true });
report.say(
  `${replacements} certificates replaced, ${refused} that did not match refused: ${requests} requests; ` +
    `${kept.size} connections of ${KEEPING_CLIENTS} clients; new certificate served after ${rounded(slowest / 1000)} s at most`,
);
report.end('failed requests, closed connections and wrong certificates');
