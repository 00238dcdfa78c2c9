import { setImmediate as endOfTurn } from 'node:timers/promises';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { isObviouslyValidSchema } from '../../../../src/modules/content-validation/compile/obviously-valid-schema';
import { Type } from '../../../../src/platform';

const metaschema = addFormats(new Ajv2020({ strict: false }));

const value = fc.oneof(
  fc.constantFrom('string', 'number', 'object', '[a-z]+', '(', '*', '', 'date'),
  fc.constantFrom(-1, 0, 1, 1.5, Number.MAX_SAFE_INTEGER, true, false, null),
  fc.constantFrom([], ['string'], ['string', 'null'], ['a', 'a'], [1], {}),
);
const keyword = fc.constantFrom(
  ...[
    'type',
    'title',
    'format',
    'default',
    'const',
    'enum',
    'examples',
    'deprecated',
    'minimum',
    'multipleOf',
  ],
  ...[
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'uniqueItems',
    'required',
    'additionalProperties',
    'x-note',
    'secret',
    'discriminator',
    'example',
  ],
  ...['$ref', '$id', '$defs', 'if', 'dependentRequired', 'propertyNames', 'contentMediaType'],
);
const { schema } = fc.letrec<{ schema: unknown; map: unknown; list: unknown }>((tie) => ({
  map: fc.dictionary(fc.constantFrom('a', 'b', '^c', '('), tie('schema'), { maxKeys: 2 }),
  list: fc.array(tie('schema'), { maxLength: 2 }),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.dictionary(keyword, value, { maxKeys: 3 }),
    fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#/$defs/^c', '#', '#/properties/a') }),
    fc.record(
      {
        type: value,
        properties: tie('map'),
        patternProperties: tie('map'),
        items: tie('schema'),
        prefixItems: tie('list'),
        anyOf: tie('list'),
        allOf: tie('list'),
        not: tie('schema'),
        contains: tie('schema'),
        $defs: tie('map'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

describe('an obviously valid schema', () => {
  it('is valid by the metaschema of JSON Schema, and compiles', () => {
    let plain = 0;
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
    fc.assert(
      fc.property(schema, (made) => {
        if (!isObviouslyValidSchema(made)) return;
        plain++;
        expect([made, metaschema.validateSchema(made as object)]).toEqual([made, true]);
        expect(() => ajv.compile(made as object)).not.toThrow();
        ajv.removeSchema();
      }),
      { numRuns: 4_000 },
    );
    expect(plain).toBeGreaterThan(300);
  });

  it('is what TypeBox creates for common declarations', () => {
    const country = Type.Object(
      {
        code: Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'] }),
        area: Type.Optional(Type.Number({ minimum: 0 })),
        kinds: Type.Array(Type.Union([Type.Literal('x'), Type.Null()]), { uniqueItems: true }),
        more: Type.Record(Type.String(), Type.Integer()),
      },
      { additionalProperties: false },
    );
    expect(isObviouslyValidSchema(country)).toBe(true);
  });

  it('may have the annotations of OpenAPI', () => {
    const pet = {
      type: 'object',
      discriminator: { propertyName: 'kind' },
      example: { kind: 'cat' },
      externalDocs: { url: 'https://example.org' },
      xml: { name: 'pet' },
    };
    expect(isObviouslyValidSchema(pet)).toBe(true);
  });

  it('is checked once as far as another one has the same members', () => {
    let reads = 0;
    const properties = {
      get name() {
        reads++;
        return { type: 'string' };
      },
    };
    const schemas = [{ properties }, { properties, required: ['name'] }, { properties, required: 'name' }];
    expect(schemas.map((one) => isObviouslyValidSchema(one))).toEqual([true, true, false]);
    expect(reads).toBe(1);
  });

  it('may have members that are valid only together with its definitions', () => {
    const properties = { inner: { $ref: '#/$defs/Tree' } };
    const $defs = { Tree: { type: 'object' } };
    const schemas = [{ properties }, { properties, $defs }, { properties }];
    expect(schemas.map((one) => isObviouslyValidSchema(one))).toEqual([false, true, false]);
  });

  it.each(['constructor', 'valueOf', 'hasOwnProperty'])('has no keyword %s', (keyword) => {
    expect(isObviouslyValidSchema({ [keyword]: 1 })).toBe(false);
  });

  it('may refer to its own definitions', () => {
    const tree = { type: 'object', properties: { inner: { $ref: '#/$defs/Tree' } } };
    expect(isObviouslyValidSchema({ $ref: '#/$defs/Tree', $defs: { Tree: tree } })).toBe(true);
    expect(
      isObviouslyValidSchema({ type: 'array', items: { $ref: '#/$defs/Tree' }, $defs: { Tree: tree } }),
    ).toBe(true);
  });

  it('must not refer to another schema', () => {
    expect(isObviouslyValidSchema({ $ref: '#/$defs/b', $defs: { a: {} } })).toBe(false);
    expect(isObviouslyValidSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' } } })).toBe(false);
    expect(isObviouslyValidSchema({ properties: { a: { $ref: '#/$defs/a', $defs: { a: {} } } } })).toBe(
      false,
    );
    expect(isObviouslyValidSchema({ $ref: '#/$defs/toString', $defs: {} })).toBe(false);
    expect(isObviouslyValidSchema({ $ref: '#/$defs/a' })).toBe(false);
    expect(isObviouslyValidSchema({ properties: { a: { $id: 'a' } } })).toBe(false);
  });
});

it('validates references within an object against the definitions around it, in any order', () => {
  const one = { properties: { a: { $ref: '#/$defs/a' } } };
  const defined = { properties: { one }, $defs: { a: { type: 'string' } } };
  expect([one, defined, one, defined].map((schema) => isObviouslyValidSchema(schema))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

it('finds a name that a long list requires twice', () => {
  const names = Array.from({ length: 40 }, (_, at) => `member${at}`);
  expect(isObviouslyValidSchema({ required: names })).toBe(true);
  expect(isObviouslyValidSchema({ required: [...names, 'member7'] })).toBe(false);
});

it('validates a schema again that was modified after an earlier start', async () => {
  const name: Record<string, unknown> = { type: 'string' };
  const schema = { properties: { name } };
  expect(isObviouslyValidSchema(schema)).toBe(true);
  await endOfTurn();
  name.pattern = '(';
  expect(isObviouslyValidSchema(schema)).toBe(false);
});
