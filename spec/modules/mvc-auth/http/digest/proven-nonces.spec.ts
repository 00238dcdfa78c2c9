import { randomBytes } from 'node:crypto';
import { issueNonce, readNonce } from '../../../../../src/modules/mvc-auth/http/digest/nonce';
import { ProvenNonces } from '../../../../../src/modules/mvc-auth/http/digest/proven-nonces';

const NOW = 1_800_000_000_000;

describe('nonces that were proven once', () => {
  const key = randomBytes(32);
  const issue = (from = key): string => issueNonce(from, NOW, 60);

  it('say what they said the first time, letter by letter as they are', () => {
    const proven = new ProvenNonces(key);
    const nonce = issue();
    for (let time = 0; time < 3; time++) expect(proven.read(nonce)).toEqual(readNonce(key, nonce));
    expect(proven.read(nonce.toUpperCase())).toBeUndefined();
    expect(proven.size).toBe(1);
  });

  it('are never those of another key, however often they are asked for', () => {
    const proven = new ProvenNonces(key);
    const forged = [issue(randomBytes(32)), `${issue().slice(0, -1)}g`, issue().slice(2), ''];
    const own = issue();
    forged.push(`${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`);
    proven.read(own);
    for (const nonce of [...forged, ...forged]) expect(proven.read(nonce)).toBeUndefined();
    expect(proven.size).toBe(1);
  });

  it('are remembered in a bounded number, and proven again when they were forgotten', () => {
    const proven = new ProvenNonces(key, 2);
    const nonces = [issue(), issue(), issue()];
    for (const nonce of [...nonces, ...nonces]) expect(proven.read(nonce)).toMatchObject({ issuedAt: NOW });
    expect(proven.size).toBe(2);
    for (const nonce of nonces) proven.forget(nonce);
    expect(proven.size).toBe(0);
  });
});
