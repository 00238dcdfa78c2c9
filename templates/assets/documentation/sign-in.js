// Signs in within the page. Names and passwords are in memory while the page is, and nowhere else; the browser
// itself is never asked to, so that it never prompts.
import { answerTo, namesOf, parseChallenges, protectionOf, strongest } from './digest.js';

/** realm → the challenge that is being answered, and how often it was */
const sessions = new Map();

/** What is sent whatever happens: without this, a 401 makes the browser ask for a password by itself. */
const QUIET = { credentials: 'omit', redirect: 'follow', cache: 'no-store' };

const randomHex = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const basic = ({ user, password }) =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;

/**
 * Fetches, with credentials where there are some.
 * @param credentials user, password, scheme and realm; undefined for a guest
 * @returns the answer, and in words how it was signed in
 */
export async function signedFetch(url, init, credentials) {
  if (credentials === undefined) return { answer: await fetch(url, { ...init, ...QUIET }), how: '' };
  if (credentials.scheme === 'basic') {
    const answer = await send(url, init, basic(credentials));
    return { answer, how: answer.status === 401 ? '' : 'signed in with Basic' };
  }
  return digestFetch(url, init, credentials);
}

function send(url, init, authorization) {
  const headers = new Headers(init.headers);
  if (authorization !== undefined) headers.set('Authorization', authorization);
  return fetch(url, { ...init, ...QUIET, headers });
}

/** A request with its body as octets, for a digest that covers them; a form's type names its boundary. */
async function settled(init) {
  if (init.body === undefined) return init;
  const written = new Response(init.body);
  const headers = new Headers(init.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', written.headers.get('Content-Type'));
  return { ...init, headers, body: new Uint8Array(await written.arrayBuffer()) };
}

async function digestFetch(url, given, credentials) {
  let init = given;
  const key = JSON.stringify([credentials.realm, credentials.user, credentials.password]);
  const { pathname, search } = new URL(url);
  const answerNow = async () => {
    const session = sessions.get(key);
    if (session === undefined) return undefined;
    session.count += 1;
    const { count, challenge } = session;
    if (protectionOf(challenge) === 'auth-int') init = await settled(init);
    const { method, body } = init;
    const request = { method, body, uri: pathname + search, count, cnonce: randomHex() };
    return answerTo(challenge, { ...credentials, ...request });
  };
  let known = await answerNow();
  let answer = await send(url, init, known);
  // A nonce that was good once may have ended: the challenge says so, and has a new one.
  for (let tries = 0; answer.status === 401 && tries < 2; tries++) {
    const challenges = parseChallenges(answer.headers.get('www-authenticate') ?? '');
    const challenge = strongest(challenges);
    if (challenge === undefined) return { answer, how: refusal(challenges) };
    const isStale = challenge.parameters.stale?.toLowerCase() === 'true';
    if (known !== undefined && !isStale) break;
    await answer.body?.cancel();
    sessions.set(key, { challenge, count: 0 });
    known = await answerNow();
    answer = await send(url, init, known);
  }
  return { answer, how: remember(key, answer, known) };
}

/** What to tell the reader where no challenge can be answered. */
function refusal(challenges) {
  const asked = namesOf(challenges);
  return asked === '' ? '' : `not signed in: the server requires ${asked}, which this page does not support`;
}

/** What an answer says of the next nonce (RFC 7616, 3.5); after a refusal, nothing is remembered. */
function remember(key, answer, authorization) {
  const session = sessions.get(key);
  if (session === undefined || authorization === undefined) return '';
  if (answer.status === 401) {
    sessions.delete(key);
    return '';
  }
  const next = /nextnonce="([^"]+)"/.exec(answer.headers.get('authentication-info') ?? '')?.[1];
  if (next !== undefined && next !== session.challenge.parameters.nonce) {
    const parameters = { ...session.challenge.parameters, nonce: next };
    sessions.set(key, { challenge: { ...session.challenge, parameters }, count: 0 });
  }
  return `signed in with Digest, ${session.challenge.parameters.algorithm ?? 'MD5'}`;
}
