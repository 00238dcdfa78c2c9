// A node that claims nonce counts as a server does that has verified a digest. Its parent sends it batches.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
load('reflect-metadata');
const { RedisState } = load('../../dist/modules/cluster/redis/redis-state.js');
const { DeploymentKeys } = load('../../dist/framework/index.js');

const quiet = () => undefined;
const state = new RedisState({
  url: process.env.REDIS_URL,
  prefix: 'reliability',
  keys: new DeploymentKeys([Buffer.alloc(32, 7)]),
  log: { error: quiet, warn: quiet, info: quiet },
});
await state.connected(10_000);

// The parent may be gone.
const answer = (message) => process.send(message, undefined, undefined, () => undefined);

process.on('message', async ({ id, issue, claims }) => {
  if (issue !== undefined) {
    answer({ id, issued: { generation: state.generation, expiresAt: state.now() + issue } });
    return;
  }
  const results = await Promise.all(
    claims.map(async ([nonce, expiresAt, generation, count]) => {
      try {
        return await state.counterFor({ nonce, expiresAt, generation }).claim(count);
      } catch {
        return 'failed';
      }
    }),
  );
  answer({ id, results });
});
process.on('disconnect', () => process.exit());
answer({ isReady: true });
