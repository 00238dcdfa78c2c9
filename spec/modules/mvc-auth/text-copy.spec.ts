import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { issueNonce } from '../../../src/modules/mvc-auth/http/digest/nonce';
import { NonceCounts } from '../../../src/modules/mvc-auth/http/digest/nonce-counts';
import { ProvenNonces } from '../../../src/modules/mvc-auth/http/digest/proven-nonces';
import { TargetDigests } from '../../../src/modules/mvc-auth/http/digest/target-digests';
import { VerifiedCredentials } from '../../../src/modules/mvc-auth/password-files/verified-credentials';
import { copyOf } from '../../../src/modules/mvc-auth/text-copy';
import { usedMemory } from '../../factories/used-memory';

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

describe('What is kept of a part of a long text', () => {
  it('is all of it, unless the part is copied', () => {
    const kept: string[] = [];
    expect(keptOf((part) => void kept.push(part), names('a'))).toBeGreaterThan((TIMES * LENGTH) / 2);
    const copied: string[] = [];
    expect(keptOf((part) => void copied.push(copyOf(part)), names('a'))).toBeLessThan(5 * LENGTH);
    expect(copied).toEqual(kept);
  });

  const key = randomBytes(32);
  const counts = new NonceCounts();
  const proven = new ProvenNonces(key, new NonceCounts(), 60);
  const targets = new TargetDigests();
  it.each<[string, { readonly size: number }, (part: string) => unknown, readonly string[]]>([
    ['a nonce that was counted', counts, (nonce) => counts.counterOf(nonce, Infinity), names('n')],
    [
      'a nonce that was proven',
      proven,
      (nonce) => proven.read(nonce, Date.now()),
      names('').map(() => issueNonce(key, Date.now(), 60)),
    ],
    ['a target', targets, (uri) => targets.remember('MD5', 'GET', uri, ''), names('/')],
  ])('is the part alone, of %s', (_, store, hand, parts) => {
    expect(keptOf((part) => void hand(part), parts)).toBeLessThan(5 * LENGTH);
    expect(store.size).toBe(TIMES);
  });
});

describe('What is kept of credentials that were right', () => {
  it('is the name alone, and not the text that it was read from with the password', () => {
    const verified = new VerifiedCredentials();
    const hand = (username: string): void =>
      verified.remember(verified.keyOf(username), { username, stored: '' });
    expect(keptOf(hand, names('user'))).toBeLessThan(5 * LENGTH);
    const [first = ''] = names('user');
    expect(verified.get(verified.keyOf(first))?.username).toBe(first);
  });
});

describe('The copy of a text', () => {
  it('is the same text, whatever it is of', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
        expect(copyOf(text)).toBe(text);
        expect(copyOf(text.slice(1))).toBe(text.slice(1));
      }),
    );
    for (const text of ['', '\u00ff', '\u0100', '\ud800', 'Jäs \u{1f600}']) expect(copyOf(text)).toBe(text);
  });
});
