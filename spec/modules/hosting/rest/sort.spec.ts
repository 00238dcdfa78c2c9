import { assertDefaultSort, comparing } from '../../../../src/modules/hosting/rest/sort';

describe('the default order of a collection', () => {
  it.each(['id', '-id', 'id,-name'])('may be %j', (standard) => {
    expect(() => assertDefaultSort(['id', 'name'], standard, 'Shop')).not.toThrow();
  });

  it.each(['size, cm', '-size, cm,id', 'id,-size, cm'])(
    'may have names with commas, as in %j',
    (standard) => {
      expect(() => assertDefaultSort(['id', 'size, cm'], standard, 'Shop')).not.toThrow();
    },
  );

  it.each(['size', 'size, cm,-size, cm', 'size, cm,cm'])(
    'may not be %j where a name has a comma',
    (standard) => {
      expect(() => assertDefaultSort(['id', 'size, cm'], standard, 'Shop')).toThrow('(id, size, cm)');
    },
  );

  it.each(['zz', '', 'id,id', 'id,-id', 'id,', '+id'])('is not %j', (standard) => {
    expect(() => assertDefaultSort(['id', 'name'], standard, 'Shop')).toThrow(
      `Shop: default_sort is "${standard}". Write names from "sort" (id, name), each once`,
    );
  });
});

describe('the comparison of values', () => {
  const sorted = (values: readonly unknown[], descending = false): unknown[] =>
    values
      .map((at) => ({ at }))
      .sort(comparing([{ name: 'at', descending }]))
      .map(({ at }) => at);

  it('uses the time of a Date', () => {
    const [first, second, third] = [new Date(0), new Date('2024-02-05'), new Date('2025-01-01')];
    expect(sorted([third, first, second])).toEqual([first, second, third]);
    expect(sorted([third, first, second], true)).toEqual([third, second, first]);
  });

  it('uses the value of a number or a bigint', () => {
    expect(sorted([10n, 9n, -1n, 100n])).toEqual([-1n, 9n, 10n, 100n]);
    expect(sorted([10n, 9.5, -1, 2n ** 70n], true)).toEqual([2n ** 70n, 10n, 9.5, -1]);
    expect(sorted([Infinity, -Infinity, 0, Infinity])).toEqual([-Infinity, 0, Infinity, Infinity]);
  });

  it.each([false, true])(
    'orders values of several types in the same way, whatever their order was: %s',
    (descending) => {
      const values = [9, '1a', 20, true, '', '10', false, new Date(12), null, 'b', 10n, 'a'];
      const ordered = ['', '10', '1a', 'a', 'b', false, true];
      const numbers = [9, 10n, new Date(12), 20];
      const all = descending
        ? [...ordered.reverse(), ...numbers.reverse(), null]
        : [...numbers, ...ordered, null];
      for (const turn of values.keys()) {
        const turned = [...values.slice(turn), ...values.slice(0, turn)];
        expect(sorted(turned, descending)).toEqual(all);
      }
    },
  );

  it('puts missing values last', () => {
    const none = new Date(NaN);
    expect(sorted([none, new Date(5), new Date(1)])).toEqual([new Date(1), new Date(5), none]);
    expect(sorted([null, NaN, 2, 1], true)).toEqual([2, 1, null, NaN]);
  });
});
