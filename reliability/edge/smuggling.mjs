// Sends requests whose end is ambiguous through Apache, nginx, HAProxy, Caddy and Varnish. The proxies mark the requests
// that they forward: one without the mark was hidden in the body of another, and the two disagree about its end. After
// each, a request on a new connection must get its own response. Exits with 1 otherwise.
//
// node reliability/edge/smuggling.mjs [PAYLOADS]: at most so many for each proxy, evenly distributed; defaults to all
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../scripts/ports.mjs';
import { amountOf, Report } from '../service/report.mjs';
import { startServer } from '../service/server.mjs';
import { payloadsFor } from './payloads.mjs';
import { makeEchoProject } from './project.mjs';
import { isInstalled, PROXIES, startProxy } from './proxies.mjs';

/** Milliseconds to wait for a response: a proxy may wait for the rest of a body. */
const TIMEOUT_MS = 2_000;
/** Milliseconds without data after which a response counts as complete. */
const QUIET_MS = 250;
const CLIENTS = 8;

const limit = amountOf(process.argv[2] ?? '1000000', 'smuggling', 'payloads');
const report = new Report();
const folder = makeEchoProject({ trust_proxy: ['loopback'] });
const server = await startServer(folder);
const backend = Number(new URL(server.origin).port);
const seen = [];
let rest = '';
server.stdout.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.startsWith('ECHO ')) seen.push(JSON.parse(line.slice(5)));
});

/** Sends bytes, and returns the response until the connection was closed or quiet. */
function exchange(port, bytes) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(TIMEOUT_MS, done);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.setTimeout(QUIET_MS);
    });
    socket.on('error', done);
    socket.on('end', done);
    socket.write(bytes);
  });
}

/** Whether a request on a new connection gets its own response. */
async function check(port, id) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const text = await exchange(
      port,
      `GET /echo/check/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    if (text === '') continue;
    return text.includes(`"path":"/echo/check/${id}"`) ? undefined : text.slice(0, 300);
  }
  return 'no response';
}

// The test would notice a hidden request: it arrives without a mark.
await exchange(backend, 'GET /echo/control HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
while (seen.length === 0 && server.exit === undefined) await delay(10);
report.check(seen[0]?.front === null, 'a request without a mark was not noticed');

const counts = [];
for (const name of Object.keys(PROXIES)) {
  if (!isInstalled(name)) {
    report.say(`${name} is not installed, and was left out: apt-get install ${PROXIES[name].package}`);
    continue;
  }
  const [port] = await freePorts(1);
  const proxy = await startProxy(name, path.join(folder, name), port, backend);
  seen.length = 0;
  const all = payloadsFor('0');
  const step = Math.max(1, Math.ceil(all.length / limit));
  const chosen = all.map((_, at) => at).filter((at) => at % step === 0);
  const names = new Map();
  let sent = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; turn < chosen.length; turn += CLIENTS) {
        const at = chosen[turn];
        const id = `${name}-${at}`;
        const { name: payload, bytes } = payloadsFor(id)[at];
        names.set(id, payload);
        sent++;
        await exchange(port, bytes);
        const wrong = await check(port, id);
        report.check(wrong === undefined, `${name}, ${JSON.stringify(payload)}: another response: ${wrong}`);
      }
    }),
  );
  const unmarked = seen.filter(({ front }) => front !== name);
  for (const { path: target } of unmarked)
    report.check(
      false,
      `${name}, ${JSON.stringify(names.get(target.split('/').at(-1)))}: ${target} was hidden`,
    );
  counts.push(`${name} ${sent} payloads, ${seen.length} requests arrived`);
  proxy.kill();
}
const exit = await server.stop('SIGTERM');
report.check(exit === 0, `the server exited with ${exit}: ${server.errors}`);
rmSync(folder, { recursive: true, force: true });
report.say(counts.join('; '));
report.end('disagreements about the end of a request');
process.exit();
