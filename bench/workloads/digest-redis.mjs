// Digest with the counts of nonces in Redis, compared with counts in memory; and what a claim costs Redis.
import { connect } from 'node:net';
import { once } from 'node:events';
import { hasRedis, startRedis } from '../../scripts/redis.mjs';
import { digestRow, noncesOf } from './digest-row.mjs';

const MEMORY = 'counts in memory';
const REDIS = 'counts in Redis';
const GUARDED = ['cluster'];

/** @type {Awaited<ReturnType<typeof startRedis>> | undefined} */
let redis;

/** Sends an inline command. @returns the text of the response */
async function command(text) {
  const socket = connect(redis.port, '127.0.0.1');
  socket.end(`${text}\r\nQUIT\r\n`);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  await once(socket, 'close');
  return answer;
}

const figure = (info, name) => Number(new RegExp(`^${name}[:=]([\\d.]+)`, 'm').exec(info)?.[1]);

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'digest-redis',
  title: 'Digest over Redis, growing counts over 128 nonces',
  base: MEMORY,
  targets: [{ row: REDIS, of: MEMORY, atLeast: 0.75 }],
  async open(servers, options) {
    const nonces = noncesOf(options);
    const inMemory = digestRow(MEMORY, servers.platform('hosting', 'guarded'), nonces, { ours: true });
    if (!hasRedis()) return [await inMemory];
    redis ??= await startRedis();
    const changes = {
      'platform-cluster': {
        redis: { url: redis.url },
        deployment_key: 'a key of the benchmark, not a secret',
      },
    };
    const shared = servers.platform('hosting', 'guarded', { besides: GUARDED, changes });
    return [await inMemory, await digestRow(REDIS, shared, nonces, { ours: true })];
  },
  /** What the claims of the rounds cost Redis, which runs on any core. */
  async report() {
    if (redis === undefined) return 'Redis is not installed: its row is left out.';
    const info = await command('INFO everything');
    const claims = Number(/^cmdstat_setbit:calls=(\d+)/m.exec(info)?.[1]);
    const [, commands, inside] = /^cmdstat_evalsha:calls=(\d+),usec=(\d+)/m.exec(info) ?? [];
    const seconds = figure(info, 'used_cpu_user') + figure(info, 'used_cpu_sys');
    const bytes = (name) => Math.round(figure(info, name) / claims);
    await redis.stop();
    redis = undefined;
    return (
      `Redis executed ${claims} claims in ${commands} commands. A claim took ` +
      `${((seconds / claims) * 1e6).toFixed(1)} µs of its processor time ` +
      `(${(Number(inside) / claims).toFixed(1)} µs inside the script), ${bytes('total_net_input_bytes')} bytes received and ` +
      `${bytes('total_net_output_bytes')} sent.`
    );
  },
};
