import { swaggerParameter } from '../../../../src/modules/documentation-formats/swagger/parameters';
import { swaggerSchema } from '../../../../src/modules/documentation-formats/swagger/schema';

it.each([
  [{ type: ['string', 'null'] }, { type: 'string', 'x-nullable': true }],
  [{ type: ['string', 'integer'] }, {}],
  [{ const: 'a' }, { enum: ['a'] }],
  [
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
  ],
  [{ type: 'array' }, { type: 'array', items: {} }],
  [
    { type: 'string', examples: ['x', 'y'] },
    { type: 'string', example: 'x' },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'D' },
    { type: 'string', description: 'D', 'x-nullable': true },
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, {}],
  [{ $ref: '#/components/schemas/Visit', description: 'D' }, { $ref: '#/definitions/Visit' }],
  [
    { anyOf: [{ $ref: '#/components/schemas/Visit' }, { type: 'null' }] },
    { allOf: [{ $ref: '#/definitions/Visit' }], 'x-nullable': true },
  ],
  [
    {
      type: 'object',
      properties: { a: { const: 1 } },
      additionalProperties: { type: ['number', 'null'] },
      required: ['a'],
    },
    {
      type: 'object',
      required: ['a'],
      properties: { a: { enum: [1] } },
      additionalProperties: { type: 'number', 'x-nullable': true },
    },
  ],
  [
    { anyOf: [{ $ref: '#/components/schemas/Visit' }, { type: 'null' }], description: 'D' },
    { allOf: [{ $ref: '#/definitions/Visit' }], description: 'D', 'x-nullable': true },
  ],
  [
    { type: 'object', patternProperties: { '^(.*)$': { type: 'integer' } } },
    { type: 'object', additionalProperties: { type: 'integer' } },
  ],
  [
    {
      type: 'object',
      patternProperties: { '^[a-z]$': { type: 'integer' } },
      additionalProperties: false,
    },
    { type: 'object', additionalProperties: { type: 'integer' } },
  ],
  [{ type: 'object', patternProperties: { '^[a-z]$': { type: 'integer' } } }, { type: 'object' }],
  [
    { type: 'object', patternProperties: { a: {}, b: { type: 'string' } }, additionalProperties: false },
    { type: 'object' },
  ],
  [{ type: 'object', required: [] }, { type: 'object' }],
  [{ enum: ['a', 'a', null] }, { enum: ['a', null] }],
  [
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    { type: 'array', items: {} },
  ],
  [true, {}],
])('converts %j to Swagger 2.0', (schema, expected) => {
  expect(JSON.parse(JSON.stringify(swaggerSchema(schema)))).toEqual(expected);
});

it('writes the values of a parameter without a single type as texts', () => {
  const schema = { anyOf: [{ type: 'integer' }, { const: 'all' }], enum: [1, 'all'], default: 1 };
  expect(swaggerParameter({ name: 'n', in: 'query', schema })).toEqual({
    name: 'n',
    in: 'query',
    type: 'string',
    enum: ['1', 'all'],
    default: '1',
  });
  const nullable = { enum: ['1', 1, null], default: null };
  expect(swaggerParameter({ name: 'n', in: 'query', schema: nullable })).toEqual({
    name: 'n',
    in: 'query',
    type: 'string',
    enum: ['1'],
  });
});
