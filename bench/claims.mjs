// What counts of nonces cost Redis and a node, by how many a node sends in one command: the inputs of the capacity plan in
// docs/guides/scaling.md. Exits when done.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { startRedis } from '../scripts/redis.mjs';
import { table } from './report/table.mjs';

const require = createRequire(import.meta.url);
const { ClaimBatches } = require('../dist/modules/cluster/redis/claim-batches.js');
const { RedisLink } = require('../dist/modules/cluster/redis/redis-link.js');

const CLAIMS = 200_000;
/** Claims of a nonce before a client gets the next one. */
const COUNTS = 20;
const GENERATION_KEY = 'apidesc-platform:generation';
const GENERATION = randomBytes(8).toString('base64url');
const LIFETIME_MS = 600_000;

const figure = (info, name) => Number(new RegExp(`^${name}[:=]([\\d.]+)`, 'm').exec(info)?.[1]);

async function costsOf(redis) {
  const info = await redis.info();
  const { user, system } = process.cpuUsage();
  return {
    redis: 1e6 * (figure(info, 'used_cpu_user') + figure(info, 'used_cpu_sys')),
    node: user + system,
    received: figure(info, 'total_net_input_bytes'),
    sent: figure(info, 'total_net_output_bytes'),
    memory: figure(info, 'used_memory'),
  };
}

/** Claims counts of new nonces, so many in each turn of the event loop. @returns the costs of one claim */
async function measure(link, size) {
  const batches = new ClaimBatches(link, GENERATION_KEY);
  const before = await costsOf(link);
  let nonces = [];
  let expiresAt = '';
  for (let claimed = 0; claimed < CLAIMS; claimed += size) {
    if ((claimed / size) % COUNTS === 0) {
      nonces = Array.from({ length: size }, () => randomBytes(24).toString('base64url'));
      expiresAt = String(Date.now() + LIFETIME_MS);
    }
    const bit = 1 + ((claimed / size) % COUNTS);
    const results = await Promise.all(
      nonces.map((nonce) =>
        batches.claim(GENERATION, {
          key: `apidesc-platform:${GENERATION}:n:${nonce}:0`,
          bit,
          expiresAt,
        }),
      ),
    );
    const refused = results.find((result) => result !== 'accepted');
    if (refused !== undefined) throw new Error(`A claim was refused: ${refused}`);
  }
  const after = await costsOf(link);
  const perClaim = (name) => (after[name] - before[name]) / CLAIMS;
  return {
    'claims in a command': size,
    'Redis, µs': perClaim('redis').toFixed(1),
    'node, µs': perClaim('node').toFixed(1),
    'bytes received': Math.round(perClaim('received')),
    'bytes sent': Math.round(perClaim('sent')),
    'memory of a nonce, bytes': Math.round(perClaim('memory') * COUNTS),
  };
}

/** Measures each size in turn, with a Redis of its own. */
export default async function measureClaims() {
  const server = await startRedis();
  const link = new RedisLink(server.url, (one) => one.info().then(() => undefined), {
    lost: () => undefined,
    joined: () => undefined,
  });
  try {
    while (!link.isUsable) await delay(10);
    await link.command('HSET', GENERATION_KEY, 'generation', GENERATION);
    const rows = [];
    for (const size of [1, 8, 32, 128]) rows.push(await measure(link, size));
    console.log(table(rows));
  } finally {
    link.close();
    await server.stop();
  }
}
