import { Type } from '@sinclair/typebox';
import { Validators } from '../../../../src/modules/content-validation';
import { fileField, UploadedFile } from '../../../../src/modules/content-negotiation';
import { fileKeyword } from '../../../../src/modules/content-validation/keywords/file-keyword';

const accepts = (types: readonly string[], type: string): unknown =>
  fileKeyword.validate?.({ types }, new UploadedFile({ name: 'a', filename: 'a', type, size: 1 }, '/tmp/a'));

describe('The types of a file field', () => {
  it.each([
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['IMAGE/PNG', 'image/png; a=b'],
    ['image/png', 'Image/PNG'],
  ])('%s accept %s', (range, type) => {
    expect(accepts(['text/plain', range], type)).toBe(true);
  });

  it.each([
    ['image/*', 'text/plain'],
    ['image/*', 'images/png'],
    ['image/png', 'image/pngx'],
  ])('%s do not accept %s', (range, type) => {
    expect(accepts([range], type)).toBe(false);
  });
});

describe('A file field that may be null', () => {
  const picture = { ...fileField({ types: ['image/png'] }), type: ['string', 'null'] };
  const schema = { type: 'object', properties: { picture } };
  const validators = new Validators();

  it('accepts null, and a form clears it with an empty field', () => {
    expect(validators.forPatch(schema)({ picture: null })).toEqual({ value: { picture: null } });
    expect(validators.forForm(schema, undefined, { isPatch: true })({ picture: '' })).toEqual({
      value: { picture: null },
    });
  });

  it('accepts no other value than a file', () => {
    expect(validators.forPatch(schema)({ picture: 'a' })).toEqual({
      errors: [
        {
          pointer: '/picture',
          keyword: 'x-file',
          message: 'must be null, or a file of the type image/png, in a form (multipart/form-data)',
        },
      ],
    });
  });
});

describe('A member named x-file', () => {
  const validators = new Validators();

  it('is validated like the members next to it', () => {
    const Name = Type.Object({ 'x-file': Type.Optional(Type.String()), name: Type.String({ maxLength: 3 }) });
    const validate = validators.forBody(Type.Object({ of: Name, file: fileField() }, { $defs: { Name } }));
    expect(validate({ of: { name: 'abcdef', 'x-file': 1 }, file: 'a' })).toMatchObject({
      errors: [
        { pointer: '/of/x-file', keyword: 'type' },
        { pointer: '/of/name', keyword: 'maxLength' },
        { pointer: '/file', keyword: 'x-file' },
      ],
    });
  });

  it('may be a query parameter', () => {
    const query = Type.Object(
      { 'x-file': Type.String(), name: Type.String() },
      { additionalProperties: false },
    );
    const validate = validators.forQuery(query, 'refuse');
    expect(validate(new URLSearchParams('name=a&x-file=b'))).toEqual({ value: { name: 'a', 'x-file': 'b' } });
  });
});
