// Nonces issued and verified, and the digests computed with them.
import { randomBytes } from 'node:crypto';
import { part } from '../built.mjs';

const { hasNonceForm, issueNonce, nonceKey, readNonce } = part('modules/mvc-auth/http/digest/nonce');
const { RandomHex } = part('framework/text/random-hex');
const { digestResponse } = part('modules/mvc-auth/http/digest/digest-response');

const key = nonceKey(randomBytes(32));
const random = new RandomHex();
const issue = () => issueNonce(key, Date.now(), 3600, random.next(8));
const nonce = issue();
const input = {
  algorithm: 'MD5',
  session: false,
  secret: 'a'.repeat(32),
  nonce,
  nc: '00000001',
  cnonce: 'cnonce',
  qop: 'auth',
  method: 'GET',
  uri: '/digest/42',
};

export default {
  'nonce issued': issue,
  'nonce format checked': () => hasNonceForm(nonce),
  'nonce verified': () => readNonce(key, nonce),
  'MD5 response computed': () => digestResponse(input),
};
