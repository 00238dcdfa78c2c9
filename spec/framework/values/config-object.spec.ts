import { deepFreeze } from '../../../src/framework/values/config-object';
import { isObject, formatKeyPath, valueAt } from '../../../src/framework';

describe('valueAt', () => {
  const tree = { a: { b: [1, { c: null }] } };

  it('has places in a list, and nothing else', () => {
    expect(valueAt({ list: ['a', 'b'] }, ['list', 1])).toBe('b');
    for (const key of ['1', 'length', 2, -1])
      expect(valueAt({ list: ['a', 'b'] }, ['list', key])).toBeUndefined();
  });

  it('finds values by keys and places in lists', () => {
    expect(valueAt(tree, [])).toBe(tree);
    expect(valueAt(tree, ['a', 'b', 0])).toBe(1);
    expect(valueAt(tree, ['a', 'b', 1, 'c'])).toBeNull();
  });

  it('is undefined where nothing is', () => {
    expect(valueAt(tree, ['x'])).toBeUndefined();
    expect(valueAt(tree, ['a', 'b', 2])).toBeUndefined();
    expect(valueAt(tree, ['a', 'b', 0, 'deeper'])).toBeUndefined();
  });

  it('finds nothing that the tree only inherits', () => {
    expect(valueAt(tree, ['toString'])).toBeUndefined();
    expect(valueAt(tree, ['__proto__'])).toBeUndefined();
  });
});

describe('showPath', () => {
  it('writes keys with dots and places in brackets', () => {
    expect(formatKeyPath(['view_manager', 'strategies', 0])).toBe('view_manager.strategies[0]');
    expect(formatKeyPath(['a', 1, 'b'])).toBe('a[1].b');
  });
});

describe('isTree', () => {
  it('tells objects from lists, null and scalars', () => {
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
  it('freezes maps and lists on every level', () => {
    const value = deepFreeze({ a: { b: [{ c: 1 }] } });
    expect([value, value.a, value.a.b, value.a.b[0]].every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('freezes what stands within something that was frozen before', () => {
    const inner = { c: 1 };
    deepFreeze({ a: Object.freeze([inner]) });
    expect(Object.isFrozen(inner)).toBe(true);
  });
});
