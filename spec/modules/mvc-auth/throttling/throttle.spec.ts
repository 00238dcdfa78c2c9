import { isThenable } from '../../../../src/platform';
import { FailureCounts } from '../../../../src/modules/mvc-auth/throttling/failure-counts';
import type { ClaimedUser } from '../../../../src/modules/mvc-auth/throttling/counted-keys';
import type { SignIn } from '../../../../src/modules/mvc-auth/throttling/sign-in';
import { Throttle } from '../../../../src/modules/mvc-auth/throttling/throttle';
import { ThrottleState } from '../../../../src/modules/mvc-auth/throttling/throttle-state';
import type { ThrottleSettings } from '../../../../src/modules/mvc-auth/throttling/throttling-settings';

const settings: ThrottleSettings = { enabled: true, failures: 3, per_address: 5, window: 60 };
const HERE = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

describe('the sign-in throttle', () => {
  let state: ThrottleState;
  beforeEach(() => {
    jest.useFakeTimers();
    state = new ThrottleState();
  });
  afterEach(() => jest.useRealTimers());

  const signIn = (
    username: string,
    address = HERE,
    more: Partial<ThrottleSettings> = {},
    guess?: string,
  ): SignIn =>
    new Throttle({ ...settings, ...more }, state).signIn(address, [{ realm: 'Club', username, guess }]);
  /** The seconds to wait. */
  const wait = async (of: SignIn): Promise<number> => of.decide((seconds) => seconds);
  const fail = (times: number, username: string, address?: string): void => {
    for (let index = 0; index < times; index++) signIn(username, address).failed();
  };

  it('makes a user at an address wait after too many failures, until the window ends', async () => {
    fail(2, 'ada');
    expect(await wait(signIn('ada'))).toBe(0);
    await jest.advanceTimersByTimeAsync(20_000);
    fail(1, 'ada');
    expect(await wait(signIn('ada'))).toBe(40);
    await jest.advanceTimersByTimeAsync(39_500);
    expect(await wait(signIn('ada'))).toBe(1);
    await jest.advanceTimersByTimeAsync(501);
    expect(await wait(signIn('ada'))).toBe(0);
  });

  it('never waits longer than a window that was shortened', async () => {
    fail(3, 'ada');
    expect(await wait(signIn('ada', HERE, { window: 10 }))).toBe(10);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await wait(signIn('ada', HERE, { window: 10 }))).toBe(6);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await wait(signIn('ada', HERE, { window: 10 }))).toBe(0);
    fail(3, 'ada');
    expect(await wait(signIn('ada', HERE, { window: 10 }))).toBe(10);
  });

  it.each([-3_600_000, 3_600_000])('waits as long when the clock is set by %d ms', async (change) => {
    fail(3, 'ada');
    jest.setSystemTime(Date.now() + change);
    expect(await wait(signIn('ada'))).toBe(60);
    await jest.advanceTimersByTimeAsync(50_000);
    expect(await wait(signIn('ada'))).toBe(10);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await wait(signIn('ada'))).toBe(0);
  });

  it('does not affect the user at other addresses, nor other users at the address', async () => {
    fail(3, 'ada');
    expect(await wait(signIn('ada', ELSEWHERE))).toBe(0);
    expect(await wait(signIn('bob'))).toBe(0);
    const otherRealm = new Throttle(settings, state).signIn(HERE, [
      { realm: 'Annex', username: 'ada', guess: undefined },
    ]);
    expect(await wait(otherRealm)).toBe(0);
  });

  it('makes everybody at an address wait after more failures, for any names', async () => {
    for (const user of ['a', 'b', 'c', 'd', 'e']) fail(1, user);
    expect(await wait(signIn('ada'))).toBe(60);
    expect(await wait(signIn('ada', ELSEWHERE))).toBe(0);
  });

  it('resets the user after a successful sign-in, but not the address', async () => {
    fail(2, 'ada');
    signIn('ada').succeeded('Annex');
    signIn('ada').succeeded('Club');
    fail(2, 'ada');
    expect(await wait(signIn('ada'))).toBe(0);
    fail(1, 'bob');
    expect(await wait(signIn('bob'))).toBe(60);
  });

  it('creates no promise', () => {
    expect(isThenable(signIn('ada').decide((seconds) => seconds))).toBe(false);
    fail(3, 'ada');
    expect(signIn('ada').decide((seconds) => seconds)).toBe(60);
    expect(signIn('ada', HERE, { enabled: false }).decide((seconds) => seconds)).toBe(0);
  });

  it('creates no promise after failures have expired, even unread ones', async () => {
    fail(3, 'ada');
    fail(3, 'bob', ELSEWHERE);
    expect(state.counts.isEmpty).toBe(false);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(state.counts.isEmpty).toBe(true);
    expect(state.counts.size).toBe(0);
    expect(isThenable(signIn('eve').decide((seconds) => seconds))).toBe(false);
  });

  it('counts nothing when disabled', async () => {
    for (let index = 0; index < 9; index++) signIn('ada', HERE, { enabled: false }).failed();
    expect(await wait(signIn('ada'))).toBe(0);
  });

  it('gives concurrent guesses no advantage', async () => {
    fail(1, 'ada');
    const verified = await Promise.all(
      Array.from({ length: 50 }, () => {
        const one = signIn('ada');
        const decided = one.decide((seconds) => {
          if (seconds === 0) one.failed();
          return seconds;
        });
        return Promise.resolve(decided);
      }),
    );
    expect(verified.filter((seconds) => seconds === 0)).toHaveLength(2);
  });

  it('counts pending guesses against each other, and equal guesses once', async () => {
    const held = ['a', 'b', 'c'].map((guess) => signIn('ada', HERE, {}, guess).hold());
    expect(await wait(signIn('ada', HERE, {}, 'd'))).toBe(1);
    expect(await wait(signIn('ada', HERE, {}, 'a'))).toBe(0);
    held[0]?.();
    expect(await wait(signIn('ada', HERE, {}, 'd'))).toBe(0);
    for (let index = 0; index < 20; index++) signIn('bob', HERE, {}, 'same').hold();
    expect(await wait(signIn('bob', HERE, {}, 'same'))).toBe(0);
  });

  it('reports the results of no more concurrent sign-ins without a guess than the limit, right or wrong', async () => {
    const concurrent = Array.from({ length: 6 }, () => signIn('ada'));
    for (const one of concurrent) expect(await wait(one)).toBe(0);
    const [first, ...others] = concurrent;
    expect(first?.succeeded('Club')).toBe(0);
    expect(others.map((one) => one.failed())).toEqual([0, 0, 0, 60, 60]);
    expect([signIn('ada').succeeded('Club'), signIn('ada').stale()]).toEqual([60, 60]);
    expect(await wait(signIn('ada'))).toBe(60);
    // What was held counts for others already.
    expect(signIn('ada', HERE, {}, 'guess').succeeded('Club')).toBe(0);
    expect(await wait(signIn('ada'))).toBe(0);
  });

  it('neither counts nor forgets failures for genuine credentials that are too old', async () => {
    for (let index = 0; index < 9; index++) expect(signIn('ada').stale()).toBe(0);
    expect(await wait(signIn('ada'))).toBe(0);
    fail(2, 'ada');
    signIn('ada').stale();
    fail(1, 'ada');
    expect(await wait(signIn('ada'))).toBe(60);
  });

  it('counts an undecided sign-in as failed only if a password was wrong, and none was right but too old', () => {
    const undecided = (...isStale: readonly boolean[]): number => {
      const one = signIn('ada');
      for (const each of isStale) one.refused(each);
      one.undecided('credentials');
      return state.counts.of(HERE, 60).count;
    };
    expect([undecided(), undecided(true), undecided(false, true), undecided(true, false)]).toEqual([
      0, 0, 0, 0,
    ]);
    expect([undecided(false), undecided(false, false)]).toEqual([1, 2]);
  });

  it('counts the same undecided credentials of an address once, while their password is held', () => {
    const undecided = (credentials: string, guess: string | undefined, address: string): number => {
      const one = signIn('ada', address, {}, guess);
      one.refused(false);
      one.undecided(credentials);
      return state.counts.of(address, 60).count;
    };
    expect([undecided('a', 'a', HERE), undecided('a', 'a', HERE), undecided('b', 'b', HERE)]).toEqual([
      1, 1, 2,
    ]);
    expect(undecided('a', 'a', ELSEWHERE)).toBe(1);
    expect([undecided('c', undefined, ELSEWHERE), undecided('c', undefined, ELSEWHERE)]).toEqual([2, 3]);
  });

  describe('of a user that several adapters may know', () => {
    const CLUB = { realm: 'Club', username: 'ada', guess: undefined };
    const ANNEX = { ...CLUB, realm: 'Annex' };
    const of = (...users: readonly ClaimedUser[]): SignIn =>
      new Throttle(settings, state).signIn(HERE, users);

    it('counts a failure once for adapters of one realm', async () => {
      for (let index = 0; index < 2; index++) of(CLUB, CLUB).failed();
      expect(await wait(of(CLUB))).toBe(0);
      of(CLUB, CLUB).failed();
      expect(await wait(of(CLUB))).toBe(60);
    });

    it('counts a failure in each realm, and waits for the one that has reached the limit', async () => {
      of(CLUB, ANNEX).failed();
      for (let index = 0; index < 2; index++) of(ANNEX).failed();
      expect(await Promise.all([of(CLUB), of(ANNEX), of(CLUB, ANNEX), of(ANNEX, CLUB)].map(wait))).toEqual([
        0, 60, 60, 60,
      ]);
    });

    it('forgets only the failures in the realm that has accepted the password', async () => {
      for (let index = 0; index < 2; index++) of(CLUB, ANNEX).failed();
      of(CLUB, ANNEX).succeeded('Club');
      of(CLUB, ANNEX).failed();
      expect(await Promise.all([of(CLUB), of(ANNEX)].map(wait))).toEqual([0, 60]);
    });

    it('reports no late result if one of the passwords is not held', () => {
      const late = of({ ...CLUB, guess: 'a' }, ANNEX);
      const held = of({ ...CLUB, guess: 'a' }, { ...ANNEX, guess: 'a' });
      fail(3, 'ada');
      expect([held.succeeded('Annex'), late.succeeded('Annex')]).toEqual([0, 60]);
    });
  });

  it('distinguishes long names without storing them', async () => {
    const long = 'x'.repeat(10_000);
    fail(3, long);
    expect(await wait(signIn(long))).toBe(60);
    expect(await wait(signIn(`${long}y`))).toBe(0);
  });
});

describe('failure counts', () => {
  it('are limited in number: the oldest are dropped first', () => {
    const counts = new FailureCounts(3);
    for (const key of ['a', 'b', 'b', 'c', 'd']) counts.add(key, 60);
    expect(counts.size).toBe(3);
    expect(counts.of('a', 60).count).toBe(0);
    expect(counts.of('b', 60)).toEqual({ count: 2, seconds: 60 });
    counts.add('a', 60);
    expect(counts.of('a', 60).count).toBe(1);
    expect(counts.of('b', 60).count).toBe(0);
  });

  it('that another process has counted end with their window, asked or not', () => {
    jest.useFakeTimers();
    const [here, there] = [new FailureCounts(), new FailureCounts()];
    here.peers.join(() => undefined).receive({ key: 'a', window: 3, count: 9, age: 2_500 });
    const peer = there.peers.join(() => undefined);
    for (const change of here.all()) peer.receive(change);
    expect(there.of('a', 3)).toEqual({ count: 9, seconds: 1 });
    jest.advanceTimersByTime(600);
    expect(here.isEmpty).toBe(true);
    here.add('a', 3);
    there.add('a', 3);
    expect([here.of('a', 3).count, there.of('a', 3).count]).toEqual([1, 1]);
    jest.useRealTimers();
  });

  it('continue when the clock of the system is set', () => {
    jest.useFakeTimers();
    const counts = new FailureCounts();
    for (let at = 0; at < 9; at++) counts.add('a', 60);
    jest.setSystemTime(Date.now() + 120_000);
    counts.add('a', 60);
    expect(counts.of('a', 60)).toEqual({ count: 10, seconds: 60 });
    jest.useRealTimers();
  });
});
