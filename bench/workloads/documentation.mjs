// The documentation of 20 services × 5 operations × 10 fields, compared with the same bytes from a Buffer.
import { ask, fieldOf } from '../measure/ask.mjs';
import { get } from '../measure/requests.mjs';
import { shows } from './checks.mjs';
import { serializeCopy } from './copied-answer.mjs';

const TARGET = '/platform/documentation/Documented';
const BARE = 'bare node:http, those bytes';
const BARE_EVERYTHING = 'bare node:http, those of everything on';
const GZIP = { 'Accept-Encoding': 'gzip' };

/**
 * @param {object} about
 * @param {string} about.name
 * @param {string} about.title
 * @param {Record<string, string>} [about.fields] request headers
 * @param {number} about.atLeast the target
 * @param {number} [about.status] 304 is requested with the ETag of the first response
 * @param {string[]} [about.shown] names of response headers
 * @param {string} about.peer name of the peer
 * @param {string} about.file its server
 * @param {string} about.path of its documentation
 * @returns {import('./workload.mjs').Workload}
 */
function documentation({ name, title, fields = {}, atLeast, status = 200, shown = [], peer, file, path }) {
  const requestFor = async ({ port }, target) => {
    const request = get(target, fields);
    if (status !== 304) return request;
    return get(target, { ...fields, 'If-None-Match': fieldOf(await ask(port, request), 'etag') });
  };
  return {
    name,
    title,
    base: BARE,
    targets: [
      { row: 'hosting and documentation', of: BARE, atLeast },
      { row: 'everything on', of: BARE_EVERYTHING, atLeast },
    ],
    async open(servers) {
      const row = async (called, service, target = TARGET) => {
        const request = await requestFor(service, target);
        return { name: called, service, next: () => request, expect: status, check: shows(status, ...shown) };
      };
      const ours = async (called, service, bareName) => {
        const own = { ...(await row(called, service)), ours: true, base: bareName };
        const original = servers.file(
          'copy.json',
          serializeCopy(TARGET, await ask(service.port, own.next())),
        );
        const bare = await servers.peer('peers/bare/copy.mjs', { BENCH_COPY: original });
        return [{ ...own, name: bareName, service: bare, ours: false }, own];
      };
      const [alone, everything, other] = await Promise.all([
        servers.platform('hosting', 'documented', { besides: ['documentation'] }),
        servers.platform('everything', 'documented'),
        servers.peer(file),
      ]);
      return [
        ...(await ours('hosting and documentation', alone, BARE)),
        ...(await ours('everything on', everything, BARE_EVERYTHING)),
        await row(peer, other, path),
      ];
    },
  };
}

const swagger = { file: 'peers/fastify/documented.mjs', path: '/documentation/json' };

export default [
  documentation({
    name: 'documentation-json',
    title: 'Documentation, JSON',
    atLeast: 0.95,
    shown: ['content-length'],
    peer: '@fastify/swagger',
    ...swagger,
  }),
  documentation({
    name: 'documentation-html',
    title: 'Documentation, HTML',
    fields: { Accept: 'text/html' },
    atLeast: 0.95,
    shown: ['content-length'],
    peer: 'Express 5, nunjucks for each request',
    file: 'peers/express/documented.mjs',
    path: '/documentation',
  }),
  documentation({
    name: 'documentation-gzip',
    title: 'Documentation, gzip',
    fields: GZIP,
    atLeast: 0.9,
    shown: ['content-encoding'],
    peer: '@fastify/swagger, @fastify/compress',
    ...swagger,
  }),
  documentation({
    name: 'documentation-304',
    title: 'Documentation, 304',
    atLeast: 0.9,
    status: 304,
    shown: ['etag'],
    peer: '@fastify/swagger, @fastify/etag',
    ...swagger,
  }),
];
