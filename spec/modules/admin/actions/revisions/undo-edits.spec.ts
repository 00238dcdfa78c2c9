import fc from 'fast-check';
import { editText, parseConfiguration } from '../../../../../src/framework';
import { undoEdits } from '../../../../../src/modules/admin/actions/revisions/undo-edits';
import { tagOf } from '../../../../../src/modules/admin/changes/comparison/tag';
import { configTrees } from '../../../../factories/config-trees';

describe('Undoing one change', () => {
  it('restores the previous value if there are no later changes', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (before, after) => {
        const { edits, changedSince } = undoEdits(before, after, after);
        expect(changedSince).toEqual([]);
        const undone = parseConfiguration(editText(JSON.stringify(after), edits));
        expect(tagOf(undone)).toBe(tagOf(before));
      }),
    );
  });

  it('requires no edits if it was undone already', () => {
    fc.assert(
      fc.property(configTrees, configTrees, (before, after) => {
        expect(undoEdits(before, after, before)).toEqual({ edits: [], changedSince: [] });
      }),
    );
  });

  it('keeps later changes', () => {
    const [before, after] = [{ a: { x: 1 } }, { a: { x: 2, y: 3 } }];
    expect(undoEdits(before, after, { a: { x: 2, y: 3, z: 4 }, b: 5 }).edits).toEqual([
      { path: ['a', 'x'], value: 1 },
      { path: ['a', 'y'], value: undefined },
    ]);
  });

  it('keeps later changes in an object that the change created', () => {
    const [before, after] = [{}, { a: { x: 1 } }];
    expect(undoEdits(before, after, { a: { x: 1, y: 2 } })).toEqual({
      edits: [{ path: ['a', 'x'], value: undefined }],
      changedSince: [],
    });
  });

  it('reports key paths that have changed since', () => {
    const [before, after] = [{ a: { x: 1 } }, { a: { x: 2 } }];
    expect(undoEdits(before, after, { a: { x: 3 } }).changedSince).toEqual(['a.x']);
    expect(undoEdits(before, after, {}).changedSince).toEqual(['a']);
  });
});
