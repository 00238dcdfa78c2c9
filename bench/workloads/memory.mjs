// Memory of one process at rest, and after many requests: detects leaks.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../measure/load.mjs';
import { inTurn } from '../measure/requests.mjs';
import { Servers } from '../measure/servers.mjs';
import { table } from '../report/table.mjs';
import { thingRequests } from './json.mjs';

/** Time for garbage collection. */
const REST = 2000;

const CASES = [
  { name: 'bare node:http', start: (servers) => servers.peer('peers/bare/app.mjs') },
  { name: 'hosting alone', start: (servers) => servers.platform('hosting', 'things') },
  { name: 'everything on', start: (servers) => servers.platform('everything', 'things') },
  {
    name: 'Fastify, pino to a file, helmet',
    start: (servers) => servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' }),
  },
];

async function memoryOf({ name, start }, milestones, options) {
  const servers = new Servers(options);
  try {
    const service = await start(servers);
    const next = inTurn(thingRequests(10));
    const row = { 'MB of memory': name };
    let done = 0;
    let failed = 0;
    for (const milestone of milestones) {
      const requests = milestone - done;
      if (requests > 0)
        failed += (await load({ port: service.port, connections: options.connections, requests, next }))
          .failed;
      done = milestone;
      await sleep(options.short ? 100 : REST);
      const label = milestone === 0 ? 'at rest' : `after ${milestone.toLocaleString('en')} requests`;
      row[label] = Math.round(service.memory().now);
    }
    row['at most'] = Math.round(service.memory().most);
    return { row, failed };
  } finally {
    await servers.stop();
  }
}

export default {
  name: 'memory',
  title: 'Memory',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const { short } = options;
    const results = [];
    const milestones = short ? [0, 200] : [0, 10_000, 1_000_000];
    for (const one of CASES) results.push(await memoryOf(one, milestones, options));
    return {
      text: table(results.map(({ row }) => row)),
      verdicts: [],
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
    };
  },
};
