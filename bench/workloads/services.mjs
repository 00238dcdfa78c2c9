// Routed JSON with many services: whether unused ones cost anything.
import { inTurn } from '../measure/requests.mjs';
import { thing } from '../sample/things.mjs';
import { showsLike } from './checks.mjs';
import { sameFor } from './rows.mjs';
import { thingRequests } from './json.mjs';

/** A functional check needs fewer: each server takes time to start. */
const countsOf = (short) => (short ? [10, 100] : [10, 100, 1_000, 10_000]);

const named = (count) => `hosting alone, ${count.toLocaleString('en')} services`;

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'services',
  title: 'Routed JSON, many services',
  base: named(10),
  targets: [1_000, 10_000].map((count) => ({ row: named(count), of: named(10), atLeast: 0.9 })),
  async open(servers, { short }) {
    const row = (count) => sameFor(inTurn(thingRequests(count)), showsLike(thing('0'), 'thing_id'));
    const environment = (count) => ({ BENCH_SERVICES: String(count) });
    const fastifyName = (count) => `Fastify, ${count.toLocaleString('en')} services`;
    const ours = async (count) => ({
      ...(await row(count).alone(servers.platform('hosting', 'things', { environment: environment(count) }))),
      name: named(count),
      rival: fastifyName(count),
    });
    const fastify = (count) =>
      row(count).other(fastifyName(count), servers.peer('peers/fastify/app.mjs', environment(count)));
    const counts = countsOf(short);
    return Promise.all([...counts.map(ours), ...counts.map(fastify)]);
  },
};
