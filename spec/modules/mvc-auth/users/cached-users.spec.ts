import { AuthenticationUnavailable } from '../../../../src/modules/mvc-auth/http/authentication-unavailable';
import {
  HashingAbortedError,
  HashingOverloadError,
} from '../../../../src/modules/mvc-auth/passwords/hashing-queue';
import { PasswordHashing } from '../../../../src/modules/mvc-auth/passwords/password-hashing';
import { CachedUsers } from '../../../../src/modules/mvc-auth/users/cached-users';
import { storedDigests } from '../../../../src/modules/mvc-auth/users/stored-digests';
import type { StoredUser } from '../../../../src/modules/mvc-auth';

const user = (hash: string, isEnabled = true): StoredUser => ({ hash, ha1: {}, groups: [], isEnabled });

/** A table that counts its lookups. */
function table(
  find: (name: string) => StoredUser | undefined | Promise<StoredUser | undefined>,
  hashing?: PasswordHashing,
) {
  const lookups: string[] = [];
  const listeners = new Set<() => void>();
  const warnings: string[] = [];
  let now = 0;
  const users = new CachedUsers(
    {
      title: 'the table "users"',
      find: (name) => {
        lookups.push(name);
        return find(name);
      },
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    { clock: () => now, warn: (message) => warnings.push(message), ...(hashing && { hashing }) },
  );
  const change = (): void => listeners.forEach((listener) => listener());
  return { users, lookups, warnings, listeners, change, pass: (ms: number) => (now += ms) };
}

describe('cached users', () => {
  it('are read once in a few seconds, unknown ones too', () => {
    const { users, lookups, pass } = table((name) => (name === 'ada' ? user('h') : undefined));
    for (let at = 0; at < 3; at++) {
      expect(users.find('ada')).toEqual(user('h'));
      expect(users.find('nobody')).toBeUndefined();
    }
    expect(lookups).toEqual(['ada', 'nobody']);
    pass(5000);
    void users.find('ada');
    expect(lookups).toHaveLength(3);
  });

  it('share the lookups that are pending', async () => {
    const { users, lookups } = table(() => Promise.resolve(user('h')));
    await Promise.all([users.find('ada'), users.find('ada'), users.find('ada')]);
    expect(lookups).toEqual(['ada']);
  });

  it('are read again after a change, also if it happens during a lookup', async () => {
    let hash = 'old';
    let finish = (): void => undefined;
    const { users, lookups, change } = table(() => {
      const found = user(hash);
      return new Promise((resolve) => (finish = () => resolve(found)));
    });
    const before = users.find('ada');
    hash = 'new';
    change();
    finish();
    expect(await before).toEqual(user('old'));
    const after = users.find('ada');
    finish();
    expect(await after).toEqual(user('new'));
    expect(lookups).toHaveLength(2);
  });

  it('do not forget users for the names of a flood', () => {
    const { users, lookups } = table((name) => (name === 'ada' ? user('h') : undefined));
    void users.find('ada');
    for (let at = 0; at < 5000; at++) void users.find(`guess-${at}`);
    void users.find('ada');
    expect(lookups.filter((name) => name === 'ada')).toHaveLength(1);
    void users.find('guess-0');
    expect(lookups.filter((name) => name === 'guess-0')).toHaveLength(2);
  });

  it('are unknown if they are disabled, and never looked up with names that no table stores', () => {
    const { users, lookups } = table(() => user('h', false));
    expect(users.find('ada')).toBeUndefined();
    expect(users.find('a\0da')).toBeUndefined();
    expect(users.find('x'.repeat(256))).toBeUndefined();
    expect(lookups).toEqual(['ada']);
  });

  it('are unavailable while the table is, with one warning for each outage', async () => {
    let isDown = true;
    const { users, warnings } = table(() =>
      isDown ? Promise.reject(new Error('no connection')) : Promise.resolve(user('h')),
    );
    for (const name of ['ada', 'bob'])
      await expect(users.find(name)).rejects.toThrow(AuthenticationUnavailable);
    isDown = false;
    expect(await users.find('ada')).toEqual(user('h'));
    expect(warnings).toEqual([
      'the table "users" cannot be read (no connection); requests with credentials receive 503 until it can',
      'the table "users" can be read again',
    ]);
  });

  describe('that clients look up', () => {
    const here = { address: '192.0.2.1' };
    /** A table whose lookups end on demand. */
    const slow = (hashing?: PasswordHashing) => {
      const finish: (() => void)[] = [];
      const all = table(() => new Promise((resolve) => finish.push(() => resolve(user('h')))), hashing);
      const end = async (): Promise<void> => {
        while (finish.length > 0) {
          finish.shift()?.();
          await new Promise(setImmediate);
        }
      };
      return { ...all, end };
    };
    const names = Array.from({ length: 12 }, (_, at) => `user${at}`);

    it('are one lookup for all requests of an address, and join one that is running', async () => {
      const { users, lookups, end } = slow();
      const all = Array.from({ length: 20 }, () => users.find('ada', here));
      all.push(users.find('ada', { address: '198.51.100.1' }), users.find('ada'));
      await end();
      for (const found of all) expect(await found).toEqual(user('h'));
      expect(lookups).toEqual(['ada']);
    });

    it('are limited for an address as verifications are, for Basic and Digest', async () => {
      const { users, lookups, end } = slow();
      const digests = storedDigests(users, { db: '', table: '', name: '', ha1: { MD5: 'ha1' } });
      const found = Promise.allSettled(names.map(async (name) => digests.secretOf(name, 'MD5', here)));
      await new Promise(setImmediate);
      expect(lookups).toHaveLength(4);
      await end();
      const refused = (await found).filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(4);
      expect(refused[0]).toMatchObject({ reason: new HashingOverloadError('address', 8) });
    });

    it('have the limit that is configured', async () => {
      const { users, end } = slow(new PasswordHashing(undefined, 12));
      const found = Promise.all(names.map(async (name) => users.find(name, here)));
      await end();
      expect(await found).toHaveLength(12);
    });

    it('are looked up as long as one of the clients is connected', async () => {
      const { users, lookups, end } = slow();
      const blocking = names.slice(0, 4).map((name) => users.find(name, here));
      const [first, second] = [new AbortController(), new AbortController()];
      const find = (name: string, { signal }: AbortController): Promise<unknown> =>
        Promise.resolve(users.find(name, { ...here, signal }));
      const ada = [find('ada', first), find('ada', second)];
      const bob = find('bob', first);
      first.abort();
      await expect(bob).rejects.toThrow(HashingAbortedError);
      await end();
      await Promise.all([...blocking, ...ada]);
      expect(lookups.slice(4)).toEqual(['ada']);
    });
  });

  it('stop observing their table', () => {
    const { users, listeners } = table(() => undefined);
    expect(listeners.size).toBe(1);
    users.dispose();
    expect(listeners.size).toBe(0);
  });
});
