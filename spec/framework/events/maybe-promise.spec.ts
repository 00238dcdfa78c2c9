import { andThen, isThenable, mapInTurn } from '../../../src/framework';

describe('andThen', () => {
  it('calls next synchronously with a value', () => {
    expect(andThen(2, (value) => value * 2)).toBe(4);
  });

  it('calls next with the value of a promise', async () => {
    const later = andThen(Promise.resolve(2), (value) => value * 2);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(4);
  });

  it('does not call next after a rejection', async () => {
    const next = jest.fn();
    await expect(andThen(Promise.reject(new Error('no')), next)).rejects.toThrow('no');
    expect(next).not.toHaveBeenCalled();
  });
});

describe('mapInTurn', () => {
  it('is synchronous where each call is', () => {
    expect(mapInTurn([1, 2, 3], (value) => value * 2)).toEqual([2, 4, 6]);
    expect(mapInTurn([], () => 1)).toEqual([]);
  });

  it('waits for what a call promises before the next one', async () => {
    const calls: string[] = [];
    const mapped = mapInTurn(['a', 'b', 'c'], (value) => {
      calls.push(value);
      return value === 'c' ? value : Promise.resolve(value).finally(() => calls.push(`${value} settled`));
    });
    expect(calls).toEqual(['a']);
    expect(await mapped).toEqual(['a', 'b', 'c']);
    expect(calls).toEqual(['a', 'a settled', 'b', 'b settled', 'c']);
  });

  it('throws the error of a first call, and rejects with that of one after a promise', async () => {
    const call = jest.fn((value: number) => {
      if (value === 2) throw new RangeError('two');
      return value === 0 ? Promise.resolve(value) : value;
    });
    expect(() => mapInTurn([1, 2, 3], call)).toThrow('two');
    await expect(mapInTurn([0, 2, 3], call)).rejects.toThrow('two');
    expect(call).not.toHaveBeenCalledWith(3);
  });
});

describe('isThenable', () => {
  it.each([[Promise.resolve()], [{ then: () => undefined }]])('returns true for %p', (value) => {
    expect(isThenable(value)).toBe(true);
  });

  it.each([[undefined], [null], [0], ['then'], [{}], [{ then: true }], [() => undefined]])(
    'says no to %p',
    (value) => {
      expect(isThenable(value)).toBe(false);
    },
  );
});
