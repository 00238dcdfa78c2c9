import { Api } from '../../../../src/modules/documentation/model/api';
import type { JsonSchema } from '../../../../src/modules/documentation/model/data';
import { typeText } from '../../../../src/modules/documentation/model/schema/type-text';
import type { Service } from '../../../../src/modules/documentation/model/service';
import { docResponses } from '../../../../src/modules/documentation/view-helpers/responses';
import { docSchemas } from '../../../../src/modules/documentation/view-helpers/service-schemas';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const text = { type: 'string' };
const Pet: JsonSchema = { type: 'object', properties: { name: text, owner: { $ref: '#/$defs/Owner' } } };
const Owner: JsonSchema = { type: 'object', properties: { name: text, code: { $ref: '#/$defs/Code' } } };
const Code: JsonSchema = { type: 'string', minLength: 2 };
const $defs = { Pet, Owner, Code };
const pet: JsonSchema = { $ref: '#/$defs/Pet', $defs };
const pets: JsonSchema = { type: 'array', items: { $ref: '#/$defs/Pet' }, $defs };

function serviceOf(schemas: readonly JsonSchema[], more: Parameters<typeof serviceData>[0] = {}): Service {
  const operations = schemas.map((responseSchema) => operationData({ responseSchema }));
  return new Api(apiData({ services: [serviceData({ operations, ...more })] })).getServices()[0]!;
}

describe('the schemas of a page', () => {
  it('are described once if several operations refer to them', () => {
    const schemas = docSchemas(serviceOf([pet, pets]));
    expect(schemas.names).toEqual(['Pet']);
    expect(schemas.describe(pet)).toMatchObject({ isReference: true, link: '#schema-Pet' });
    expect(typeText(schemas.describe(pets))).toBe('array of Pet');
    const { id, schema } = schemas.shared('Pet');
    expect([id, schema.members.map(({ name }) => name)]).toEqual(['schema-Pet', ['name', 'owner']]);
  });

  it('are described inline if they are used once or are simple', () => {
    expect(docSchemas(serviceOf([pet])).names).toEqual([]);
    expect(docSchemas(serviceOf([Code, Code].map(() => ({ $ref: '#/$defs/Code', $defs })))).names).toEqual(
      [],
    );
  });

  it('are described inline if several schemas have the same name', () => {
    const other = { ...pet, $defs: { ...$defs, Pet: { ...Pet, required: ['name'] } } };
    expect(docSchemas(serviceOf([pet, other])).names).not.toContain('Pet');
  });

  it('link to the fields of the service', () => {
    const schema = { type: 'object', properties: { name: text } };
    const service = serviceOf([{ type: 'array', items: { ...schema, description: 'One.' } }], {
      name: 'Thing',
      schema,
    });
    const { items } = docSchemas(service).describe(service.getOperations()[0]!.getResponseSchema()!);
    expect(items).toMatchObject({ name: 'Thing', link: '#fields', isReference: true });
    expect(docSchemas(service).fields()?.members).toHaveLength(1);
  });
});

describe('the responses of an operation', () => {
  const operation = operationData({
    responseSchema: pet,
    responseSchemas: [{ code: 202, schema: pets }],
    responseHeaders: [{ name: 'ETag', description: '', codes: [200] }],
    responseStatusCodes: [200, 202, 204, 400, 401, 404].map((code) => ({ code, message: 'So' })),
  });
  const service = new Api(
    apiData({ services: [serviceData({ operations: [operation] })] }),
  ).getServices()[0]!;
  const responses = docResponses(service, service.getOperations()[0]!);
  const at = (code: number) => responses.find((one) => one.code === code)!;

  it('have the schema, headers and media types of their status', () => {
    expect(typeText(at(200).schema!)).toBe('Pet');
    expect(typeText(at(202).schema!)).toBe('array of Pet');
    expect([at(204).schema, at(204).mediaTypes]).toEqual([undefined, []]);
    expect([200, 202].map((code) => at(code).headers.map(({ name }) => name))).toEqual([['ETag'], []]);
    expect(at(404).mediaTypes).toEqual(['application/problem+json']);
  });

  it('list the possible errors of the platform', () => {
    expect(at(200).problems).toEqual([]);
    expect(at(404).problems).toEqual(['entity_not_found']);
    expect(at(401).problems).toEqual(['unauthorized']);
    expect(at(400).problems).toEqual(['bad_target', 'versions_disagree', 'bad_query']);
  });

  it('list those of pages of a QUERY, of parameters of the path, and of files', () => {
    const operations = [
      operationData({
        httpMethod: 'POST',
        subpath: '/query',
        requestSchema: { type: 'object', properties: { page: { type: 'integer' } } },
        contentTypes: ['multipart/form-data'],
        responseStatusCodes: [404, 409, 507].map((code) => ({ code, message: 'So' })),
      }),
    ];
    const routeParameters = [
      { name: 'of', in: 'path', description: '', required: true, schema: { type: 'integer' } } as const,
    ];
    const rpc = { kind: 'rpc', routeIdentifierName: null, operations, routeParameters } as const;
    const [given] = new Api(apiData({ services: [serviceData(rpc)] })).getServices();
    expect(docResponses(given!, given!.getOperations()[0]!).map(({ problems }) => problems)).toEqual([
      ['route_not_found'],
      ['page_not_found'],
      ['cannot_write'],
    ]);
  });
});
