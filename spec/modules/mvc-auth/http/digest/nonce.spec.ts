import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { HmacKey } from '../../../../../src/modules/mvc-auth/http/digest/hmac-key';
import {
  hasNonceForm,
  isFresh,
  issueNonce as issue,
  NONCE_RANDOM,
  nonceKey,
  readNonce,
} from '../../../../../src/modules/mvc-auth/http/digest/nonce';
import { anyText } from '../../../../factories/any-text';

const key = nonceKey(randomBytes(32));
const now = 1_700_000_000_000;

const issueNonce = (by: HmacKey, at: number, lifetime: number): string =>
  issue(by, at, lifetime, randomBytes(NONCE_RANDOM).toString('hex'));

describe('a Digest nonce', () => {
  it('is hexadecimal and unique, and contains its lifetime', () => {
    const nonces = Array.from({ length: 200 }, () => issueNonce(key, now, 300));
    expect(new Set(nonces).size).toBe(200);
    expect(nonces[0]).toMatch(/^[0-9a-f]+$/);
    expect(readNonce(key, nonces[0] ?? '')).toEqual({ issuedAt: now, expiresAt: now + 300_000 });
  });

  it('has the format of earlier versions, which may run on other nodes', () => {
    const key = nonceKey(Buffer.alloc(32, 1));
    const nonce = '018bcfe568000000012c8560bf6e7ccaa471ef3e1e2354ab38e966148195a38de13c';
    expect(issue(key, now, 300, '8560bf6e7ccaa471')).toBe(nonce);
    expect(readNonce(key, nonce)).toEqual({ issuedAt: now, expiresAt: now + 300_000 });
  });

  it('is fresh for its lifetime, to the millisecond', () => {
    const life = readNonce(key, issueNonce(key, now, 300));
    expect(life && [0, 299_999, 300_000].map((later) => isFresh(life, now + later, 300))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('expires earlier after the configured lifetime was shortened, but not later after it was extended', () => {
    const life = readNonce(key, issueNonce(key, now, 300));
    expect(life && isFresh(life, now + 60_000, 60)).toBe(false);
    expect(life && isFresh(life, now + 300_000, 3600)).toBe(false);
  });

  it('is not fresh before its creation time: the clock was set back', () => {
    const life = readNonce(key, issueNonce(key, now, 300));
    expect(life && isFresh(life, now - 60_000, 300)).toBe(true);
    expect(life && isFresh(life, now - 60_001, 300)).toBe(false);
  });

  it('accepts a timeout with any number of digits', () => {
    const life = readNonce(key, issueNonce(key, now, Number('9'.repeat(40))));
    expect(life && isFresh(life, now + 1e12, Number('9'.repeat(40)))).toBe(true);
  });

  it('is invalid with another key, with a changed digit, truncated or extended', () => {
    expect(readNonce(nonceKey(randomBytes(32)), issueNonce(key, now, 300))).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(67), fc.constantFrom(...Array.from('0123456789abcdef')), (at, digit) => {
        const nonce = issueNonce(key, now, 300);
        const changed = nonce.slice(0, at) + digit + nonce.slice(at + 1);
        expect(readNonce(key, changed) === undefined).toBe(changed !== nonce);
        expect(readNonce(key, nonce.slice(0, at))).toBeUndefined();
        expect(readNonce(key, nonce + digit)).toBeUndefined();
      }),
    );
  });

  it('is invalid with the HMAC of the nonce before it, and text that is not hexadecimal', () => {
    const nonce = issueNonce(key, now, 300);
    expect(readNonce(key, nonce)).toBeDefined();
    expect(readNonce(key, `${'z'.repeat(36)}${nonce.slice(36)}`)).toBeUndefined();
  });

  it('has its form only as a whole: for a longer text, no body would be read', () => {
    const nonce = issue(key, now, 300, 'abcdef0123456789');
    expect([nonce, `0${nonce}`, `${nonce}0`, nonce.toUpperCase()].map(hasNonceForm)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('never makes the parser throw, and foreign text is invalid', () => {
    fc.assert(fc.property(anyText(), (text) => readNonce(key, text) === undefined));
  });
});
