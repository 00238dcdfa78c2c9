import type { Revision } from '../../../../src/framework';
import { tagOf } from '../../../../src/modules/admin/changes/tag';
import { editConflict } from '../../../../src/modules/admin/pages/edit-conflict';

/** Revisions between texts, the newest first. */
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

describe('what was changed meanwhile', () => {
  it('is every change of the thing since it was seen', () => {
    expect(numbers(between(text(1), text(2), text(3), text(4)), 2)).toEqual([3, 2]);
  });

  it('is nothing that happened elsewhere', () => {
    expect(numbers(between(text(1), text(2), text(2, 9)), 1)).toEqual([1]);
  });

  it('is the last change where what was seen came from a lower layer', () => {
    expect(numbers(between(null, text(1), text(2)), 77)).toEqual([2]);
    expect(numbers(between(null, text(1), text(2)), undefined)).toEqual([2]);
  });

  it('is nothing where only another file says otherwise', () => {
    expect(numbers(between(text(1, 1), text(1, 2)), 5)).toEqual([]);
  });

  it('is told of at most three times', () => {
    expect(numbers(between(text(1), text(2), text(3), text(4), text(5), text(6)), 1)).toEqual([5, 4, 3]);
  });

  it('passes over a text that cannot be parsed', () => {
    expect(numbers(between(text(1), '{', text(2)), 1)).toEqual([2, 1]);
  });
});
