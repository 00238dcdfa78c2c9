import { Field } from '../../../../src/modules/documentation/model/field';

describe('Field', () => {
  const data = { name: 'a', description: 'A', required: true, type: 'string', schema: { type: 'string' } };

  it('has the accessors of the specification', () => {
    const field = new Field({ ...data, example: 'x' });
    expect([field.getName(), field.getDescription(), field.isRequired()]).toEqual(['a', 'A', true]);
    expect([field.getType(), field.getExample()]).toEqual(['string', 'x']);
  });

  it('is serialized in the published layout, without an example as null', () => {
    expect(new Field(data).toJSON()).toEqual({ ...data, example: null });
  });

  it('has the fields of a nested object', () => {
    const field = new Field({ ...data, fields: [{ ...data, name: 'b' }] });
    expect(field.getFields().map((nested) => nested.getName())).toEqual(['b']);
  });
});
