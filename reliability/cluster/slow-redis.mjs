// A server reaches Redis through a proxy that begins to delay everything, under load: Digest responds 503 soon, everything
// else as before, and Digest again when the delay ends.
import { Agent } from 'node:http';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { digestChallenge, digestResponse } from '../service/digest.mjs';
import { Latencies } from '../service/latencies.mjs';
import { send } from '../service/load.mjs';
import { GUIDE, makeProject } from '../service/project.mjs';
import { rounded } from '../service/report.mjs';
import { startServer } from '../service/server.mjs';
import { freePorts } from '../../scripts/ports.mjs';
import { RedisProcess, TcpProxy } from './redis.mjs';

const DIGEST = '/v2/atlas/visits';
const OTHERS = ['/v2/atlas/countries/DE', '/load/slow', '/platform/documentation/Atlas-v2'];
/** Milliseconds in each direction: more than a command may take. */
const DELAY = 200;
/** Milliseconds after which Digest must have responded, and after which it must be back. */
const [MAX_RESPONSE, MAX_RECOVERY] = [150, 2_000];

/**
 * @param program of Redis
 * @param seconds for which Redis is slow, and before and after it
 * @param pause in milliseconds after each request that needs no Redis
 */
export async function slowRedis(program, seconds, report, pause) {
  const [port] = await freePorts(1);
  const redis = await new RedisProcess(program, port).start();
  const proxy = await TcpProxy.open(redis.port);
  const folder = makeProject({
    modules: ['cluster'],
    more: {
      'platform-cluster': {
        redis: { url: `redis://127.0.0.1:${proxy.port}` },
        deployment_key: 'reliability '.repeat(4),
      },
    },
  });
  const server = await startServer(folder);
  const agent = new Agent({ keepAlive: true });
  let [isRunning, phase] = [true, 'fast'];
  const digest = { fast: {}, slow: {}, back: {} };
  const [refusals, others] = [new Latencies(), { requests: 0, failed: 0 }];
  let recovered;

  async function digestClient() {
    let challenge;
    for (let count = 1; isRunning; count++) {
      const headers =
        challenge === undefined
          ? {}
          : { Authorization: digestResponse(challenge, GUIDE, 'GET', DIGEST, count) };
      const [sentIn, began] = [phase, performance.now()];
      const { status, headers: fields } = await send(server.origin + DIGEST, { headers, agent });
      if (status === 401) [challenge, count] = [digestChallenge(fields['www-authenticate']), 0];
      else {
        digest[sentIn][status] = (digest[sentIn][status] ?? 0) + 1;
        if (sentIn === 'slow' && status === 503) refusals.add(performance.now() - began);
        if (sentIn === 'back' && status === 200) recovered ??= performance.now();
      }
      await delay(5);
    }
  }
  async function otherClient(at) {
    while (isRunning) {
      const { status } = await send(server.origin + OTHERS[at % OTHERS.length], { agent });
      others.requests++;
      if (status !== 200) others.failed++;
      await delay(pause);
    }
  }

  const clients = [1, 2, 3, 4].flatMap((at) => [digestClient(), otherClient(at)]);
  await delay(seconds * 1_000);
  [proxy.delay, phase] = [DELAY, 'slow'];
  await delay(seconds * 1_000);
  [proxy.delay, phase] = [0, 'back'];
  const ended = performance.now();
  await delay(Math.max(seconds * 1_000, 3_000));
  isRunning = false;
  await Promise.all(clients);
  agent.destroy();
  await server.stop();
  proxy.close();
  await redis.close();
  rmSync(folder, { recursive: true, force: true });

  const summaryOf = (results) =>
    Object.entries(results)
      .map(([status, times]) => `${times} times ${status}`)
      .join(', ');
  const recovery = (recovered ?? Infinity) - ended;
  report.say(
    `Redis slower by ${2 * DELAY} ms: Digest before ${summaryOf(digest.fast)}; meanwhile ${summaryOf(digest.slow)}, ` +
      `median ${rounded(refusals.p50)} ms, maximum ${rounded(refusals.max)} ms; ` +
      `again 200 after ${Math.round(recovery)} ms`,
  );
  report.say(`other requests: ${others.requests}, ${others.failed} failed`);
  report.check(others.failed === 0, `${others.failed} requests that need no Redis failed.`);
  // A reply may be late on a busy machine.
  const late = (digest.fast[503] ?? 0) / (digest.fast[200] ?? 0);
  report.check(late < 0.02, `Digest before: ${summaryOf(digest.fast)}`);
  report.check((digest.slow[503] ?? 0) > 0, 'Digest was never refused.');
  report.check(
    refusals.p99 <= MAX_RESPONSE,
    `Digest was refused only after ${rounded(refusals.p99)} ms (99th percentile).`,
  );
  report.check(recovery <= MAX_RECOVERY, `Digest was back only after ${Math.round(recovery)} ms.`);
}
