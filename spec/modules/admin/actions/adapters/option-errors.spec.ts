import { Type } from '@sinclair/typebox';
import { optionErrors } from '../../../../../src/modules/admin/actions/adapters/option-errors';

const schema = Type.Object({
  realm: Type.String({ pattern: '^[^"]+$' }),
  host: Type.Optional(Type.String({ format: 'hostname' })),
  name: Type.Optional(Type.String({ pattern: '^[a-z]+$', hint: 'Write lower-case letters.' })),
});

describe('the errors of the options of an adapter', () => {
  it('say that a field was left empty, instead of which pattern an empty text does not match', () => {
    expect(optionErrors(schema, { realm: '', host: '' })).toEqual([
      { pointer: '/options/realm', message: 'Must not be empty.' },
      { pointer: '/options/host', message: 'Must not be empty.' },
    ]);
  });

  it('quote the pattern of a field that was filled in', () => {
    expect(optionErrors(schema, { realm: 'a "quote"' })).toEqual([
      { pointer: '/options/realm', message: 'This must match pattern "^[^"]+$".' },
    ]);
  });

  it('prefer the hint of the schema', () => {
    expect(optionErrors(schema, { realm: 'Club', name: '' })).toEqual([
      { pointer: '/options/name', message: 'Write lower-case letters.' },
    ]);
  });
});
