import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { nullable } from '../../../../../src/modules/hosting/schema/patch/nullable';

describe('The nullable schema', () => {
  it.each([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'], title: 'A letter' },
      { type: ['string', 'null'], enum: ['a', null], title: 'A letter' },
    ],
    [{ const: 1 }, { anyOf: [{ const: 1 }, { type: 'null' }] }],
    [{ $ref: '#/$defs/A' }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
    [{ anyOf: [{ type: 'number' }] }, { anyOf: [{ type: 'number' }, { type: 'null' }] }],
    [
      { type: 'object', not: { required: ['a'] } },
      { anyOf: [{ type: 'object', not: { required: ['a'] } }, { type: 'null' }] },
    ],
  ])('changes %j', (schema, expected) => {
    expect(nullable(schema)).toEqual(expected);
  });

  it.each([
    [{ type: 'null' }],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }],
    [{ description: 'Anything.' }],
    [{}],
    [true],
  ])('leaves %j unchanged', (schema) => {
    expect(nullable(schema)).toBe(schema);
  });

  it('accepts null, and otherwise what the schema accepted', () => {
    const ajv = new Ajv2020({ strict: false });
    const value = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }), fc.boolean());
    const keyword = fc.constantFrom(
      { type: 'string' },
      { enum: ['', 0, true] },
      { const: 1 },
      { minLength: 1 },
      { title: 'A title.' },
      { not: { type: 'boolean' } },
      { anyOf: [{ type: 'integer' }, { maxLength: 1 }] },
    );
    fc.assert(
      fc.property(fc.array(keyword, { maxLength: 4 }), fc.array(value), (keywords, values) => {
        const schema: object = Object.assign({}, ...keywords.map((one) => ({ ...one }))) as object;
        const made = nullable(schema) as object;
        const [before, after] = [ajv.compile(schema), ajv.compile(made)];
        expect(after(null)).toBe(true);
        for (const one of values) expect(after(one)).toBe(before(one));
      }),
    );
  });
});
