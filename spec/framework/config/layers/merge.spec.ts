import fc from 'fast-check';
import { merge } from '../../../../src/framework/config/layers/merge';
import type { ConfigObject } from '../../../../src/framework';

describe('Merging configuration', () => {
  it('merges objects by key, on every level', () => {
    const lower = { server: { host: 'a', port: 1 }, other: { kept: true } };
    expect(merge(lower, { server: { port: 2 } })).toEqual({
      server: { host: 'a', port: 2 },
      other: { kept: true },
    });
  });

  it('replaces lists', () => {
    expect(merge({ list: [1, 2, 3] }, { list: [4] })).toEqual({ list: [4] });
    expect(merge({ list: [1, 2, 3] }, { list: [] })).toEqual({ list: [] });
  });

  it('appends new members to lists at additive paths, in order and once', () => {
    const additive = (path: readonly string[]): boolean => path.join('.') === 'selectors.Documentation.Model';
    const lower = { selectors: { Documentation: { Model: ['a', 'b'] }, Other: { Model: ['a'] } } };
    const upper = { selectors: { Documentation: { Model: ['c', 'a'] }, Other: { Model: ['z'] } } };
    expect(merge(lower, upper, additive)).toEqual({
      selectors: { Documentation: { Model: ['a', 'b', 'c'] }, Other: { Model: ['z'] } },
    });
  });

  it('removes a key that is null in the upper layer', () => {
    expect(merge({ a: 1, b: { c: 2, d: 3 } }, { a: null, b: { c: null } })).toEqual({ b: { d: 3 } });
  });

  it('keeps no null for a key that does not exist', () => {
    expect(merge({}, { a: null, b: { c: null, d: 1 } })).toEqual({ b: { d: 1 } });
  });

  it('uses the upper value if the types differ', () => {
    expect(merge({ a: { b: 1 }, c: 1 }, { a: [1], c: { d: 1 } })).toEqual({ a: [1], c: { d: 1 } });
  });

  it('treats a key called __proto__ like any other', () => {
    const upper: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    const merged = merge({}, upper as ConfigObject);
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

/** Trees without null. The first letter of a key determines the type of its value, so that types never differ. */
const trees = fc.letrec<{ tree: ConfigObject; map: ConfigObject; scalar: ConfigObject; list: ConfigObject }>(
  (tie) => ({
    scalar: fc.dictionary(
      fc.constantFrom('s1', 's2', 's3'),
      fc.oneof(fc.string(), fc.integer(), fc.boolean()),
    ),
    list: fc.dictionary(fc.constantFrom('l1', 'l2'), fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's'))),
    map: fc.dictionary(fc.constantFrom('m1', 'm2'), tie('tree'), { depthIdentifier: 'tree', maxKeys: 2 }),
    tree: fc
      .tuple(
        tie('scalar'),
        tie('list'),
        fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.constant({}), tie('map')),
      )
      .map(([scalar, list, map]) => ({ ...scalar, ...list, ...map })),
  }),
).tree;

const additive = (path: readonly string[]): boolean => path.at(-1) === 'l1';

describe('Merging any configuration', () => {
  it('changes nothing if either side is empty', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(merge(tree, {}, additive)).toEqual(tree);
        expect(merge({}, tree, additive)).toEqual(tree);
      }),
    );
  });

  it('changes nothing if a tree is merged with itself', () => {
    fc.assert(fc.property(trees, (tree) => expect(merge(tree, tree, additive)).toEqual(tree)));
  });

  it('is associative if no key is removed', () => {
    fc.assert(
      fc.property(trees, trees, trees, (a, b, c) => {
        const upwards = merge(merge(a, b, additive), c, additive);
        expect(upwards).toEqual(merge(a, merge(b, c, additive), additive));
      }),
    );
  });

  it('does not modify its arguments', () => {
    fc.assert(
      fc.property(trees, trees, (a, b) => {
        const before = JSON.stringify([a, b]);
        merge(a, b, additive);
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });

  it('shares parts of a layer that is never modified, if they remove nothing', () => {
    const upper = { a: { b: { c: [1] } }, d: { e: null, f: { g: 1 } }, h: { i: 1 } };
    const merged = merge({ h: { j: 2 } }, upper, () => false, true);
    expect(merged).toEqual({ a: { b: { c: [1] } }, d: { f: { g: 1 } }, h: { i: 1, j: 2 } });
    expect(merged.a).toBe(upper.a);
    expect(merge({}, upper).a).not.toBe(upper.a);
  });
});
