import fc from 'fast-check';
import { editText, isObject, parseConfiguration, type ConfigObject } from '../../../../src/framework';
import { merge } from '../../../../src/framework/config/layers/merge';
import { differenceOf } from '../../../../src/modules/admin/changes/difference';
import { editsBetween } from '../../../../src/modules/admin/changes/edits';
import { configTrees } from '../../../factories/config-trees';

const visible = (): boolean => false;

/** What is in force when the edits are written above what is. */
const after = (current: ConfigObject, wanted: ConfigObject): ConfigObject =>
  merge(current, parseConfiguration(editText(undefined, editsBetween([], current, wanted))));

/** No map that is empty, which merging keeps where everything in it was taken away. */
function pruned(tree: ConfigObject): ConfigObject {
  const members = Object.entries(tree).flatMap(([key, value]) => {
    const inner = isObject(value) ? pruned(value) : value;
    return isObject(inner) && Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
  });
  return Object.fromEntries(members);
}

describe('Edits between two values', () => {
  it('make one of the other, when they are written above it', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (current, wanted) => {
        const [made, meant] = [pruned(after(current, wanted)), pruned(wanted)];
        expect(differenceOf(made, meant, visible)).toEqual([]);
      }),
    );
  });

  it('are none between equal values', () => {
    fc.assert(
      fc.property(configTrees, (tree) => {
        expect(editsBetween(['a'], tree, structuredClone(tree))).toEqual([]);
      }),
    );
  });

  it('touch only the leaves that differ, so that what lower layers and variables say stays', () => {
    const current = { realm: 'Atlas', files: { htpasswd: '/from/a/variable' }, list: ['a'] };
    const wanted = { realm: 'Maps', files: { htpasswd: '/from/a/variable' }, list: ['a', 'b'] };
    expect(editsBetween(['x'], current, wanted)).toEqual([
      { path: ['x', 'realm'], value: 'Maps' },
      { path: ['x', 'list'], value: ['a', 'b'] },
    ]);
  });

  it('take away with null', () => {
    expect(editsBetween(['x'], { a: 1, b: 2 }, { a: 1 })).toEqual([{ path: ['x', 'b'], value: null }]);
    expect(editsBetween(['x'], { a: 1 }, undefined)).toEqual([{ path: ['x'], value: null }]);
  });

  it('know names that every object of JavaScript has', () => {
    expect(editsBetween([], {}, { constructor: { description: 'New.' } })).toEqual([
      { path: ['constructor'], value: { description: 'New.' } },
    ]);
  });
});
