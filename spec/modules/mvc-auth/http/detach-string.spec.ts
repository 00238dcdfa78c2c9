import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { issueNonce } from '../../../../src/modules/mvc-auth/http/digest/nonce';
import { NonceCounts } from '../../../../src/modules/mvc-auth/http/digest/nonce-counts';
import { VerifiedNonces } from '../../../../src/modules/mvc-auth/http/digest/verified-nonces';
import { TargetDigests } from '../../../../src/modules/mvc-auth/http/digest/target-digests';
import { VerifiedCredentials } from '../../../../src/modules/mvc-auth/passwords/verified-credentials';
import { detachString } from '../../../../src/modules/mvc-auth/http/detach-string';
import { usedMemory } from '../../../factories/used-memory';

const TIMES = 100;
const LENGTH = 300_000;

/** A part of a long text, as the engine has it: what keeps the part keeps all of the text. */
function partOfLong(part: string): string {
  const text = Buffer.from(part + 'x'.repeat(LENGTH), 'latin1').toString('latin1');
  return text.slice(0, part.length);
}

/** In bytes, what is kept of many texts of which a part was handed over. */
function keptOf(hand: (part: string) => void, parts: readonly string[]): number {
  const before = usedMemory();
  for (const part of parts) hand(partOfLong(part));
  return usedMemory() - before;
}

const names = (prefix: string): string[] =>
  Array.from({ length: TIMES }, (_, at) => `${prefix}${String(at).padStart(40, '0')}`);

describe('the memory that a substring holds', () => {
  it('is the whole string, unless the substring is copied', () => {
    const kept: string[] = [];
    expect(keptOf((part) => void kept.push(part), names('a'))).toBeGreaterThan((TIMES * LENGTH) / 2);
    const copied: string[] = [];
    expect(keptOf((part) => void copied.push(detachString(part)), names('a'))).toBeLessThan(5 * LENGTH);
    expect(copied).toEqual(kept);
  });

  const key = randomBytes(32);
  const counts = new NonceCounts();
  const verifiedNonces = new VerifiedNonces(key, new NonceCounts(), 60);
  const targets = new TargetDigests();
  it.each<[string, { readonly size: number }, (part: string) => unknown, readonly string[]]>([
    ['a counted nonce', counts, (nonce) => counts.counterFor(nonce, Infinity), names('n')],
    [
      'a verified nonce',
      verifiedNonces,
      (nonce) => verifiedNonces.read(nonce, Date.now()),
      names('').map(() => issueNonce(key, Date.now(), 60)),
    ],
    ['a target', targets, (uri) => targets.add('MD5', 'GET', uri, ''), names('/')],
  ])('is the substring alone for %s', (_, store, hand, parts) => {
    expect(keptOf((part) => void hand(part), parts)).toBeLessThan(5 * LENGTH);
    expect(store.size).toBe(TIMES);
  });
});

describe('the memory that cached credentials hold', () => {
  it('is the user name alone, not the decoded text with the password', () => {
    const verified = new VerifiedCredentials();
    const hand = (username: string): void => verified.add(verified.keyOf(username), username);
    expect(keptOf(hand, names('user'))).toBeLessThan(5 * LENGTH);
    const [first = ''] = names('user');
    expect(verified.get(verified.keyOf(first))).toBe(first);
  });
});

describe('a detached string', () => {
  it('equals the original', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
        expect(detachString(text)).toBe(text);
        expect(detachString(text.slice(1))).toBe(text.slice(1));
      }),
    );
    for (const text of ['', '\u00ff', '\u0100', '\ud800', 'Jäs \u{1f600}'])
      expect(detachString(text)).toBe(text);
  });
});
