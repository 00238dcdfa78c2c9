// Bare node:http with Basic and Digest implemented by hand: bcrypt once per client, the digests for each request.
import { hash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { compare } from 'bcrypt';
import { bcryptHash, realm, user } from '../../sample/guarded.mjs';
import { thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';
import { accepts, pathOf, refuse, send } from './answer.mjs';
import { acceptsDigest, digestChallenges } from './digest.mjs';

const json = accepts('application/json');
/** Whether responses to Digest have the optional field `Authentication-Info` (RFC 7616, 3.5). */
const sendsInfo = process.env.AUTHENTICATION_INFO === 'on';
const key = randomBytes(32).toString('hex');
const remembered = new Map();

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

function challenge(response, path) {
  const body = JSON.stringify({ status: 401 });
  const fields = ['Content-Type', 'application/problem+json', 'Content-Length', Buffer.byteLength(body)];
  if (path.startsWith('/digest/')) fields.push(...digestChallenges());
  else fields.push('WWW-Authenticate', `Basic realm="${realm}", charset="UTF-8"`);
  response.writeHead(401, fields);
  response.end(body);
}

/** @param {string | true} [info] the value of `Authentication-Info`, if it is sent */
function answer(request, response, path, info = true) {
  if (!json(request.headers.accept)) return refuse(response, 406);
  const id = decodeURIComponent(path.slice(path.indexOf('/', 1) + 1));
  const text = JSON.stringify(thing(id));
  if (info === true) return send(response, 200, 'application/json', text);
  const fields = ['Content-Type', 'application/json', 'Content-Length', Buffer.byteLength(text)];
  response.writeHead(200, [...fields, 'Authentication-Info', info]);
  return response.end(text);
}

function verdict(request, path) {
  const field = request.headers.authorization ?? '';
  if (path.startsWith('/basic/')) return field.startsWith('Basic ') && basic(field);
  return field.startsWith('Digest ') && acceptsDigest(field, request.method, request.url, sendsInfo);
}

listen(
  createServer((request, response) => {
    const path = pathOf(request.url);
    if (!/^\/(?:open|basic|digest)\//.test(path)) return refuse(response, 404);
    if (request.method !== 'GET') return refuse(response, 405);
    if (path.startsWith('/open/')) return answer(request, response, path);
    const judged = verdict(request, path);
    if (judged === false) return challenge(response, path);
    if (judged === true || typeof judged === 'string') return answer(request, response, path, judged);
    return judged.then((right) => (right ? answer(request, response, path) : challenge(response, path)));
  }),
);
