// Bare node:http with Basic and Digest implemented by hand: bcrypt once per client, the digests for each request.
import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { compare } from 'bcrypt';
import { bcryptHash, digestSecrets, realm, user } from '../../sample/guarded.mjs';
import { thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';
import { accepts, pathOf, refuse, send } from './answer.mjs';

const json = accepts('application/json');
/** `node:crypto.hash` came with Node 20.12 and takes a third of the time. */
const md5 =
  hash === undefined ? (text) => createHash('md5').update(text).digest('hex') : (text) => hash('md5', text);
const key = randomBytes(32).toString('hex');
const remembered = new Map();
const counts = new Map();

/** `true`, `false`, or a promise of either: a correct password is cached for a minute, by its hash. */
function basic(field) {
  const text = Buffer.from(field.slice(6), 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0 || text.slice(0, colon) !== user) return false;
  const known = hash('sha256', `${key}${text}`, 'base64');
  if (remembered.get(known) > Date.now()) return true;
  return compare(text.slice(colon + 1), bcryptHash).then((right) => {
    if (right) remembered.set(known, Date.now() + 60_000);
    return right;
  });
}

const PARAMETER = /(\w+)=(?:"([^"]*)"|([^\s,]+))/g;

/** Realm, nonce, target, increasing count, and the response of RFC 7616, 3.4.1. */
function digest(field, method, target) {
  const parameters = {};
  for (const [, name, quoted, token] of field.matchAll(PARAMETER)) parameters[name] = quoted ?? token;
  const { nonce, uri, nc, cnonce, qop, response } = parameters;
  const last = counts.get(nonce);
  const count = parseInt(nc, 16);
  if (parameters.username !== user || parameters.realm !== realm || uri !== target || qop !== 'auth')
    return false;
  if (last === undefined || !(count > last) || response?.length !== 32) return false;
  const expected = md5(`${digestSecrets.md5}:${nonce}:${nc}:${cnonce}:${qop}:${md5(`${method}:${uri}`)}`);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(response))) return false;
  counts.set(nonce, count);
  return true;
}

function challenge(response, path) {
  const body = JSON.stringify({ status: 401 });
  const fields = ['Content-Type', 'application/problem+json', 'Content-Length', Buffer.byteLength(body)];
  if (path.startsWith('/digest/')) {
    const nonce = randomBytes(24).toString('base64url');
    // A nonce for each challenge, stored while there is room; the oldest is dropped first.
    counts.set(nonce, 0);
    if (counts.size > 100_000) counts.delete(counts.keys().next().value);
    for (const algorithm of ['SHA-256', 'MD5'])
      fields.push(
        'WWW-Authenticate',
        `Digest realm="${realm}", nonce="${nonce}", opaque="bare", algorithm=${algorithm}, qop="auth"`,
      );
  } else fields.push('WWW-Authenticate', `Basic realm="${realm}", charset="UTF-8"`);
  response.writeHead(401, fields);
  response.end(body);
}

function answer(request, response, path) {
  if (!json(request.headers.accept)) return refuse(response, 406);
  const id = decodeURIComponent(path.slice(path.indexOf('/', 1) + 1));
  return send(response, 200, 'application/json', JSON.stringify(thing(id)));
}

function verdict(request, path) {
  const field = request.headers.authorization ?? '';
  if (path.startsWith('/basic/')) return field.startsWith('Basic ') && basic(field);
  return field.startsWith('Digest ') && digest(field, request.method, request.url);
}

listen(
  createServer((request, response) => {
    const path = pathOf(request.url);
    if (!/^\/(?:open|basic|digest)\//.test(path)) return refuse(response, 404);
    if (request.method !== 'GET') return refuse(response, 405);
    if (path.startsWith('/open/')) return answer(request, response, path);
    const judged = verdict(request, path);
    if (judged === true) return answer(request, response, path);
    if (judged === false) return challenge(response, path);
    return judged.then((right) => (right ? answer(request, response, path) : challenge(response, path)));
  }),
);
