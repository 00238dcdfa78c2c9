import fc from 'fast-check';
import { SchemaCompiler } from '../../../../src/modules/content-validation/compile/schema-compiler';

const NAME = { type: 'object', properties: { name: { type: 'string', maxLength: 3 } }, required: ['name'] };

describe('SchemaCompiler', () => {
  it('compiles equal schemas once', () => {
    const compiler = new SchemaCompiler({});
    const validators = [NAME, structuredClone(NAME)].map((schema) => compiler.compile(schema)());
    expect(validators[0]).toBe(validators[1]);
  });

  it('compiles schemas that differ separately', () => {
    const compiler = new SchemaCompiler({});
    const leaf = fc.constantFrom<object>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'integer', minimum: 1 },
      { const: null },
      { const: 'null' },
      { enum: [1, '1'] },
    );
    const schema = fc.oneof(
      leaf,
      leaf.map((items) => ({ type: 'array', items })),
      leaf.map((a) => ({ type: 'object', properties: { a }, required: ['a'] })),
    );
    const value = fc.oneof(
      fc.constantFrom<unknown>(null, 'null', 0, 1, '1', 1.5),
      fc.constantFrom<unknown>([], [1], ['1'], {}, { a: 1 }, { a: null }),
    );
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const alone = new SchemaCompiler({}).compile(one)();
        expect(compiler.compile(one)().accepts(given)).toBe(alone.accepts(given));
      }),
    );
  });

  it.each([
    ['a number that JSON cannot represent', { default: Infinity }, { default: null }],
    ['a function', { default: () => 'a' }, {}],
    ['a bigint', { default: 1n }, { default: 1 }],
  ])('does not confuse %s with its JSON form', (_, odd, plain) => {
    const compiler = new SchemaCompiler({ useDefaults: true });
    const schemaOf = (member: object): object => ({ type: 'object', properties: { a: member } });
    const make = (member: object) => compiler.compile(schemaOf(member))();
    expect(make(plain)).toBe(make(plain));
    let oddly: unknown;
    try {
      oddly = make(odd);
    } catch {
      // A schema that cannot be compiled is not shared either.
    }
    expect(oddly).not.toBe(make(plain));
  });

  it('rejects an invalid schema immediately', () => {
    expect(() => new SchemaCompiler({}).compile({ type: 'txt' })).toThrow(
      'type is "txt"; allowed: array, boolean, ',
    );
  });
});
