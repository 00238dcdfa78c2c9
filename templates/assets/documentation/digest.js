// Challenges and their answers (RFC 7616): knows nothing of a page.
import { md5 } from './md5.js';
import { sha256 } from './sha256.js';
import { sha512256 } from './sha512-256.js';

const HASHES = { 'SHA-256': sha256, 'SHA-512-256': sha512256, MD5: md5 };

/** The challenges of a `WWW-Authenticate` value, several lines joined with commas (RFC 9110, 11.6.1). */
export function parseChallenges(value) {
  const challenges = [];
  const part =
    /\s*(?:([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([!#$%&'*+.^_`|~\w-]+)(?=\s|,|$))\s*,?/gy;
  for (let found = part.exec(value); found !== null && found[0] !== ''; found = part.exec(value)) {
    const [, name, quoted, token, scheme] = found;
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    else if (challenges.length > 0)
      challenges.at(-1).parameters[name.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? token;
  }
  return challenges;
}

/** The strongest challenge that can be answered here; undefined where there is none. */
export function strongest(challenges) {
  const able = challenges.filter(
    (challenge) =>
      challenge.scheme === 'digest' &&
      hashOf(challenge.parameters.algorithm ?? 'MD5') !== undefined &&
      protectionOf(challenge) !== undefined,
  );
  const isStrong = ({ parameters: { algorithm = 'MD5' } }) => /^SHA-/i.test(algorithm);
  return able.find(isStrong) ?? able[0];
}

/** What the answer to a challenge covers: `auth-int`, which includes the body, where there is nothing else. */
export function protectionOf({ parameters: { qop = '' } }) {
  const offered = qop.toLowerCase().split(',');
  return ['auth', 'auth-int'].find((one) => offered.some((other) => other.trim() === one));
}

/** Challenges in words, e.g. `Bearer, Digest SHA-1 auth`; empty for none. */
export function namesOf(challenges) {
  const nameOf = ({ scheme, parameters: { algorithm, qop } }) => [
    scheme[0].toUpperCase() + scheme.slice(1),
    ...(scheme === 'digest' ? [algorithm, qop] : []),
  ];
  return challenges.map((challenge) => nameOf(challenge).filter(Boolean).join(' ')).join(', ');
}

/**
 * The `Authorization` value that answers a challenge.
 * @param count of requests with this nonce, from 1
 * @param cnonce of the client, in hexadecimal
 * @param body the octets that are sent, for a challenge that covers them
 */
export function answerTo(challenge, { user, password, method, uri, count, cnonce, body }) {
  const { realm = '', nonce = '', opaque, algorithm = 'MD5', userhash } = challenge.parameters;
  const qop = protectionOf(challenge);
  const hash = (...texts) => hashOf(algorithm)(new TextEncoder().encode(texts.join(':')));
  const nc = count.toString(16).padStart(8, '0');
  const plain = hash(user, realm, password);
  const who = /-sess$/i.test(algorithm) ? hash(plain, nonce, cnonce) : plain;
  const covered = qop === 'auth-int' ? [hashOf(algorithm)(body ?? new Uint8Array())] : [];
  const response = hash(who, nonce, nc, cnonce, qop, hash(method, uri, ...covered));
  const isHidden = userhash?.toLowerCase() === 'true';
  return `Digest ${[
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
  ].join(', ')}`;
}

/** Names beyond ASCII are written as RFC 8187 says. */
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
