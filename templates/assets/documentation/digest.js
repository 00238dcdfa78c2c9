// Digest challenges and responses (RFC 7616), independent of the page.
import { md5 } from './md5.js';
import { octetsOf, textOf } from './octets.js';
import { sha256 } from './sha256.js';
import { sha512256 } from './sha512-256.js';

const HASHES = { 'SHA-256': sha256, 'SHA-512-256': sha512256, MD5: md5 };

/**
 * Parses `WWW-Authenticate` as `fetch` shows it, with several fields joined by commas (RFC 9110, 11.6.1). Empty elements of
 * the list (5.6.1) and the token68 of a challenge (11.3) are ignored.
 */
export function parseChallenges(octets) {
  const value = textOf(octets);
  const challenges = [];
  const part =
    /[\s,]*(?:([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([!#$%&'*+.^_`|~\w-]+)(?: +[\w.~+/-]+=*(?=\s*(?:,|$)))?(?=\s|,|$))/gy;
  for (let found = part.exec(value); found !== null; found = part.exec(value)) {
    const [, name, quoted, token, scheme] = found;
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    else if (challenges.length > 0)
      challenges.at(-1).parameters[name.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? token;
  }
  return challenges;
}

/** Returns the strongest supported challenge; undefined if there is none. */
export function strongestChallenge(challenges) {
  const supported = challenges.filter(
    (challenge) =>
      challenge.scheme === 'digest' &&
      hashOf(challenge.parameters.algorithm ?? 'MD5') !== undefined &&
      protectionOf(challenge) !== undefined,
  );
  const isStrong = ({ parameters: { algorithm = 'MD5' } }) => /^SHA-/i.test(algorithm);
  return supported.find(isStrong) ?? supported[0];
}

/**
 * Returns the quality of protection to use: `auth`, or `auth-int` (which covers the body) if only that is offered.
 */
export function protectionOf({ parameters: { qop = '' } }) {
  const offered = qop.toLowerCase().split(',');
  return ['auth', 'auth-int'].find((one) => offered.some((other) => other.trim() === one));
}

/** Describes challenges, e.g. `Bearer, Digest SHA-1 auth`; empty for none. */
export function describeChallenges(challenges) {
  const nameOf = ({ scheme, parameters: { algorithm, qop } }) => [
    scheme[0].toUpperCase() + scheme.slice(1),
    ...(scheme === 'digest' ? [algorithm, qop] : []),
  ];
  return challenges.map((challenge) => nameOf(challenge).filter(Boolean).join(' ')).join(', ');
}

/**
 * Returns the `Authorization` for a challenge, as `fetch` accepts it.
 * @param count of requests with this nonce, from 1
 * @param cnonce of the client, in hexadecimal
 * @param body the bytes that are sent, for `auth-int`
 */
export function authorizationFor(challenge, { user, password, method, uri, count, cnonce, body }) {
  const { realm = '', nonce = '', opaque, algorithm = 'MD5', userhash } = challenge.parameters;
  const qop = protectionOf(challenge);
  const hash = (...texts) => hashOf(algorithm)(new TextEncoder().encode(texts.join(':')));
  const nc = count.toString(16).padStart(8, '0');
  const plain = hash(user, realm, password);
  const who = /-sess$/i.test(algorithm) ? hash(plain, nonce, cnonce) : plain;
  const covered = qop === 'auth-int' ? [hashOf(algorithm)(body ?? new Uint8Array())] : [];
  const response = hash(who, nonce, nc, cnonce, qop, hash(method, uri, ...covered));
  const isHidden = userhash?.toLowerCase() === 'true';
  const fields = [
    ...(isHidden ? [`username=${quoted(hash(user, realm))}`, 'userhash=true'] : [usernameOf(user)]),
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `nonce=${quoted(nonce)}`,
    `nc=${nc}`,
    `cnonce=${quoted(cnonce)}`,
    `qop=${qop}`,
    `response=${quoted(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return octetsOf(`Digest ${fields.join(', ')}`);
}

/** Encodes names that are not ASCII by RFC 8187. */
function usernameOf(user) {
  if (/^[\x20-\x7e]*$/.test(user)) return `username=${quoted(user)}`;
  const escaped = (mark) => `%${mark.charCodeAt(0).toString(16)}`;
  return `username*=UTF-8''${encodeURIComponent(user).replace(/['()*]/g, escaped)}`;
}

function hashOf(algorithm) {
  return HASHES[algorithm.toUpperCase().replace(/-SESS$/, '')];
}

function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
