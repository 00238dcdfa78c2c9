import fc from 'fast-check';
import {
  Configuration,
  editText,
  parseConfiguration,
  Problem,
  type ConfigEdit,
  type ConfigTree,
} from '../../../../src/framework';
import { editsBetween } from '../../../../src/modules/admin/changes/edits';
import { assertInForce } from '../../../../src/modules/admin/changes/in-force';
import { Type } from '@sinclair/typebox';
import { configTrees } from '../../../factories/config-trees';

const anything = Type.Any();

function configuration(...trees: readonly ConfigTree[]): Configuration {
  const layers = trees.map((tree, at) => ({ source: `layer ${at}`, tree: { x: tree } }));
  return new Configuration('/', layers, new Map([['x', anything]]));
}

const at = (edits: readonly ConfigEdit[]): ConfigTree => {
  const tree = parseConfiguration(editText(undefined, edits));
  return (tree.x ?? {}) as ConfigTree;
};

describe('What was written is in force', () => {
  it('when nothing stands above it', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (current, wanted) => {
        const edits = editsBetween(['x'], current, wanted);
        expect(() => assertInForce(edits, configuration(current, at(edits)))).not.toThrow();
      }),
    );
  });

  it('unless a layer above says otherwise, which is named', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    const overruled = configuration({ realm: 'Atlas' }, { realm: 'Maps' }, { realm: 'Above' });
    expect(() => assertInForce(edits, overruled)).toThrow(Problem);
    expect(() => assertInForce(edits, overruled)).toThrow(/x\.realm is set in layer 2/);
  });

  it('when a layer above says the same', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    expect(() => assertInForce(edits, configuration({ realm: 'Maps' }, { realm: 'Maps' }))).not.toThrow();
  });

  it('unless a layer above sets what was to be gone', () => {
    const edits = [{ path: ['x', 'realm'], value: null }];
    expect(() => assertInForce(edits, configuration({ realm: null }, { realm: 'Above' }))).toThrow(/layer 1/);
    expect(() => assertInForce(edits, configuration({ realm: 'Atlas' }, { realm: null }))).not.toThrow();
  });

  it('whatever is uncovered, when a key is taken out of the file', () => {
    const edits = [{ path: ['x', 'realm'], value: undefined }];
    expect(() => assertInForce(edits, configuration({ realm: 'below' }))).not.toThrow();
  });
});
