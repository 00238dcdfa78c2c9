import fc from 'fast-check';
import type { ConfigObject, ConfigValue } from '../../../../../src/framework';
import { tagOf } from '../../../../../src/modules/admin/changes/comparison/tag';
import { configTrees } from '../../../../factories/config-trees';

/** The same value with the keys of every object reversed. */
function turned(value: ConfigValue): ConfigValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  const members = Object.entries(value as ConfigObject).reverse();
  return Object.fromEntries(members.map(([key, inner]) => [key, turned(inner)]));
}

describe('The tag of a value', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(configTrees, (tree) => {
        expect(tagOf(turned(tree))).toBe(tagOf(tree));
      }),
    );
  });

  it('differs for different values', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(tagOf(one) === tagOf(other)).toBe(isSame);
      }),
      { examples: [[{ constructor: [] }, { constructor: {} }]] },
    );
  });

  it.each([
    [undefined, null],
    [undefined, ''],
    ['1', 1],
    [[], {}],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a', 'b'], ['ab']],
    [[1, 2], [12]],
    [[[1], 2], [[1, 2]]],
    [{ a: 1 }, { b: 1 }],
    [{ a: [] }, { a: {} }],
    [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
  ] as const)('distinguishes %j from %j', (one, other) => {
    expect(tagOf(one)).not.toBe(tagOf(other));
  });

  it('is valid in an HTTP field without escaping', () => {
    expect(tagOf({ name: '"Ä\r\n' })).toMatch(/^[0-9a-f]{24}$/);
  });
});

function sorted(value: ConfigValue): ConfigValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value as ConfigObject).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, since objects order numeric keys first, as a member: an empty object is not an empty list.
  return { pairs: members.map(([key, inner]) => [key, sorted(inner)]) };
}
