import { Type } from '@sinclair/typebox';
import { runSync } from '../../../../src/framework';
import { compareApis } from '../../../../src/modules/documentation/compare/compare';
import { constraintChanges } from '../../../../src/modules/documentation/compare/constraints';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { JsonSchema, OperationData } from '../../../../src/modules/documentation/model/data';
import { fieldsFromSchema } from '../../../../src/modules/documentation/model/fields-from-schema';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const text = { type: 'string' };
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const literals = (...values: string[]) =>
  Type.Union([...values.map((value) => Type.Literal(value)), Type.Null()]);
const constants = (...values: string[]): JsonSchema => ({
  oneOf: values.map((value) => ({ const: value, title: value })),
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

describe('the constraints of two schemas', () => {
  it.each<[string, JsonSchema, JsonSchema, string]>([
    [
      'a nullable value',
      nullable({ ...text, maxLength: 100 }),
      nullable({ ...text, maxLength: 10 }),
      'maxLength: 100 → 10 narrower',
    ],
    ['a nullable choice', literals('a', 'b'), literals('a'), 'values: "a", "b", null → "a", null narrower'],
    ['a oneOf of constants', constants('a', 'b'), constants('a'), 'values: "a", "b" → "a" narrower'],
    [
      'allOf',
      { allOf: [text, { maxLength: 9 }] },
      { allOf: [text, { maxLength: 5 }], maxLength: 7 },
      'maxLength: 9 → 5 narrower',
    ],
    [
      'a reference',
      { $ref: '#/$defs/Name', $defs: { Name: { ...text, pattern: 'a' } } },
      { $ref: '#/$defs/Name', $defs: { Name: text } },
      'pattern: a → none wider',
    ],
    ['items', list({ enum: ['a', 'b'] }), list({ enum: ['a'] }), 'items: values: "a", "b" → "a" narrower'],
    [
      'nested items, by reference',
      { ...list(list({ $ref: '#/$defs/Size' })), $defs: { Size: { type: 'integer', minimum: 1 } } },
      { ...list(list({ $ref: '#/$defs/Size' })), $defs: { Size: { type: 'integer', minimum: 2 } } },
      'items: items: minimum: 1 → 2 narrower',
    ],
    [
      'the values of a map',
      { type: 'object', additionalProperties: { ...text, maxLength: 9 } },
      { type: 'object', additionalProperties: { ...text, maxLength: 5 } },
      'map values: maxLength: 9 → 5 narrower',
    ],
    [
      'an alternative',
      {
        anyOf: [
          { ...text, maxLength: 9 },
          { type: 'integer', minimum: 1 },
        ],
      },
      {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { ...text, maxLength: 5 },
        ],
      },
      'string: maxLength: 9 → 5 narrower',
    ],
    [
      'an alternative of items, by reference',
      {
        ...list({ oneOf: [{ $ref: '#/$defs/Size' }, text] }),
        $defs: { Size: { type: 'integer', minimum: 1 } },
      },
      {
        ...list({ oneOf: [{ $ref: '#/$defs/Size' }, text] }),
        $defs: { Size: { type: 'integer', minimum: 2 } },
      },
      'items: integer: minimum: 1 → 2 narrower',
    ],
    [
      'undeclared members',
      { type: 'object' },
      { type: 'object', additionalProperties: false },
      'additionalProperties: none → false narrower',
    ],
  ])('differ in %s', (_, before, after, expected) => {
    const changes = constraintChanges(before, after);
    expect(changes.map(({ text: change, direction }) => `${change} ${direction}`)).toEqual([expected]);
    expect(constraintChanges(before, before)).toEqual([]);
    expect(constraintChanges(after, before)).toHaveLength(1);
  });

  it('are compared for a schema that contains itself', () => {
    const tree = (minItems: number): JsonSchema => ({ type: 'array', items: { $ref: '#' }, minItems });
    expect(constraintChanges(tree(1), tree(1))).toEqual([]);
    expect(constraintChanges(tree(1), tree(2)).length).toBeGreaterThan(0);
    const union = (minItems: number): JsonSchema => ({ anyOf: [text, list({ $ref: '#' }), { minItems }] });
    expect(constraintChanges(union(1), union(2)).length).toBeGreaterThan(0);
    const anything = (maxLength: number): JsonSchema => ({
      anyOf: [
        { type: 'string', maxLength },
        { type: 'integer' },
        list({ $ref: '#' }),
        { type: 'object', additionalProperties: { $ref: '#' } },
      ],
    });
    expect(constraintChanges(anything(9), anything(5)).map(({ text: change }) => change)).toEqual([
      'string: maxLength: 9 → 5',
    ]);
  });

  it('are compared for alternatives whose types are in another order', () => {
    const either = (type: readonly string[], maxLength: number): JsonSchema => ({
      anyOf: [{ type, maxLength }, { type: 'integer' }],
    });
    expect(
      constraintChanges(either(['string', 'null'], 9), either(['null', 'string'], 5)).map(
        ({ direction }) => direction,
      ),
    ).toEqual(['narrower']);
  });
});

describe('the bodies of two versions', () => {
  const apiOf = (operation: Partial<OperationData>): Api =>
    new Api(apiData({ services: [serviceData({ operations: [operationData(operation)] })] }));
  const sends = (requestSchema: JsonSchema | null): Api =>
    apiOf({
      httpMethod: 'POST',
      requestSchema,
      fields: requestSchema === null ? [] : fieldsFromSchema(requestSchema),
    });
  const returns = (responseSchema: JsonSchema | null): Api => apiOf({ responseSchema });
  const object = { type: 'object', properties: { a: text } };

  it.each<[string, Api, Api, readonly string[]]>([
    [
      'the values of a text',
      sends({ enum: ['a', 'b'] }),
      sends({ enum: ['a'] }),
      ['changed request body (values: "a", "b" → "a") breaking'],
    ],
    [
      'members that are not declared',
      sends(object),
      sends({ ...object, additionalProperties: false }),
      ['changed request body (additionalProperties: none → false) breaking'],
    ],
    [
      'a list instead of an object',
      returns(object),
      returns(list(object)),
      ['changed response body (object → array of object) breaking'],
    ],
    ['a new text', sends(null), sends(text), ['added request body (string, required) breaking']],
    ['a new object', sends(null), sends(object), ['added request field a (string)']],
    ['a removed text', returns(text), returns(null), ['removed response body (string) breaking']],
  ])('differ in %s', (_, before, after, expected) => {
    const changes = runSync(compareApis(before, after));
    expect(
      changes.map(({ kind, subject, name, detail, breaking }) =>
        [kind, subject, name, `(${detail})`, breaking ? 'breaking' : ''].filter(Boolean).join(' '),
      ),
    ).toEqual(expected);
  });

  it('differ in the items of a query parameter', () => {
    const filter = (values: readonly string[]): Api =>
      apiOf({
        queryParameters: [
          { name: 'status', in: 'query', description: '', required: false, schema: list({ enum: values }) },
        ],
      });
    expect(runSync(compareApis(filter(['a', 'b']), filter(['a'])))).toMatchObject([
      { subject: 'parameter', name: 'status', detail: 'items: values: "a", "b" → "a"', breaking: true },
    ]);
  });
});
