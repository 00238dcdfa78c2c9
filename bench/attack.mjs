// Under attack, on loopback: how requests of attackers affect those of others. Exits when done.
import { createHash } from 'node:crypto';
import { hashSync } from 'bcrypt';
import { load } from './measure/load.mjs';
import { basic, get as getWith } from './measure/requests.mjs';
import { median } from './measure/rounds.mjs';
import { Servers } from './measure/servers.mjs';
import { signInFlood } from './sign-in-flood.mjs';

const md5 = (text) => createHash('md5').update(text).digest('hex');
const get = (target, authorization) =>
  getWith(target, authorization === undefined ? {} : { Authorization: authorization });
const PUBLIC = get('/v1/atlas/countries/DE');

/** Public requests on one connection, at rest and while 16 others try wrong passwords. */
async function wrongPasswords(service, seconds) {
  const rest = await load({ port: service.port, connections: 1, seconds, next: () => PUBLIC });
  const guess = () => get('/v1/atlas/countries/DE', basic('guide', 'wrong'));
  const attack = load({
    port: service.port,
    connections: 16,
    seconds: seconds + 1,
    next: guess,
    first: () => PUBLIC,
  });
  const during = await load({ port: service.port, connections: 1, seconds, next: () => PUBLIC });
  const { requests } = await attack;
  console.log(`| public requests at rest | p99 ${rest.p99.toFixed(2)} ms |`);
  console.log(
    `| the same while 16 connections guess bcrypt passwords (${requests} guesses) | p99 ${during.p99.toFixed(2)} ms |`,
  );
}

/** Millions of challenges while a nonce is in use. */
async function challenges(service, count) {
  const target = '/v2/atlas/visits';
  const answer = await fetch(`http://127.0.0.1:${service.port}${target}`);
  const field = answer.headers.get('www-authenticate') ?? '';
  const nonce = /nonce="([^"]+)"/.exec(field)[1];
  const opaque = /opaque="([^"]+)"/.exec(field)[1];
  const use = async (nc) => {
    const response = md5(`${md5('guide:Atlas:explore')}:${nonce}:${nc}:c:auth:${md5(`GET:${target}`)}`);
    const authorization = `Digest username="guide", realm="Atlas", nonce="${nonce}", uri="${target}", algorithm=MD5, qop=auth, nc=${nc}, cnonce="c", response="${response}", opaque="${opaque}"`;
    return (await fetch(`http://127.0.0.1:${service.port}${target}`, { headers: { authorization } })).status;
  };
  const before = await use('00000001');
  let sent = 0;
  const flood = async (share) => {
    while (sent < count * share) {
      const { requests } = await load({
        port: service.port,
        connections: 32,
        seconds: 2,
        next: () => get(target),
      });
      sent += requests;
    }
    return Math.round(service.memory().now);
  };
  const early = await flood(0.2);
  const late = await flood(1);
  console.log(`| memory after ${Math.round(count * 0.2)} challenges | ${early} MiB |`);
  console.log(`| memory after ${sent} challenges | ${late} MiB |`);
  console.log(`| a nonce that was in use, before and after | ${before}, ${await use('00000002')} |`);
}

/** Whether an unknown user can be distinguished from a wrong password by the response time. */
async function timing(servers, cost, requests) {
  // Apache writes $2y$ where others write $2b$: they are the same.
  const hash = hashSync('explore', cost).replace(/^\$2b/, '$2y');
  const changes = { 'platform-mvc-auth': { throttling: { enabled: false } } };
  const service = await servers.sample(changes, { 'config/samples/sample.htpasswd': `guide:${hash}\n` });
  const once = async (user) => {
    const started = performance.now();
    const headers = { authorization: basic(user, 'wrong') };
    const { status } = await fetch(`http://127.0.0.1:${service.port}/v1/atlas/countries/DE`, { headers });
    if (status !== 401) throw new Error(`${user} received ${status}`);
    return performance.now() - started;
  };
  const times = { guide: [], stranger: [] };
  for (let at = 0; at < requests / 2; at++) {
    for (const user of at % 2 === 0 ? ['guide', 'stranger'] : ['stranger', 'guide'])
      times[user].push(await once(user));
  }
  const [known, unknown] = [median(times.guide), median(times.stranger)];
  const apart = (Math.abs(known - unknown) / known) * 100;
  console.log(
    `| bcrypt cost ${cost}, ${requests} requests: wrong password, unknown user | ${known.toFixed(2)} ms, ${unknown.toFixed(2)} ms: ${apart.toFixed(1)}% apart |`,
  );
  await servers.stop();
}

/**
 * @param {readonly string[]} words `short`: functional check only; `flood`: only sign-ins during many sign-ins from one
 * address
 */
export default async function attack(words) {
  const short = words.includes('short');
  const servers = new Servers();
  try {
    console.log('| what | measured |\n|---|---|');
    if (!words.includes('flood')) {
      const service = await servers.sample({ 'platform-mvc-auth': { throttling: { enabled: false } } });
      await wrongPasswords(service, short ? 1 : 10);
      await challenges(service, short ? 10_000 : 1_000_000);
      await servers.stop();
    }
    await signInFlood(servers, { cost: short ? 8 : 12, signIns: short ? 5 : 40 });
    if (words.includes('flood')) return;
    await timing(servers, 5, short ? 40 : 2_000);
    await timing(servers, 12, short ? 4 : 2_000);
  } finally {
    await servers.stop();
  }
}
