import {
  runSync,
  runCooperatively,
  runCooperativelyOnce,
  wrapSlices,
  type Steps,
} from '../../../src/framework';

/** The clock of the scheduler, which only {@link spend} moves: other processes would lengthen the turns of a real one. */
let clock = 0;

/** Steps of two milliseconds each. */
function* busy(steps: number): Steps<string> {
  for (let step = 0; step < steps; step++) {
    spend(2);
    yield;
  }
  return 'done';
}

function* failing(steps: number): Steps<never> {
  yield* busy(steps);
  throw new RangeError('too much');
}

/** Counts the turns of the event loop until a promise is settled. */
async function turnsUntil(promise: PromiseLike<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await promise;
  isOver = true;
  return turns;
}

/** Runs steps of a fifth of a millisecond; returns the median of those of a turn. @param others what else each turn runs */
async function stepsOfTurn(others: () => void): Promise<number> {
  const turns = [0];
  let isOver = false;
  function* work(): Steps<void> {
    for (let step = 0; step < 600; step++) {
      spend(0.2);
      turns.push((turns.pop() ?? 0) + 1);
      yield;
    }
  }
  const turn = (): void => {
    turns.push(0);
    others();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await runCooperatively(work());
  isOver = true;
  return turns.sort((one, other) => one - other)[Math.floor(turns.length / 2)] ?? 0;
}

function spend(milliseconds: number): void {
  clock += milliseconds;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('Cooperative work', () => {
  // Earlier work in the same turn of the event loop uses the same time slice.
  beforeEach(nextTurn);
  beforeEach(nextTurn);

  it('runs in the way of the process after its first slice, also if it fails', async () => {
    let [slices, within] = [0, 0];
    wrapSlices((slice) => {
      slices++;
      within++;
      try {
        return slice();
      } finally {
        within--;
      }
    });
    try {
      expect(runCooperatively(busy(0))).toBe('done');
      expect(slices).toBe(0);
      await expect(runCooperatively(busy(10))).resolves.toBe('done');
      const completed = slices;
      expect(completed).toBeGreaterThan(1);
      await expect(runCooperatively(failing(10))).rejects.toThrow('too much');
      expect(slices).toBeGreaterThan(completed);
      expect(within).toBe(0);
    } finally {
      wrapSlices((slice) => slice());
    }
  });

  it('that is small runs synchronously, without a promise', () => {
    expect(runCooperatively(busy(0))).toBe('done');
  });

  it('that is small throws synchronously', () => {
    expect(() => runCooperatively(failing(0))).toThrow('too much');
  });

  it('that is large lets other events run in between', async () => {
    const working = Promise.resolve(runCooperatively(busy(60)));
    expect(await turnsUntil(working)).toBeGreaterThanOrEqual(8);
    expect(await working).toBe('done');
  });

  it('takes less of each turn while other events are handled', async () => {
    expect(await stepsOfTurn(() => undefined)).toBeGreaterThan(6);
    expect(await stepsOfTurn(() => spend(1))).toBeLessThanOrEqual(6);
  });

  it('takes less of each turn while other events run small work', async () => {
    const handle = (): void => {
      spend(1);
      void runCooperatively(busy(0));
    };
    expect(await stepsOfTurn(handle)).toBeLessThanOrEqual(6);
  });

  it('keeps a share of the time while other events take most of it', async () => {
    expect(await stepsOfTurn(() => spend(12))).toBeGreaterThan(6);
  });

  it('shares its time slice with other cooperative work', async () => {
    const alone = await turnsUntil(Promise.resolve(runCooperatively(busy(30))));
    const working = Promise.all([1, 2, 3, 4, 5].map(async () => runCooperatively(busy(30))));
    expect(await turnsUntil(working)).toBeGreaterThan(3 * alone);
    expect(await working).toEqual(Array(5).fill('done'));
  });

  it('that is no longer wanted is abandoned, and runs its finally blocks', async () => {
    let [isWanted, isPutAway] = [true, false];
    function* work(): Steps<string> {
      try {
        return yield* busy(1_000_000);
      } finally {
        isPutAway = true;
      }
    }
    const settled = jest.fn();
    void Promise.resolve(runCooperatively(work(), () => isWanted)).then(settled, settled);
    await nextTurn();
    expect(isPutAway).toBe(false);
    isWanted = false;
    await nextTurn();
    await nextTurn();
    expect(isPutAway).toBe(true);
    expect(settled).not.toHaveBeenCalled();
  });

  it('that is large rejects with the error of a step, and other work continues', async () => {
    const other = runCooperatively(busy(30));
    await expect(runCooperatively(failing(30))).rejects.toThrow('too much');
    await expect(other).resolves.toBe('done');
  });

  it('can run synchronously', () => {
    expect(runSync(busy(15))).toBe('done');
    expect(() => runSync(failing(15))).toThrow('too much');
  });
});

describe('Memoized cooperative work', () => {
  it('is shared by concurrent callers, and synchronous for later ones', async () => {
    let begun = 0;
    const get = runCooperativelyOnce(() => {
      begun += 1;
      return busy(20);
    });
    const [one, other] = [get(), get()];
    expect(other).toBe(one);
    expect(await one).toBe('done');
    expect(get()).toBe('done');
    expect(begun).toBe(1);
  });

  it('starts again after a failure', async () => {
    let begun = 0;
    const get = runCooperativelyOnce<string>(() => {
      begun += 1;
      return begun === 1 ? failing(20) : busy(0);
    });
    await expect(get()).rejects.toThrow('too much');
    expect(get()).toBe('done');
  });
});
