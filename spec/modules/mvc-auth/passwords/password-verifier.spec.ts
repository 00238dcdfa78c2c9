import { HashingAbortedError, HashingQueue } from '../../../../src/modules/mvc-auth/passwords/hashing-queue';
import { PasswordHashing } from '../../../../src/modules/mvc-auth/passwords/password-hashing';
import type { PasswordHash } from '../../../../src/modules/mvc-auth/passwords/hashes/password-hash';
import { PasswordTableStore } from '../../../../src/modules/mvc-auth/password-files/password-table-store';
import type { PasswordStore } from '../../../../src/modules/mvc-auth/passwords/password-store';
import { PasswordVerifier } from '../../../../src/modules/mvc-auth/passwords/password-verifier';
import { VerifiedCredentials } from '../../../../src/modules/mvc-auth/passwords/verified-credentials';

/** A hash that counts its verifications. */
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

const HERE = { address: '192.0.2.1' };

describe('password verification', () => {
  let now = 0;
  let cheap: CountedHash;
  let expensive: CountedHash;
  let store: PasswordTableStore;
  let hashing: PasswordHashing;
  let verifier: PasswordVerifier;
  let verified: VerifiedCredentials;
  const setUsers = (users: Record<string, PasswordHash>): void =>
    store.replace({ users: new Map(Object.entries(users)), dummy: expensive, isDamaged: false, issues: [] });
  beforeEach(() => {
    now = 0;
    cheap = new CountedHash('cheap', 1);
    expensive = new CountedHash('dear', 100);
    store = new PasswordTableStore();
    setUsers({ bob: cheap, amy: expensive });
    verified = new VerifiedCredentials({ lifetime: 1000, limit: 2, clock: () => now });
    hashing = new PasswordHashing(new HashingQueue({ concurrency: 2, limit: 4 }), 100);
    verifier = new PasswordVerifier(store, hashing, verified);
  });

  it('performs one verification of the most expensive hash for every wrong password and every user', async () => {
    for (const name of ['bob', 'amy', 'nobody']) {
      expensive.tries = 0;
      expect(await verifier.verify(name, 'wrong', HERE)).toBe(false);
      expect(expensive.tries).toBe(1);
    }
    expect(await verifier.verify('nobody', 'password of dear', HERE)).toBe(false);
  });

  it('caches correct credentials until they expire', async () => {
    expect(await verifier.verify('amy', 'password of dear', HERE)).toBe(true);
    expect(verifier.verify('amy', 'password of dear', HERE)).toBe(true);
    now = 1000;
    expect(verifier.verify('amy', 'password of dear', HERE)).toBeInstanceOf(Promise);
    expect(expensive.tries).toBe(2);
  });

  it('caches a limited number of credentials', async () => {
    setUsers({ a: expensive, b: expensive, c: expensive });
    for (const name of ['a', 'b', 'c']) await verifier.verify(name, 'password of dear', HERE);
    expect(verifier.verify('b', 'password of dear', HERE)).toBe(true);
    expect(verifier.verify('a', 'password of dear', HERE)).toBeInstanceOf(Promise);
  });

  it('verifies again after the hash has changed or the user was removed', async () => {
    await verifier.verify('amy', 'password of dear', HERE);
    setUsers({ amy: cheap });
    expect(await verifier.verify('amy', 'password of dear', HERE)).toBe(false);
    setUsers({});
    expect(await verifier.verify('amy', 'password of dear', HERE)).toBe(false);
  });

  it('returns the hash that was compared, also if the store has another one when the verification ends', async () => {
    const matching = verifier.matching('amy', 'password of dear', HERE);
    setUsers({ amy: cheap });
    expect(await matching).toBe('dear');
    expect(await verifier.matching('amy', 'password of cheap', HERE)).toBe('cheap');
    expect(verifier.matching('amy', 'password of cheap', HERE)).toBe('cheap');
    expect(await verifier.matching('amy', 'password of dear', HERE)).toBeUndefined();
  });

  it('returns the user of a verified header until the hash changes', async () => {
    const sent = 'Basic YW15Og==';
    expect(verifier.recall(sent)).toBeUndefined();
    await verifier.verify('amy', 'wrong', HERE, 'Basic wrong');
    await verifier.verify('amy', 'password of dear', HERE, sent);
    expect(verifier.recall('Basic wrong')).toBeUndefined();
    expect(verifier.recall(sent)).toBe('amy');
    expect(verifier.verify('bob', 'password of dear', HERE, sent)).toBeInstanceOf(Promise);
    setUsers({ amy: cheap });
    expect(verifier.recall(sent)).toBeUndefined();
  });

  it('verifies once for concurrent requests with the same credentials', async () => {
    const together = Array.from({ length: 50 }, async () => verifier.verify('amy', 'password of dear', HERE));
    expect(await Promise.all(together)).toEqual(Array.from({ length: 50 }, () => true));
    expect(expensive.tries).toBe(1);
  });

  it('verifies separately for each address', async () => {
    const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'];
    await Promise.all(addresses.map(async (address) => verifier.verify('amy', 'wrong', { address })));
    expect(expensive.tries).toBe(3);
  });

  it('drops a verification only when all its clients have disconnected', async () => {
    const blocked = ['x', 'y'].map(async (guess) => verifier.verify('amy', guess, HERE));
    const gone = new AbortController();
    const leaving = { ...HERE, signal: gone.signal };
    const dropped = [1, 2].map(async () => verifier.verify('amy', 'dropped', leaving));
    const shared = [leaving, HERE].map(async (client) => verifier.verify('amy', 'password of dear', client));
    gone.abort();
    const again = verifier.verify('amy', 'dropped', HERE);
    for (const one of dropped) await expect(one).rejects.toThrow(HashingAbortedError);
    expect(await Promise.all(shared)).toEqual([true, true]);
    expect(await again).toBe(false);
    await Promise.all(blocked);
    // Two blocking ones, one shared, one repeated.
    expect(expensive.tries).toBe(4);
  });

  it('refuses more pending passwords than the limit', async () => {
    const guesses = Array.from({ length: 20 }, (_, index) =>
      Promise.resolve(verifier.verify('amy', `guess ${index}`, HERE)),
    );
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(14);
    expect(await verifier.verify('amy', 'password of dear', HERE)).toBe(true);
  });

  describe('with an asynchronous credential source', () => {
    const database = (onChange?: PasswordStore['onChange']): PasswordStore => ({
      find: (name) => new Promise((resolve) => setImmediate(resolve, name === 'amy' ? cheap : undefined)),
      dummy: expensive,
      ...(onChange === undefined ? {} : { onChange }),
    });

    it('costs the same for known and unknown users', async () => {
      const slow = new PasswordVerifier(database(), hashing);
      for (const name of ['amy', 'nobody']) {
        expensive.tries = 0;
        expect(await slow.verify(name, 'wrong', HERE)).toBe(false);
        expect(expensive.tries).toBe(1);
      }
      expect(await slow.verify('amy', 'password of cheap', HERE)).toBe(true);
    });

    it('caches nothing without change notification', async () => {
      const slow = new PasswordVerifier(database(), hashing);
      for (const tries of [1, 2]) {
        expect(await slow.verify('amy', 'password of cheap', HERE, 'Basic …')).toBe(true);
        expect(cheap.tries).toBe(tries);
        expect(slow.recall('Basic …')).toBeUndefined();
      }
    });

    it('drops verified and pending credentials when the store reports a change', async () => {
      const listeners = new Set<() => void>();
      const notifying = new PasswordVerifier(
        database((listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        }),
        hashing,
      );
      const verify = async (): Promise<boolean> =>
        notifying.verify('amy', 'password of cheap', HERE, 'Basic …');
      expect(await verify()).toBe(true);
      expect(notifying.recall('Basic …')).toBe('amy');
      for (const listener of listeners) listener();
      expect(notifying.recall('Basic …')).toBeUndefined();
      const pending = verify();
      for (const listener of listeners) listener();
      expect(await pending).toBe(true);
      expect(notifying.recall('Basic …')).toBeUndefined();
      notifying.dispose();
      expect(listeners.size).toBe(0);
    });
  });
});
