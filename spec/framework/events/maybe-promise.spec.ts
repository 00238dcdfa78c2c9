import { andThen, isThenable } from '../../../src/framework';

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
