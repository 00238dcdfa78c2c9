// Whether many sign-ins from one address prevent users at other addresses from signing in with Basic.
import { hashSync } from 'bcrypt';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './measure/ask.mjs';
import { load } from './measure/load.mjs';
import { basic, get } from './measure/requests.mjs';
import { median } from './measure/rounds.mjs';

const TARGET = '/v1/atlas/countries/DE';
/** Different addresses of this machine. */
const ATTACKER = '127.0.0.7';
const USER = '127.0.0.8';
const CONNECTIONS = 256;

/** Signs in as a user whose credentials are not cached, on a new connection. @returns milliseconds */
async function signIn(port, user) {
  const started = performance.now();
  const { status } = await ask(port, get(TARGET, { Authorization: basic(`user${user}`, 'explore') }), USER);
  if (status !== 200) throw new Error(`user${user} received ${status}`);
  return performance.now() - started;
}

/**
 * The service runs on one core, where it verifies one password at a time: its throughput shows how long one takes.
 *
 * @param {import('./measure/servers.mjs').Servers} servers
 * @param {{ cost: number, signIns: number }} options `signIns`: of the user at the other address
 */
export async function signInFlood(servers, { cost, signIns }) {
  const hash = hashSync('explore', cost).replace(/^\$2b/, '$2y');
  const resting = Math.min(signIns, 5);
  const lines = Array.from({ length: signIns + resting }, (_, at) => `user${at}:${hash}\n`);
  // Throttling is off: it would stop the attack after a hundred failures.
  const changes = { 'platform-mvc-auth': { throttling: { enabled: false } } };
  const { port, stop } = await servers.sample(changes, { 'config/samples/sample.htpasswd': lines.join('') });
  const rest = [];
  for (let at = 0; at < resting; at++) rest.push(await signIn(port, at));
  let attackers = 0;
  // Time for each of them with a pause, on a core that the flood shares.
  const seconds = 0.5 + (signIns * 6 * median(rest)) / 1000;
  const flood = load({
    port,
    from: ATTACKER,
    connections: CONNECTIONS,
    seconds,
    first: () => get(TARGET),
    next: () => get(TARGET, { Authorization: basic(`stranger${attackers++}`, 'guess') }),
    expect: 401,
  });
  await delay(500);
  const times = [];
  let isFlooded = true;
  const flooding = flood.finally(() => (isFlooded = false));
  for (let at = 0; at < signIns && isFlooded; at++) {
    times.push(await signIn(port, resting + at));
    // At a random moment of an attacker's verification, not always at the start of one.
    await delay(Math.random() * 2 * median(rest));
  }
  const { requests, failed, seconds: flooded } = await flooding;
  await stop();
  const one = (flooded * 1000) / (requests - failed + times.length);
  const ratio = (time) => `${time.toFixed(0)} ms, ${(time / one).toFixed(2)} hashes`;
  console.log(`| a sign-in with bcrypt of cost ${cost} at rest | median ${median(rest).toFixed(0)} ms |`);
  console.log(
    `| one hash while ${CONNECTIONS} connections of one address sign in as unknown users (${requests} requests, of which ${failed} are refused at once) | ${one.toFixed(0)} ms |`,
  );
  console.log(
    `| a sign-in from another address meanwhile (${times.length}) | median ${ratio(median(times))}; longest ${ratio(Math.max(...times))} |`,
  );
}
