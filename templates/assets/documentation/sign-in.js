// Authentication within the page. Credentials are kept in memory only. The browser never prompts for them.
import {
  authorizationFor,
  describeChallenges,
  parseChallenges,
  protectionOf,
  strongestChallenge,
} from './digest.js';
import { octetsOf } from './octets.js';
import { t } from './text.js';

/** realm and credentials → the current challenge, and the number of its uses */
const sessions = new Map();

/** Forgets the challenges, so that the next request starts without credentials. */
export const forgetSessions = () => sessions.clear();

/** Options of each request: without them, the browser would prompt for credentials after a 401. */
const NO_PROMPT = { credentials: 'omit', redirect: 'follow', cache: 'no-store' };

const randomHex = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const basic = ({ user, password }) => `Basic ${btoa(octetsOf(`${user}:${password}`))}`;

/**
 * Sends a request, with credentials if there are any.
 * @param credentials user, password, scheme and realm, or a token and its place; undefined for a guest
 * @returns the response, and a note about authentication
 */
export async function authenticatedFetch(url, init, credentials) {
  if (credentials === undefined) return { response: await fetch(url, { ...init, ...NO_PROMPT }), note: '' };
  if (credentials.scheme === 'token') return { response: await tokenFetch(url, init, credentials), note: '' };
  if (credentials.scheme === 'basic') {
    const response = await send(url, init, basic(credentials));
    return { response, note: response.status === 401 ? '' : t('signIn.basic') };
  }
  return digestFetch(url, init, credentials);
}

/** Sends a token or key in a header field, or in the query. */
function tokenFetch(url, init, { in: place, name, prefix, token }) {
  const address = new URL(url);
  const headers = new Headers(init.headers);
  if (place === 'query') address.searchParams.append(name, token);
  else headers.set(name, prefix + token);
  return fetch(address, { ...init, ...NO_PROMPT, headers });
}

function send(url, init, authorization) {
  const headers = new Headers(init.headers);
  if (authorization !== undefined) headers.set('Authorization', authorization);
  return fetch(url, { ...init, ...NO_PROMPT, headers });
}

/** Returns a request with its body as bytes, for `auth-int`, and with the type of a form, which has the boundary. */
async function withBytes(init) {
  if (init.body === undefined) return init;
  const encoded = new Response(init.body);
  const headers = new Headers(init.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', encoded.headers.get('Content-Type'));
  return { ...init, headers, body: new Uint8Array(await encoded.arrayBuffer()) };
}

async function digestFetch(url, original, credentials) {
  let init = original;
  const key = JSON.stringify([credentials.realm, credentials.user, credentials.password]);
  const { pathname, search } = new URL(url);
  const nextAuthorization = async () => {
    const session = sessions.get(key);
    if (session === undefined) return undefined;
    session.count += 1;
    const { count, challenge } = session;
    if (protectionOf(challenge) === 'auth-int') init = await withBytes(init);
    const { method, body } = init;
    const request = { method, body, uri: pathname + search, count, cnonce: randomHex() };
    return authorizationFor(challenge, { ...credentials, ...request });
  };
  let authorization = await nextAuthorization();
  let response = await send(url, init, authorization);
  // A nonce may have expired: the challenge is stale, and has a new one.
  for (let tries = 0; response.status === 401 && tries < 2; tries++) {
    const challenges = parseChallenges(response.headers.get('www-authenticate') ?? '');
    // The user of one realm is unknown in another one.
    const own = challenges.filter(({ parameters }) => parameters.realm === credentials.realm);
    const challenge = strongestChallenge(own) ?? strongestChallenge(challenges);
    if (challenge === undefined) return { response, note: unsupportedNote(challenges) };
    const isStale = challenge.parameters.stale?.toLowerCase() === 'true';
    if (authorization !== undefined && !isStale) break;
    await response.body?.cancel();
    sessions.set(key, { challenge, count: 0 });
    authorization = await nextAuthorization();
    response = await send(url, init, authorization);
  }
  return { response, note: updateSession(key, response, authorization) };
}

/** Returns a note about challenges that are not supported. */
function unsupportedNote(challenges) {
  const required = describeChallenges(challenges);
  return required === '' ? '' : t('signIn.required', { required });
}

/** Saves the next nonce (RFC 7616, 3.5), and forgets the session after a 401. */
function updateSession(key, response, authorization) {
  const session = sessions.get(key);
  if (session === undefined || authorization === undefined) return '';
  if (response.status === 401) {
    sessions.delete(key);
    return '';
  }
  const next = /nextnonce="([^"]+)"/.exec(response.headers.get('authentication-info') ?? '')?.[1];
  if (next !== undefined && next !== session.challenge.parameters.nonce) {
    const parameters = { ...session.challenge.parameters, nonce: next };
    sessions.set(key, { challenge: { ...session.challenge, parameters }, count: 0 });
  }
  return t('signIn.digest', { algorithm: session.challenge.parameters.algorithm ?? 'MD5' });
}
