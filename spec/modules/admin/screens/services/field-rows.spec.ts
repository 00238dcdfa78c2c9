import type { FieldError } from '../../../../../src/modules/admin/changes/field-errors';
import { fieldRows, schemaOf } from '../../../../../src/modules/admin/screens/services/field-rows';

const errorOf = (...names: readonly string[]): string | undefined => {
  const errors: FieldError[] = [];
  const rows = names.map((name) => ({
    name,
    type: 'string',
    isRequired: false,
    description: '',
    constraints: '',
  }));
  schemaOf(rows, {}, errors);
  return errors[0]?.message;
};

describe('the name of a field in the form', () => {
  it('has at most 64 characters', () => {
    expect(errorOf('x'.repeat(64))).toBeUndefined();
    expect(errorOf('x'.repeat(65))).toBe('The name has 65 characters. Use at most 64.');
  });

  it('has letters, digits and some punctuation, once', () => {
    expect(errorOf('_a.b-c1')).toBeUndefined();
    expect(errorOf('a b')).toMatch(/^Use letters, digits/);
    expect(errorOf('a', 'a')).toBe('The field "a" exists twice. Rename one.');
  });
});

describe('The schema of rows as they were filled', () => {
  it.each([
    { $ref: '#/components/schemas/Note' },
    { type: 'object', properties: { id: { type: 'string', description: ' Of the entity. ' } } },
  ])('is the current one: %j', (current) => {
    expect(schemaOf(fieldRows(current), current, [])).toBe(current);
  });
});

describe('The required fields of a schema', () => {
  const current = { properties: { b: {}, a: {} }, required: ['other', 'a', 'b'] };
  const requiredWith = (name: string, isRequired: boolean): unknown => {
    const rows = fieldRows(current).map((row) => (row.name === 'b' ? { ...row, name, isRequired } : row));
    return schemaOf(rows, current, []).required;
  };

  it('keep their order, and names without a field', () => {
    expect(requiredWith('b', false)).toEqual(['other', 'a']);
    expect(requiredWith('c', true)).toEqual(['other', 'a', 'c']);
    expect(requiredWith('other', false)).toEqual(['a']);
  });
});
