// A realistic mix: 60% entities, 25% pages, 10% writes, 5% documentation. A third of the requests is signed in, half of
// them with Digest; with access log and metrics.
import { ask } from '../measure/ask.mjs';
import { get } from '../measure/requests.mjs';
import { digestAndBearer } from '../platform/guards.mjs';
import { bearerIssuer } from './bearer-issuer.mjs';
import { fieldsWithout, serializeCopy } from './copied-answer.mjs';
import { mixedRequests } from './mixed-requests.mjs';

const BARE = 'bare node:http';
const OURS = 'everything on';
const DOCUMENTATION = '/platform/documentation/Market';
const USERS = 50;

/** Headers of an item that differ between requests, or describe its body. */
const OWN = ['content-type', 'content-length', 'link', 'x-request-id', 'vary'];

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'mix',
  title: 'Realistic mix',
  base: BARE,
  warmup: 8,
  targets: [{ row: OURS, of: BARE, ahead: true }],
  async open(servers, { short }) {
    const issuer = bearerIssuer();
    const tokens = Array.from({ length: USERS }, (_, at) => issuer.tokenOf(`user-${at}`));
    const environment = { BENCH_PUBLIC_KEY: issuer.publicKey };
    const ours = await servers.platform('everything', 'market', digestAndBearer('Market', issuer));
    const [item, document] = [
      await ask(ours.port, get('/items/1')),
      await ask(ours.port, get(DOCUMENTATION)),
    ];
    const bare = servers.peer('peers/bare/market.mjs', {
      ...environment,
      BENCH_COPY: servers.file('copy.json', serializeCopy(DOCUMENTATION, document, ['x-request-id'])),
      BENCH_HEADERS: JSON.stringify(fieldsWithout(item, OWN)),
    });
    const row = async (
      name,
      starting,
      { hasDigest = true, documentation = '/documentation/json', ...more },
    ) => {
      const service = await starting;
      const requests = { port: service.port, tokens, documentation, hasDigest, short };
      return { name, service, complete: true, ...more, ...(await mixedRequests(requests)) };
    };
    const peer = (folder) => servers.peer(`peers/${folder}/market.mjs`, environment);
    return Promise.all([
      row(BARE, bare, { documentation: DOCUMENTATION }),
      row(OURS, ours, { documentation: DOCUMENTATION, ours: true }),
      row('Express 5, http-auth', peer('express'), {}),
      row('Fastify, no Digest', peer('fastify'), { hasDigest: false }),
      row('Hono, no Digest', peer('hono'), { hasDigest: false }),
    ]);
  },
};
