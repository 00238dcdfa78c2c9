import fc from 'fast-check';
import { Field } from '../../../../src/modules/documentation/model/field';
import type { FieldData } from '../../../../src/modules/documentation/model/data';
import {
  shownFields,
  type ShownFields,
} from '../../../../src/modules/documentation/view-helpers/shown-fields';

const data = (name: string, fields: readonly FieldData[] = [], cut = false): FieldData => ({
  name,
  description: '',
  required: false,
  type: 'string',
  schema: {},
  ...(fields.length === 0 ? {} : { fields }),
  ...(cut ? { cut } : {}),
});
const many = (count: number, inner: readonly FieldData[] = []): readonly FieldData[] =>
  Array.from({ length: count }, (_, at) => data(`m${at}`, inner));
const shown = (fields: readonly FieldData[], most: number): ShownFields =>
  shownFields(
    fields.map((one) => new Field(one)),
    most,
  );
const countOf = ({ fields }: ShownFields): number =>
  fields.reduce((count, one) => count + 1 + countOf(one), 0);
const allOf = (fields: readonly FieldData[]): number =>
  fields.reduce((count, { fields: inner = [] }) => count + 1 + allOf(inner), 0);
const leftOf = ({ fields, more }: ShownFields): number =>
  (more ?? 0) + fields.reduce((count, one) => count + leftOf(one), 0);

describe('the fields that are shown', () => {
  it('are all of a small tree, in its order', () => {
    const tree = shown([data('a', many(2)), data('b')], 4);
    expect(tree.fields.map(({ field }) => field.getName())).toEqual(['a', 'b']);
    expect(tree.fields[0]?.fields.map(({ field }) => field.getName())).toEqual(['m0', 'm1']);
    expect(leftOf(tree)).toBe(0);
  });

  it('are the upper levels of a large one, each list with the number of those that are left out', () => {
    const tree = shown(many(3, many(4, many(5))), 10);
    expect(countOf(tree)).toBe(10);
    expect(tree.more).toBe(0);
    expect(tree.fields.map(({ more }) => more)).toEqual([0, 1, 4]);
    expect(tree.fields[0]?.fields[0]?.more).toBe(5);
  });

  it('are the first of a list that is too long', () => {
    const tree = shown(many(4_000), 300);
    expect([tree.fields.length, tree.more]).toEqual([300, 3_700]);
  });

  it('say where only the schema knows how many there are', () => {
    expect(shown([data('a', [], true)], 10).fields[0]?.more).toBeUndefined();
  });

  it('are never more than asked for, and no field that is left out of the shown is not counted below them', () => {
    const { tree } = fc.letrec<{ tree: readonly FieldData[] }>((tie) => ({
      tree: fc.array(
        fc.oneof(
          { depthSize: 'small' },
          fc.constant(data('leaf')),
          tie('tree').map((inner) => data('node', inner)),
        ),
        { maxLength: 6 },
      ),
    }));
    fc.assert(
      fc.property(tree, fc.nat(20), (fields, most) => {
        const result = shown(fields, most);
        expect(countOf(result)).toBe(Math.min(most, allOf(fields)));
        expect(leftOf(result) === 0).toBe(countOf(result) === allOf(fields));
      }),
    );
  });
});
