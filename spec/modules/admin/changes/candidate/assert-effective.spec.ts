import fc from 'fast-check';
import {
  Configuration,
  editText,
  parseConfiguration,
  Problem,
  type ConfigEdit,
  type ConfigObject,
} from '../../../../../src/framework';
import { editsBetween } from '../../../../../src/modules/admin/changes/comparison/edits';
import { assertEffective } from '../../../../../src/modules/admin/changes/candidate/assert-effective';
import { Type } from '@sinclair/typebox';
import { configTrees } from '../../../../factories/config-trees';

const anything = Type.Any();

function configuration(...trees: readonly ConfigObject[]): Configuration {
  const layers = trees.map((tree, at) => ({ source: `layer ${at}`, tree: { x: tree } }));
  return new Configuration('/', layers, new Map([['x', anything]]));
}

const at = (edits: readonly ConfigEdit[]): ConfigObject => {
  const tree = parseConfiguration(editText(undefined, edits));
  return (tree.x ?? {}) as ConfigObject;
};

describe('A written value is effective', () => {
  it('if no higher layer defines it', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (current, target) => {
        const edits = editsBetween(['x'], current, target);
        expect(() => assertEffective(edits, configuration(current, at(edits)))).not.toThrow();
      }),
    );
  });

  it('unless a higher layer overrides it, which is named', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    const overruled = configuration({ realm: 'Atlas' }, { realm: 'Maps' }, { realm: 'Above' });
    expect(() => assertEffective(edits, overruled)).toThrow(Problem);
    expect(() => assertEffective(edits, overruled)).toThrow(/x\.realm is set in layer 2/);
  });

  it('if a higher layer defines the same value', () => {
    const edits = [{ path: ['x', 'realm'], value: 'Maps' }];
    expect(() => assertEffective(edits, configuration({ realm: 'Maps' }, { realm: 'Maps' }))).not.toThrow();
  });

  it('unless a higher layer defines another list', () => {
    const written = (value: readonly string[]): void =>
      assertEffective(
        [{ path: ['x', 'GET'], value }],
        configuration({ GET: value }, { GET: ['ada', 'bob'] }),
      );
    for (const value of [[], ['ada'], ['bob', 'ada'], ['ada', 'bob', 'cyd']])
      expect(() => written(value)).toThrow(/x\.GET is set in layer 1/);
    expect(() => written(['ada', 'bob'])).not.toThrow();
  });

  it('if its list is joined with those of other layers', () => {
    const lists = Type.Object({ Json: Type.Array(Type.String(), { mergeLists: 'add' }) });
    const [low, written, high] = [['a/a'], ['b/b'], ['c/c']];
    const layers = [low, written, high].map((Json, at) => ({ source: `layer ${at}`, tree: { x: { Json } } }));
    const joined = new Configuration('/', layers, new Map([['x', lists]]));
    expect(() => assertEffective([{ path: ['x', 'Json'], value: written }], joined)).not.toThrow();
    expect(() => assertEffective([{ path: ['x', 'Json'], value: ['d/d'] }], joined)).toThrow(Problem);
  });

  it('unless a higher layer defines a removed key', () => {
    const edits = [{ path: ['x', 'realm'], value: null }];
    expect(() => assertEffective(edits, configuration({ realm: null }, { realm: 'Above' }))).toThrow(
      /layer 1/,
    );
    expect(() => assertEffective(edits, configuration({ realm: 'Atlas' }, { realm: null }))).not.toThrow();
  });

  it('if an undo restores it, and other layers have further members of it, unless one of its own is overridden', () => {
    const edits = [{ path: ['x', 'http'], value: { realm: 'Maps' } }];
    const layers = [{ http: { qop: 'auth' } }, { http: { realm: 'Maps' } }];
    expect(() => assertEffective(edits, configuration(...layers))).toThrow(Problem);
    expect(() => assertEffective(edits, configuration(...layers), true)).not.toThrow();
    expect(() =>
      assertEffective(edits, configuration(...layers, { http: { realm: 'Above' } }), true),
    ).toThrow(/x\.http\.realm is set in layer 2/);
  });

  it('whatever a lower layer defines, if a key is removed from the file', () => {
    const edits = [{ path: ['x', 'realm'], value: undefined }];
    expect(() => assertEffective(edits, configuration({ realm: 'below' }))).not.toThrow();
  });
});
