// Challenges formatted, credentials parsed.
import { part } from '../built.mjs';

const { parseCredentials, schemeOf } = part('modules/mvc-auth/http/credentials');
const { readBasicCredentials } = part('modules/mvc-auth/http/basic/basic-credentials');
const { readDigestCredentials } = part('modules/mvc-auth/http/digest/digest-credentials');
const { digestChallenge } = part('modules/mvc-auth/http/digest/digest-challenge');

const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';
const NONCE = '0'.repeat(68);
const DIGEST = `Digest username="guide", realm="Bench", nonce="${NONCE}", uri="/digest/42", algorithm=MD5, qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", response="${'a'.repeat(32)}", opaque="${'b'.repeat(32)}"`;

const challenge = {
  realm: 'Bench',
  domain: '',
  qop: ['auth'],
  stale: false,
  nonce: NONCE,
  opaque: 'b'.repeat(32),
  algorithm: 'MD5',
  userhash: true,
};

export default {
  'scheme of a Digest field': () => schemeOf(DIGEST),
  'Basic header decoded': () => readBasicCredentials(parseCredentials(BASIC)),
  'Digest header parsed': () => parseCredentials(DIGEST),
  'Digest header parsed and validated': () => readDigestCredentials(parseCredentials(DIGEST)),
  'Digest challenge formatted': () => digestChallenge(challenge),
};
