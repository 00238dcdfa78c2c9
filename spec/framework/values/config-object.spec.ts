import { deepFreeze } from '../../../src/framework/values/config-object';
import { hasKeyPrefix, isObject, formatKeyPath, valueAt } from '../../../src/framework';

describe('valueAt', () => {
  const tree = { a: { b: [1, { c: null }] } };

  it('accepts only numeric indices of lists', () => {
    expect(valueAt({ list: ['a', 'b'] }, ['list', 1])).toBe('b');
    for (const key of ['1', 'length', 2, -1])
      expect(valueAt({ list: ['a', 'b'] }, ['list', key])).toBeUndefined();
  });

  it('finds values by keys and list indices', () => {
    expect(valueAt(tree, [])).toBe(tree);
    expect(valueAt(tree, ['a', 'b', 0])).toBe(1);
    expect(valueAt(tree, ['a', 'b', 1, 'c'])).toBeNull();
  });

  it('returns undefined for missing values', () => {
    expect(valueAt(tree, ['x'])).toBeUndefined();
    expect(valueAt(tree, ['a', 'b', 2])).toBeUndefined();
    expect(valueAt(tree, ['a', 'b', 0, 'deeper'])).toBeUndefined();
  });

  it('ignores inherited members', () => {
    expect(valueAt(tree, ['toString'])).toBeUndefined();
    expect(valueAt(tree, ['__proto__'])).toBeUndefined();
  });
});

describe('hasKeyPrefix', () => {
  it('compares whole keys, and indices only with indices', () => {
    expect(hasKeyPrefix(['a', 'b', 0], [])).toBe(true);
    expect(hasKeyPrefix(['a', 'b', 0], ['a', 'b'])).toBe(true);
    expect(hasKeyPrefix(['a', 'b', 0], ['a', 'b', 0])).toBe(true);
    expect(hasKeyPrefix(['a', 'b', 0], ['a', 'b', '0'])).toBe(false);
    expect(hasKeyPrefix(['a', 'bc'], ['a', 'b'])).toBe(false);
    expect(hasKeyPrefix(['a'], ['a', 'b'])).toBe(false);
  });
});

describe('formatKeyPath', () => {
  it('writes keys with dots and indices in brackets', () => {
    expect(formatKeyPath(['view_manager', 'strategies', 0])).toBe('view_manager.strategies[0]');
    expect(formatKeyPath(['a', 1, 'b'])).toBe('a[1].b');
  });
});

describe('isObject', () => {
  it('distinguishes objects from lists, null and scalars', () => {
    expect([{}, [], null, 'x', 1].map((value) => isObject(value))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('deepFreeze', () => {
  it('freezes objects and lists on every level', () => {
    const value = deepFreeze({ a: { b: [{ c: 1 }] } });
    expect([value, value.a, value.a.b, value.a.b[0]].every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('freezes members of an object that is already frozen', () => {
    const inner = { c: 1 };
    deepFreeze({ a: Object.freeze([inner]) });
    expect(Object.isFrozen(inner)).toBe(true);
  });
});
