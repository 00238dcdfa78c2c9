import { HashingQueue } from '../../../../src/modules/mvc-auth/password-files/hashing-queue';
import type { PasswordHash } from '../../../../src/modules/mvc-auth/password-files/hashes/password-hash';
import type { PasswordTable } from '../../../../src/modules/mvc-auth/password-files/password-table';
import { PasswordVerifier } from '../../../../src/modules/mvc-auth/password-files/password-verifier';
import { VerifiedCredentials } from '../../../../src/modules/mvc-auth/password-files/verified-credentials';

/** A hash that counts how often it is tried. */
class CountedHash implements PasswordHash {
  tries = 0;
  constructor(
    readonly stored: string,
    readonly cost: number,
  ) {}

  verify(password: string): Promise<boolean> {
    this.tries++;
    return Promise.resolve(password === `password of ${this.stored}`);
  }
}

describe('verifying passwords', () => {
  let now = 0;
  let cheap: CountedHash;
  let dear: CountedHash;
  let table: PasswordTable;
  let verifier: PasswordVerifier;
  let verified: VerifiedCredentials;
  beforeEach(() => {
    now = 0;
    cheap = new CountedHash('cheap', 1);
    dear = new CountedHash('dear', 100);
    table = {
      users: new Map([
        ['bob', cheap],
        ['amy', dear],
      ]),
      dummy: dear,
      problems: [],
    };
    verified = new VerifiedCredentials({ lifetime: 1000, limit: 2, clock: () => now });
    verifier = new PasswordVerifier(() => table, new HashingQueue({ atOnce: 2, limit: 4 }), verified);
  });

  it('costs a try of the most costly hash for every wrong password, whoever is meant', async () => {
    for (const name of ['bob', 'amy', 'nobody']) {
      dear.tries = 0;
      expect(await verifier.verify(name, 'wrong')).toBe(false);
      expect(dear.tries).toBe(1);
    }
    expect(await verifier.verify('nobody', 'password of dear')).toBe(false);
  });

  it('is remembered for a while when it was right, and no longer', async () => {
    expect(await verifier.verify('amy', 'password of dear')).toBe(true);
    expect(verifier.verify('amy', 'password of dear')).toBe(true);
    now = 1000;
    expect(verifier.verify('amy', 'password of dear')).toBeInstanceOf(Promise);
    expect(dear.tries).toBe(2);
  });

  it('is remembered for a bounded number of credentials', async () => {
    table = { ...table, users: new Map(['a', 'b', 'c'].map((name) => [name, dear])) };
    for (const name of ['a', 'b', 'c']) await verifier.verify(name, 'password of dear');
    expect(verifier.verify('b', 'password of dear')).toBe(true);
    expect(verifier.verify('a', 'password of dear')).toBeInstanceOf(Promise);
  });

  it('is done anew once the file has another hash, or no such user', async () => {
    await verifier.verify('amy', 'password of dear');
    table = { ...table, users: new Map([['amy', cheap]]) };
    expect(await verifier.verify('amy', 'password of dear')).toBe(false);
    table = { ...table, users: new Map() };
    expect(await verifier.verify('amy', 'password of dear')).toBe(false);
  });

  it('knows the user again by the text in which the credentials came, as long as the hash is the same', async () => {
    const sent = 'Basic YW15Og==';
    expect(verifier.recall(sent)).toBeUndefined();
    await verifier.verify('amy', 'wrong', 'Basic wrong');
    await verifier.verify('amy', 'password of dear', sent);
    expect(verifier.recall('Basic wrong')).toBeUndefined();
    expect(verifier.recall(sent)).toBe('amy');
    expect(verifier.verify('bob', 'password of dear', sent)).toBeInstanceOf(Promise);
    table = { ...table, users: new Map([['amy', cheap]]) };
    expect(verifier.recall(sent)).toBeUndefined();
  });

  it('is done once for requests that come together', async () => {
    const together = Array.from({ length: 50 }, async () => verifier.verify('amy', 'password of dear'));
    expect(await Promise.all(together)).toEqual(Array.from({ length: 50 }, () => true));
    expect(dear.tries).toBe(1);
  });

  it('is turned away when too many different passwords wait', async () => {
    const guesses = Array.from({ length: 20 }, (_, index) =>
      Promise.resolve(verifier.verify('amy', `guess ${index}`)),
    );
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(14);
    expect(await verifier.verify('amy', 'password of dear')).toBe(true);
  });
});
