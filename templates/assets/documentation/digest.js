// Challenges and their answers (RFC 7616): knows nothing of a page.
import { md5 } from './md5.js';
import { sha256 } from './sha256.js';

const HASHES = { 'SHA-256': sha256, MD5: md5 };

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
  const able = challenges.filter(({ scheme, parameters: { algorithm = 'MD5', qop = '' } }) => {
    if (scheme !== 'digest') return false;
    return hashOf(algorithm) !== undefined && /\bauth\b(?!-)/.test(qop);
  });
  const isStrong = ({ parameters: { algorithm = 'MD5' } }) => /^SHA-256/i.test(algorithm);
  return able.find(isStrong) ?? able[0];
}

/**
 * The `Authorization` value that answers a challenge.
 * @param count of requests with this nonce, from 1
 * @param cnonce of the client, in hexadecimal
 */
export function answerTo({ parameters }, { user, password, method, uri, count, cnonce }) {
  const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = parameters;
  const hash = (...texts) => hashOf(algorithm)(new TextEncoder().encode(texts.join(':')));
  const nc = count.toString(16).padStart(8, '0');
  const plain = hash(user, realm, password);
  const who = /-sess$/i.test(algorithm) ? hash(plain, nonce, cnonce) : plain;
  const response = hash(who, nonce, nc, cnonce, 'auth', hash(method, uri));
  // Names beyond ASCII are written as RFC 8187 says.
  const username = /^[\x20-\x7e]*$/.test(user)
    ? `username=${quoted(user)}`
    : `username*=UTF-8''${encodeURIComponent(user).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
  return `Digest ${[
    username,
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `nonce=${quoted(nonce)}`,
    `nc=${nc}`,
    `cnonce=${quoted(cnonce)}`,
    'qop=auth',
    `response=${quoted(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(', ')}`;
}

function hashOf(algorithm) {
  return HASHES[algorithm.toUpperCase().replace(/-SESS$/, '')];
}

function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
