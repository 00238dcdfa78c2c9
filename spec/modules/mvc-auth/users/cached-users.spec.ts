import { AuthenticationUnavailable } from '../../../../src/modules/mvc-auth/http/authentication-unavailable';
import { CachedUsers } from '../../../../src/modules/mvc-auth/users/cached-users';
import type { StoredUser } from '../../../../src/modules/mvc-auth';

const user = (hash: string, isEnabled = true): StoredUser => ({ hash, ha1: {}, groups: [], isEnabled });

/** A table that counts its lookups. */
function table(find: (name: string) => StoredUser | undefined | Promise<StoredUser | undefined>) {
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
    { clock: () => now, warn: (message) => warnings.push(message) },
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

  it('stop observing their table', () => {
    const { users, listeners } = table(() => undefined);
    expect(listeners.size).toBe(1);
    users.dispose();
    expect(listeners.size).toBe(0);
  });
});
