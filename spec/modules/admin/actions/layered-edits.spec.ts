import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { Configuration } from '../../../../src/framework/config/configuration';
import { editText } from '../../../../src/framework/json/edit-text';
import { LOCAL_FILE } from '../../../../src/framework/config/layers/layer';
import type { ConfigObject } from '../../../../src/framework/values/config-object';
import { layeredEdits } from '../../../../src/modules/admin/actions/layered-edits';
import { Problem } from '../../../../src/framework';

const leaf = fc.constantFrom<(string | number | boolean | readonly string[])[]>(
  'x',
  'y',
  1,
  true,
  ['a'],
  ['a', 'b'],
);
const tree: fc.Arbitrary<ConfigObject> = fc.letrec((tie) => ({
  tree: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof({ depthSize: 'small' }, leaf, tie('tree')), {
    maxKeys: 3,
  }),
})).tree as fc.Arbitrary<ConfigObject>;
const withNulls: fc.Arbitrary<ConfigObject> = fc
  .tuple(tree, fc.subarray(['a', 'b', 'c']))
  .map(([one, gone]) => ({ ...one, ...Object.fromEntries(gone.map((key) => [key, null])) }));

/** A configuration of two layers that allows any value below `at`. */
function configured(lower: ConfigObject, local: ConfigObject, upper?: ConfigObject): Configuration {
  const layers = [
    { source: 'config/autoload/global.json', tree: { at: lower } },
    { source: LOCAL_FILE, tree: local },
    ...(upper === undefined ? [] : [{ source: 'config/autoload/my.local.json', tree: { at: upper } }]),
  ];
  return new Configuration('/', layers, new Map([['at', Type.Any()]]));
}

describe('Edits of one layer', () => {
  it('result in the target value regardless of lower layers', () => {
    fc.assert(
      fc.property(tree, withNulls, tree, (lower, local, target) => {
        const before = { at: local };
        const edits = layeredEdits(configured(lower, before), ['at', 'a'], target);
        const after = JSON.parse(editText(JSON.stringify(before), edits)) as ConfigObject;
        expect(configured(lower, after).valueAt(['at', 'a'])).toEqual(target);
      }),
    );
  });

  it('remove a key of lower layers', () => {
    fc.assert(
      fc.property(tree, withNulls, (lower, local) => {
        const before = { at: local };
        const edits = layeredEdits(configured(lower, before), ['at', 'a'], undefined);
        const after = JSON.parse(editText(JSON.stringify(before), edits)) as ConfigObject;
        expect(configured(lower, after).valueAt(['at', 'a'])).toBeUndefined();
      }),
    );
  });

  it('write no null if no lower layer defines the key', () => {
    const edits = layeredEdits(configured({}, { at: { a: 1 } }), ['at', 'a'], undefined);
    expect(edits).toEqual([{ path: ['at', 'a'], value: undefined }]);
  });

  it('are rejected with the source if a higher layer defines the key', () => {
    const above = configured({}, {}, { a: 1 });
    expect(() => layeredEdits(above, ['at', 'a'], undefined)).toThrow(Problem);
    expect(() => layeredEdits(above, ['at', 'a'], undefined)).toThrow('config/autoload/my.local.json');
  });
});
