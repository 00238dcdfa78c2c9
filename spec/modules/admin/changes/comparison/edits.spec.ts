import fc from 'fast-check';
import { editText, isObject, parseConfiguration, type ConfigObject } from '../../../../../src/framework';
import { merge } from '../../../../../src/framework/config/layers/merge';
import { differenceOf } from '../../../../../src/modules/admin/changes/comparison/difference';
import { editsBetween } from '../../../../../src/modules/admin/changes/comparison/edits';
import { configTrees } from '../../../../factories/config-trees';

const visible = (): boolean => false;

/** The effective value after the edits are written to a higher layer. */
const after = (current: ConfigObject, target: ConfigObject): ConfigObject =>
  merge(current, parseConfiguration(editText(undefined, editsBetween([], current, target))));

/** Removes empty objects, which merging keeps after all of their members were removed. */
function pruned(tree: ConfigObject): ConfigObject {
  const members = Object.entries(tree).flatMap(([key, value]) => {
    const inner = isObject(value) ? pruned(value) : value;
    return isObject(inner) && Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
  });
  return Object.fromEntries(members);
}

describe('Edits between two values', () => {
  it('change one into the other when written to a higher layer', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (current, target) => {
        const [actual, expected] = [pruned(after(current, target)), pruned(target)];
        expect(differenceOf(actual, expected, visible)).toEqual([]);
      }),
    );
  });

  it('are empty for equal values', () => {
    fc.assert(
      fc.property(configTrees, (tree) => {
        expect(editsBetween(['a'], tree, structuredClone(tree))).toEqual([]);
      }),
    );
  });

  it('write only the leaves that differ, so that lower layers and variable references are kept', () => {
    const current = { realm: 'Atlas', files: { htpasswd: '/from/a/variable' }, list: ['a'] };
    const target = { realm: 'Maps', files: { htpasswd: '/from/a/variable' }, list: ['a', 'b'] };
    expect(editsBetween(['x'], current, target)).toEqual([
      { path: ['x', 'realm'], value: 'Maps' },
      { path: ['x', 'list'], value: ['a', 'b'] },
    ]);
  });

  it('remove members with null', () => {
    expect(editsBetween(['x'], { a: 1, b: 2 }, { a: 1 })).toEqual([{ path: ['x', 'b'], value: null }]);
    expect(editsBetween(['x'], { a: 1 }, undefined)).toEqual([{ path: ['x'], value: null }]);
  });

  it('support the names of inherited object properties', () => {
    expect(editsBetween([], {}, { constructor: { description: 'New.' } })).toEqual([
      { path: ['constructor'], value: { description: 'New.' } },
    ]);
  });
});
