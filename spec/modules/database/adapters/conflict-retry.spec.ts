import { retryConflicts } from '../../../../src/modules/database/adapters/conflict-retry';
import { DatabaseError } from '../../../../src/modules/database/adapters/database-error';

const conflict = new DatabaseError('conflict', 'deadlock detected');

describe('an action that meets other transactions', () => {
  it('is run again until it succeeds, with pauses', async () => {
    let runs = 0;
    const run = (): string => {
      if (++runs < 4) throw conflict;
      return 'done';
    };
    expect(await retryConflicts(run)).toBe('done');
    expect(runs).toBe(4);
  });

  it('fails after a few attempts', async () => {
    let runs = 0;
    const run = (): Promise<never> => {
      runs++;
      return Promise.reject(conflict);
    };
    await expect(retryConflicts(run)).rejects.toBe(conflict);
    expect(runs).toBe(6);
  });

  it('is not run again after its limits have ended, or after another failure', async () => {
    const controller = new AbortController();
    let runs = 0;
    const run = (): Promise<never> => {
      if (++runs === 2) controller.abort();
      return Promise.reject(conflict);
    };
    await expect(retryConflicts(run, { signal: controller.signal })).rejects.toBe(conflict);
    expect(runs).toBe(2);
    const other = new DatabaseError('unique', 'taken');
    let others = 0;
    const fail = (): Promise<never> => {
      others++;
      return Promise.reject(other);
    };
    await expect(retryConflicts(fail)).rejects.toBe(other);
    expect(others).toBe(1);
  });

  it('is synchronous if it succeeds at once', () => {
    expect(retryConflicts(() => 5)).toBe(5);
    expect(() =>
      retryConflicts(() => {
        throw new DatabaseError('unique', 'taken');
      }),
    ).toThrow('taken');
  });
});
