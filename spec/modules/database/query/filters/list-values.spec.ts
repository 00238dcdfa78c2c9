import { Type, type TSchema } from '@sinclair/typebox';
import { Problem } from '../../../../../src/framework';
import { listedValues } from '../../../../../src/modules/database/query/filters/list-values';
import type { TableFilter } from '../../../../../src/modules/database/table/table';

/** The values of an `in` filter over a column, or the message of its error. */
function valuesOf(schema: TSchema, text: string): unknown {
  const filter = { parameter: 'x.in', operator: 'in', column: { schema } } as unknown as TableFilter;
  try {
    return listedValues(filter, text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.extensions.errors as readonly { readonly message: string }[])[0]?.message;
  }
}

describe('The list of an "in" filter', () => {
  it.each([
    ['+1,002', Type.Integer(), [1, 2]],
    ['+1.5,-0.5,1E2', Type.Number(), [1.5, -0.5, 100]],
    ['01,2.0', Type.Integer({ enum: [1, 2, 3] }), [1, 2]],
    ['a,b', Type.String({ enum: ['a', 'b'] }), ['a', 'b']],
    ['true,false', Type.Boolean(), [true, false]],
    ['1.50,-0', Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }), ['1.50', '-0']],
    ['a,,true', Type.String(), ['a', '', 'true']],
    ['a,b', Type.String({ format: 'unknown' }), ['a', 'b']],
  ])('%s has the notations of single numbers', (text, schema, values) => {
    expect(valuesOf(schema, text)).toEqual(values);
  });

  it.each([
    ['a,b', ['a,b']],
    ['b,a', ['b', 'a']],
    ['a,a,b,b', ['a', 'a,b', 'b']],
    ['x, y, z,a', ['x, y, z', 'a']],
    ['x, y', 'must be a list of: a, b, a,b, x, y, z'],
  ])('%s may have choices with commas, of which the longest is meant', (text, values) => {
    expect(valuesOf(Type.String({ enum: ['a', 'b', 'a,b', 'x, y, z'] }), text)).toEqual(values);
  });

  it('has texts in the format of the column, and any texts for a format of numbers', () => {
    expect(valuesOf(Type.String({ format: 'date' }), '2026-01-31,2026-02-28')).toEqual([
      '2026-01-31',
      '2026-02-28',
    ]);
    expect(valuesOf(Type.String({ format: 'int32' }), 'a,')).toEqual(['a', '']);
  });

  it.each([
    ['1e400', Type.Number(), 'must be a list of numbers up to 1.7976931348623157e+308'],
    ['x', Type.Number(), 'must be a list of numbers up to 1.7976931348623157e+308'],
    ['1.5', Type.Integer(), 'must be a list of integers'],
    ['9007199254740993', Type.Integer(), 'must be a list of integers'],
    ['1.5,NaN', Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }), 'must be a list of numbers'],
    [
      '2026-01-31,2026-02-30',
      Type.String({ format: 'date' }),
      'must be a list of texts in the format "date"',
    ],
    [
      '1',
      Type.Unsafe({ type: ['string', 'null'], format: 'uuid' }),
      'must be a list of texts in the format "uuid"',
    ],
    ['4', Type.Integer({ enum: [1, 2, 3] }), 'must be a list of: 1, 2, 3'],
    ['0x1', Type.Integer({ enum: [1, 2, 3] }), 'must be a list of: 1, 2, 3'],
    ['4,1', Type.Integer({ enum: [1, 2, 3] }), 'must be a list of: 1, 2, 3'],
    ['1,x', Type.Integer(), 'must be a list of integers'],
    ['0x1', Type.Integer(), 'must be a list of integers'],
    ['1,', Type.Integer(), 'must be a list of integers'],
    ['1,x', Type.Number(), 'must be a list of numbers up to 1.7976931348623157e+308'],
    ['1, 2', Type.Number(), 'must be a list of numbers up to 1.7976931348623157e+308'],
    ['true,1', Type.Boolean(), 'must be a list of true or false'],
    ['TRUE', Type.Boolean(), 'must be a list of true or false'],
  ])('%s is refused', (text, schema, message) => {
    expect(valuesOf(schema, text)).toBe(message);
  });

  it('has at most 100 values', () => {
    const values = Array.from({ length: 100 }, (_, at) => at);
    expect(valuesOf(Type.Integer(), values.join())).toEqual(values);
    expect(valuesOf(Type.Integer(), [...values, 100].join())).toBe('must have at most 100 values');
  });
});
