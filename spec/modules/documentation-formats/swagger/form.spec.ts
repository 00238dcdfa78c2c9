import { Type } from '@sinclair/typebox';
import { runSync } from '../../../../src/framework';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { JsonSchema, OperationData } from '../../../../src/modules/documentation/model/data';
import { openapiOfApi } from '../../../../src/modules/documentation-apidesc/openapi/document';
import { swaggerOf } from '../../../../src/modules/documentation-formats/swagger/document';
import { swaggerForm } from '../../../../src/modules/documentation-formats/swagger/form';
import { swaggerParameter } from '../../../../src/modules/documentation-formats/swagger/parameters';
import { fileField } from '../../../../src/platform';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data';
const FORM = 'application/x-www-form-urlencoded';

/** Returns the only operation of an API, in Swagger 2.0. */
function operationOf(requestSchema: JsonSchema, contentTypes: readonly string[]): JsonSchema {
  const operation: Partial<OperationData> = {
    httpMethod: 'POST',
    requestSchema,
    contentTypes,
    requestExample: undefined,
  };
  const services = [serviceData({ operations: [operationData(operation)], entityOperations: [] })];
  const document = runSync(swaggerOf(runSync(openapiOfApi(new Api(apiData({ services }))))));
  const [item] = Object.values(document.paths as Record<string, { readonly post: JsonSchema }>);
  return item!.post;
}

const plain = Type.Object({
  name: Type.String({ description: 'What it is called', maxLength: 9 }),
  tags: Type.Optional(Type.Array(Type.String())),
});
const withFile = Type.Object({
  title: Type.Optional(Type.String()),
  picture: fileField({ description: 'How it looks' }),
  more: Type.Optional(Type.Array(fileField())),
});
const inBody = (operation: JsonSchema): unknown[] =>
  (operation.parameters as JsonSchema[]).filter((one) => one.in === 'body' || one.in === 'formData');

it('separates the items of a list by commas in a path, and repeats a parameter of a query', () => {
  const schema = { type: 'array', items: { type: 'integer' } };
  for (const [place, collectionFormat] of [
    ['path', 'csv'],
    ['query', 'multi'],
  ] as const)
    expect(swaggerParameter({ name: 'ids', in: place, schema })).toEqual({
      name: 'ids',
      in: place,
      ...schema,
      collectionFormat,
    });
});

describe('a request body in Swagger 2.0', () => {
  it('has form parameters whose references lead into other schemas', () => {
    const Addr = Type.Object({ count: Type.Integer() }, { description: 'Where it is' });
    const schema = {
      type: 'object',
      properties: { home: { $ref: '#/$defs/Addr' }, count: { $ref: '#/$defs/Addr/properties/count' } },
      $defs: { Addr },
    };
    expect(inBody(operationOf(schema, [FORM]))).toMatchObject([
      { name: 'home' },
      { name: 'count', in: 'formData', type: 'integer' },
    ]);
  });

  it('with files becomes form parameters, even if JSON is accepted too', () => {
    for (const types of [[MULTIPART], [JSON_TYPE, FORM, MULTIPART]]) {
      const operation = operationOf(withFile, types);
      expect(operation.consumes).toEqual([MULTIPART]);
      expect(inBody(operation)).toEqual([
        { name: 'title', in: 'formData', type: 'string' },
        { name: 'picture', in: 'formData', description: 'How it looks', required: true, type: 'file' },
        { name: 'more', in: 'formData', type: 'file' },
      ]);
    }
  });

  it('becomes form parameters if it is always a form', () => {
    const operation = operationOf(plain, [FORM, MULTIPART]);
    expect(operation.consumes).toEqual([FORM, MULTIPART]);
    expect(inBody(operation)).toEqual([
      {
        name: 'name',
        in: 'formData',
        description: 'What it is called',
        required: true,
        type: 'string',
        maxLength: 9,
      },
      { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
    ]);
  });

  it('may have a field whose items refer to the field', () => {
    const Node: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/Node' } };
    const form = swaggerForm([MULTIPART], { properties: { tree: Node } }, (schema) =>
      '$ref' in (schema as JsonSchema) ? Node : (schema as JsonSchema),
    );
    expect(form?.parameters).toMatchObject([{ name: 'tree', in: 'formData', type: 'array' }]);
  });

  it('remains a body if it may be JSON', () => {
    for (const types of [[JSON_TYPE], [JSON_TYPE, FORM]]) {
      const operation = operationOf(plain, types);
      expect(operation.consumes).toEqual(types);
      expect(inBody(operation)).toMatchObject([{ name: 'body', in: 'body', required: true }]);
    }
  });
});
