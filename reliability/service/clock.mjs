// The clock of a running server is moved by ten minutes, forward and back. Nonces and sessions must end when their time
// is over, and waits after failed sign-ins too; new sign-ins must succeed. Exits with 1 otherwise.
//
// node reliability/service/clock.mjs [MOVES]
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { digestChallenge, digestResponse, isStale } from './digest.mjs';
import { send } from './load.mjs';
import { GUIDE, makeProject } from './project.mjs';
import { amountOf, Report } from './report.mjs';
import { startServer } from './server.mjs';

/** Seconds by which the clock is wrong after each move. */
const OFFSETS = [600, -600, 0];
/** Seconds: of nonces, and of failed sign-ins. */
const TIMEOUT = 5;
/** Seconds: the shortest idle timeout of sessions. */
const IDLE = 60;
/** Moves from which on sessions are tested, which takes a minute each. */
const MOVES_WITH_SESSIONS = 6;
const VISITS = '/v2/atlas/visits';
/** An address of its own, which waits after failed sign-ins. */
const GUESSER = '127.0.0.9';

const moves = amountOf(process.argv[2] ?? '6', 'clock', 'moves');
const report = new Report();

function libraryOf() {
  const found = readdirSync('/usr/lib')
    .map((name) => path.join('/usr/lib', name, 'faketime/libfaketimeMT.so.1'))
    .find(existsSync);
  if (found !== undefined) return found;
  report.say('faketime is not installed, and the test was left out: apt-get install faketime');
  process.exit(0);
}

const library = libraryOf();
const folder = makeProject({
  nonceTimeout: TIMEOUT,
  more: {
    'platform-mvc-auth': { throttling: { failures: 3, window: TIMEOUT } },
    'platform-admin': { session: { idle: IDLE, absolute: 3600 } },
  },
});
const file = path.join(folder, 'clock');
const move = (seconds) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
move(0);
const env = {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  // Clocks that count from the start of the machine are never set.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
};
const server = await startServer(folder, { env });
const { origin } = server;

/** A client with one nonce. @returns a request, which resolves to 200, 401, 429 …, or "stale" */
async function signIn(user = GUIDE, localAddress = '127.0.0.1') {
  const { headers } = await send(origin + VISITS, { localAddress });
  const challenge = digestChallenge(headers['www-authenticate'] ?? '');
  let count = 0;
  return async () => {
    const Authorization = digestResponse(challenge, user, 'GET', VISITS, ++count);
    const { status, headers: fields } = await send(origin + VISITS, {
      headers: { Authorization },
      localAddress,
    });
    return status === 401 && isStale(fields['www-authenticate'] ?? '') ? 'stale' : status;
  };
}

async function startSession() {
  const { headers } = await send(`${origin}/platform/admin/sign-in`, {
    method: 'POST',
    headers: {
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: `name=${GUIDE.username}&password=${GUIDE.password}`,
  });
  const Cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return async () => (await send(`${origin}/platform/admin/account`, { headers: { Cookie } })).status;
}

const expectOneOf = (what, actual, ...expected) =>
  report.check(expected.includes(actual), `${what}: ${actual}, not ${expected.join(' or ')}`);

let tested = 0;
for (let at = 0; at < moves; at++) {
  const offset = OFFSETS[at % OFFSETS.length];
  const where = `move ${at + 1}, to ${offset} s`;
  const old = await signIn();
  expectOneOf(`${where}, before`, await old(), 200);
  const guess = await signIn({ ...GUIDE, password: 'wrong' }, GUESSER);
  for (let time = 0; time < 3; time++) await guess();
  expectOneOf(`${where}, failed sign-ins`, await guess(), 429);
  const session = moves >= MOVES_WITH_SESSIONS && offset !== 0 ? await startSession() : undefined;
  if (session) expectOneOf(`${where}, session`, await session(), 200);

  move(offset);
  const begin = performance.now();
  // Node caches the Date field for a second.
  await delay(1100);
  const { headers } = await send(`${origin}/v1/atlas/countries/DE`);
  const actual = Math.round((Date.parse(headers.date) - Date.now()) / 1000);
  report.check(Math.abs(actual - offset) < 30, `${where}: the clock of the server is ${actual} s ahead.`);
  expectOneOf(`${where}, nonce from before`, await old(), 200, 'stale');
  expectOneOf(`${where}, new nonce`, await (await signIn())(), 200);
  if (session) {
    await delay((IDLE + 1) * 1000);
    expectOneOf(`${where}, session after its idle timeout`, await session(), 303);
    tested++;
  }
  await delay(Math.max(0, (TIMEOUT + 1) * 1000 - (performance.now() - begin)));
  expectOneOf(`${where}, nonce after its timeout`, await old(), 'stale');
  expectOneOf(`${where}, after the wait for failed sign-ins`, await (await signIn(GUIDE, GUESSER))(), 200);
}
const exit = await server.stop();
report.check(exit === 0, `The server exited with ${exit}. ${server.errors}`);
rmSync(folder, { recursive: true, force: true });
report.say(
  `the clock was moved ${moves} times by 10 minutes or more; nonces, waits and ${tested} sessions ended in time`,
);
report.end('wrong responses after moves of the clock');
