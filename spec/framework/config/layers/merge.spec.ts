import fc from 'fast-check';
import { merge } from '../../../../src/framework/config/layers/merge';
import type { ConfigObject } from '../../../../src/framework';

describe('Merging configuration', () => {
  it('merges maps by key, on every level', () => {
    const lower = { server: { host: 'a', port: 1 }, other: { kept: true } };
    expect(merge(lower, { server: { port: 2 } })).toEqual({
      server: { host: 'a', port: 2 },
      other: { kept: true },
    });
  });

  it('replaces lists whole', () => {
    expect(merge({ list: [1, 2, 3] }, { list: [4] })).toEqual({ list: [4] });
    expect(merge({ list: [1, 2, 3] }, { list: [] })).toEqual({ list: [] });
  });

  it('adds what is new to the lists at additive paths, in order and once', () => {
    const additive = (path: readonly string[]): boolean => path.join('.') === 'selectors.Documentation.Model';
    const lower = { selectors: { Documentation: { Model: ['a', 'b'] }, Other: { Model: ['a'] } } };
    const upper = { selectors: { Documentation: { Model: ['c', 'a'] }, Other: { Model: ['z'] } } };
    expect(merge(lower, upper, additive)).toEqual({
      selectors: { Documentation: { Model: ['a', 'b', 'c'] }, Other: { Model: ['z'] } },
    });
  });

  it('takes a key away where the upper layer has null', () => {
    expect(merge({ a: 1, b: { c: 2, d: 3 } }, { a: null, b: { c: null } })).toEqual({ b: { d: 3 } });
  });

  it('leaves no null of the upper layer behind where there was nothing to take away', () => {
    expect(merge({}, { a: null, b: { c: null, d: 1 } })).toEqual({ b: { d: 1 } });
  });

  it('takes the upper value where the two are of different kinds', () => {
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

/** Trees without null. The first letter of a key says what kind its value is of, so that kinds never clash. */
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

describe('Merging configuration, whatever it is', () => {
  it('changes nothing when either side is empty', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(merge(tree, {}, additive)).toEqual(tree);
        expect(merge({}, tree, additive)).toEqual(tree);
      }),
    );
  });

  it('changes nothing when a tree is laid over itself', () => {
    fc.assert(fc.property(trees, (tree) => expect(merge(tree, tree, additive)).toEqual(tree)));
  });

  it('makes the same of three layers whichever two are merged first, where no key is taken away', () => {
    fc.assert(
      fc.property(trees, trees, trees, (a, b, c) => {
        const upwards = merge(merge(a, b, additive), c, additive);
        expect(upwards).toEqual(merge(a, merge(b, c, additive), additive));
      }),
    );
  });

  it('leaves both sides as they were', () => {
    fc.assert(
      fc.property(trees, trees, (a, b) => {
        const before = JSON.stringify([a, b]);
        merge(a, b, additive);
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });
});
