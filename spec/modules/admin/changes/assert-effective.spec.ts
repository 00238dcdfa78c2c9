import fc from 'fast-check';
import {
  Configuration,
  editText,
  parseConfiguration,
  Problem,
  type ConfigEdit,
  type ConfigObject,
} from '../../../../src/framework';
import { editsBetween } from '../../../../src/modules/admin/changes/edits';
import { assertEffective } from '../../../../src/modules/admin/changes/assert-effective';
import { Type } from '@sinclair/typebox';
import { configTrees } from '../../../factories/config-trees';

const anything = Type.Any();

function configuration(...trees: readonly ConfigObject[]): Configuration {
  const layers = trees.map((tree, at) => ({ source: `layer ${at}`, tree: { x: tree } }));
  return new Configuration('/', layers, new Map([['x', anything]]));
}

const at = (edits: readonly ConfigEdit[]): ConfigObject => {
  const tree = parseConfiguration(editText(undefined, edits));
  return (tree.x ?? {}) as ConfigObject;
};

describe('What was written is in force', () => {
  it('when nothing stands above it', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (current, wanted) => {
        const edits = editsBetween(['x'], current, wanted);
        expect(() => assertEffective(edits, configuration(current, at(edits)))).not.toThrow();
      }),
    );
  });

  it('unless a layer above says otherwise, which is named', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    const overruled = configuration({ realm: 'Atlas' }, { realm: 'Maps' }, { realm: 'Above' });
    expect(() => assertEffective(edits, overruled)).toThrow(Problem);
    expect(() => assertEffective(edits, overruled)).toThrow(/x\.realm is set in layer 2/);
  });

  it('when a layer above says the same', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    expect(() => assertEffective(edits, configuration({ realm: 'Maps' }, { realm: 'Maps' }))).not.toThrow();
  });

  it('unless a layer above sets what was to be gone', () => {
    const edits = [{ path: ['x', 'realm'], value: null }];
    expect(() => assertEffective(edits, configuration({ realm: null }, { realm: 'Above' }))).toThrow(
      /layer 1/,
    );
    expect(() => assertEffective(edits, configuration({ realm: 'Atlas' }, { realm: null }))).not.toThrow();
  });

  it('whatever is uncovered, when a key is taken out of the file', () => {
    const edits = [{ path: ['x', 'realm'], value: undefined }];
    expect(() => assertEffective(edits, configuration({ realm: 'below' }))).not.toThrow();
  });
});
