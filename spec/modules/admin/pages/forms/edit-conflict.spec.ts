import type { Revision } from '../../../../../src/framework';
import { tagOf } from '../../../../../src/modules/admin/changes/comparison/tag';
import { editConflict } from '../../../../../src/modules/admin/pages/forms/edit-conflict';

/** Revisions between texts, newest first. */
const between = (...texts: readonly (string | null)[]): readonly Revision[] =>
  texts
    .slice(1)
    .map((after, at) => ({
      number: at + 1,
      at: '',
      by: 'ada',
      summary: '',
      before: texts[at] ?? null,
      after,
    }))
    .reverse();
const text = (a: number, b = 0): string => JSON.stringify({ a, b });
const numbers = (revisions: readonly Revision[], seen: unknown): readonly number[] =>
  editConflict(revisions, ['a'], seen === undefined ? undefined : tagOf(seen as number)).map(
    ({ number }) => number,
  );

describe('The revisions of an edit conflict', () => {
  it('are all changes of the value since it was loaded', () => {
    expect(numbers(between(text(1), text(2), text(3), text(4)), 2)).toEqual([3, 2]);
  });

  it('exclude changes of other values', () => {
    expect(numbers(between(text(1), text(2), text(2, 9)), 1)).toEqual([1]);
  });

  it('are the latest one if the loaded value came from a lower layer', () => {
    expect(numbers(between(null, text(1), text(2)), 77)).toEqual([2]);
    expect(numbers(between(null, text(1), text(2)), undefined)).toEqual([2]);
  });

  it('are none if only another file has changed', () => {
    expect(numbers(between(text(1, 1), text(1, 2)), 5)).toEqual([]);
  });

  it('are at most three', () => {
    expect(numbers(between(text(1), text(2), text(3), text(4), text(5), text(6)), 1)).toEqual([5, 4, 3]);
  });

  it('ignore invalid text', () => {
    expect(numbers(between(text(1), '{', text(2)), 1)).toEqual([2, 1]);
  });
});
