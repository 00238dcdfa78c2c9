// What a guard costs: requests with credentials against the same operation without any.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { basic, get, makeProject, root } from './project.mjs';
import { startService } from './service.mjs';

const PATH = { basic: '/v1/atlas/countries/DE', digest: '/v2/atlas/countries/DE' };
const NONCES = 128;

const md5 = (text) => createHash('md5').update(text).digest('hex');
/** A list that is used up: nothing of a request is made while it is measured. */
function taken(list) {
  let at = 0;
  return () => {
    const one = list[at++];
    if (one === undefined) throw new Error(`All ${list.length} prepared requests are used up: prepare more.`);
    return one;
  };
}

/** Requests with counts that grow, over many nonces in turn. */
async function digestRequests(port, count) {
  const realm = 'Atlas';
  const secret = md5(`guide:${realm}:explore`);
  const uri = PATH.digest;
  const ha2 = md5(`GET:${uri}`);
  const challenges = [];
  for (let at = 0; at < NONCES; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/v2/atlas/visits`);
    const field = answer.headers.get('www-authenticate') ?? '';
    challenges.push({ nonce: /nonce="([^"]+)"/.exec(field)[1], opaque: /opaque="([^"]+)"/.exec(field)[1] });
  }
  return Array.from({ length: count }, (_, at) => {
    const { nonce, opaque } = challenges[at % NONCES];
    const nc = (Math.floor(at / NONCES) + 1).toString(16).padStart(8, '0');
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    const response = md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${ha2}`);
    return get(
      uri,
      `Digest username="guide", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=MD5, qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}", opaque="${opaque}"`,
    );
  });
}

export async function guardedWorkloads(budget) {
  const { folder, remove } = makeProject();
  const service = await startService([path.join(root, 'dist/index.js'), '--root', folder], 0);
  const workloads = [
    { name: 'v1, no credentials', against: 'v1, no credentials', next: () => get(PATH.basic) },
    {
      name: 'v1, Basic (bcrypt, remembered)',
      against: 'v1, no credentials',
      next: () => get(PATH.basic, basic('guide', 'explore')),
    },
    { name: 'v2, no credentials', against: 'v2, no credentials', next: () => get(PATH.digest) },
    {
      name: 'v2, Digest (MD5, growing counts, 128 nonces)',
      against: 'v2, no credentials',
      next: taken(await digestRequests(service.port, budget)),
    },
  ].map((workload) => ({ ...workload, service }));
  return {
    workloads,
    async stop() {
      await service.stop();
      remove();
    },
  };
}
