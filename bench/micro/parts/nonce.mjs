// Nonces made and proved, and what is computed with them.
import { randomBytes } from 'node:crypto';
import { part } from '../built.mjs';

const { hasNonceForm, issueNonce, readNonce } = part('modules/mvc-auth/http/digest/nonce');
const { digestResponse } = part('modules/mvc-auth/http/digest/digest-response');

const key = randomBytes(32);
const nonce = issueNonce(key, Date.now(), 3600);
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
  'nonce made': () => issueNonce(key, Date.now(), 3600),
  'form of a nonce seen': () => hasNonceForm(nonce),
  'nonce proved': () => readNonce(key, nonce),
  'response of MD5 computed': () => digestResponse(input),
};
