import { andThen, isThenable } from '../../../src/framework';

describe('andThen', () => {
  it('goes on at once with a value that is there', () => {
    expect(andThen(2, (value) => value * 2)).toBe(4);
  });

  it('goes on later with a value that is promised', async () => {
    const later = andThen(Promise.resolve(2), (value) => value * 2);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(4);
  });

  it('does not go on after a rejection', async () => {
    const next = jest.fn();
    await expect(andThen(Promise.reject(new Error('no')), next)).rejects.toThrow('no');
    expect(next).not.toHaveBeenCalled();
  });
});

describe('isThenable', () => {
  it.each([[Promise.resolve()], [{ then: () => undefined }]])('says yes to %p', (value) => {
    expect(isThenable(value)).toBe(true);
  });

  it.each([[undefined], [null], [0], ['then'], [{}], [{ then: true }], [() => undefined]])(
    'says no to %p',
    (value) => {
      expect(isThenable(value)).toBe(false);
    },
  );
});
