import { isObject, listOf, objectOf, ownValue, parseFragment, type JsonObject } from '../../../framework';
import { objectsOf, textOf } from './json';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Where the reusable parts of a document are in OpenAPI 3. */
const PLACES: readonly (readonly [from: string, to: string])[] = [
  ['#/definitions/', '#/components/schemas/'],
  ['#/parameters/', '#/components/parameters/'],
  ['#/responses/', '#/components/responses/'],
];

/** Members of a parameter or header that describe its value, and are those of a schema in OpenAPI 3. */
const VALUE = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'multipleOf', 'uniqueItems'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems'],
];

/** `style` and `explode` for a `collectionFormat`. Tabs have no equivalent. */
const STYLES: Readonly<Record<string, JsonObject>> = {
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

const FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

/** Media types of the requests and responses of an operation. */
interface MediaTypes {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

/**
 * Converts Swagger 2.0 to OpenAPI 3.0. What is not as the specification requires stays as it is, for the messages of the
 * import.
 */
export function fromSwagger(document: JsonObject): JsonObject {
  const { definitions, parameters, responses, securityDefinitions, paths, ...rest } = document;
  const types = mediaTypesOf(document, { consumes: [JSON_TYPE], produces: [JSON_TYPE] });
  const shared = objectOf(parameters);
  const own = Object.entries(shared).filter(([, one]) => isObject(one) && !isBody(one));
  const { swagger: _, host, basePath, schemes, consumes: __, produces: ___, ...kept } = rest;
  return {
    openapi: '3.0.3',
    ...kept,
    ...serversOf(host, basePath, schemes),
    paths: mapObject(paths, (item) => pathItem(item, types, shared)),
    components: {
      schemas: mapObject(definitions, schemaOf),
      parameters: Object.fromEntries(own.map(([name, one]) => [name, parameterOf(objectOf(one))])),
      responses: mapObject(responses, (one) => responseOf(one, types.produces)),
      securitySchemes: mapObject(securityDefinitions, securityScheme),
    },
  };
}

function serversOf(host: unknown, basePath: unknown, schemes: unknown): JsonObject {
  const path = textOf(basePath) === '/' ? '' : textOf(basePath);
  if (textOf(host) === '') return path === '' ? {} : { servers: [{ url: path }] };
  const used = listOf(schemes).length === 0 ? ['https'] : listOf(schemes).map(textOf);
  return { servers: used.map((scheme) => ({ url: `${scheme}://${textOf(host)}${path}` })) };
}

function mediaTypesOf({ consumes, produces }: JsonObject, otherwise: MediaTypes): MediaTypes {
  const typesOf = (value: unknown, fallback: readonly string[]): readonly string[] =>
    Array.isArray(value) && value.length > 0 ? value.map(textOf) : fallback;
  return {
    consumes: typesOf(consumes, otherwise.consumes),
    produces: typesOf(produces, otherwise.produces),
  };
}

function mapObject(value: unknown, map: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, member]) => [name, map(member)]));
}

function pathItem(item: unknown, types: MediaTypes, shared: JsonObject): unknown {
  if (!isObject(item)) return item;
  const ofPath = objectsOf(item.parameters).map((one) => resolve(one, shared));
  return Object.fromEntries(
    Object.entries(item).map(([name, member]) => {
      if (name === 'parameters') return [name, ofPath.filter((one) => !isBody(one)).map(parameterOf)];
      if (!METHODS.has(name) || !isObject(member)) return [name, member];
      return [name, operationOf(member, ofPath, mediaTypesOf(member, types), shared)];
    }),
  );
}

function operationOf(
  operation: JsonObject,
  ofPath: readonly JsonObject[],
  { consumes, produces }: MediaTypes,
  shared: JsonObject,
): JsonObject {
  const { consumes: _, produces: __, schemes: ___, parameters, responses, ...kept } = operation;
  const own = objectsOf(parameters).map((one) => resolve(one, shared));
  const bodies = [...own, ...ofPath].filter(isBody);
  return {
    ...kept,
    ...(own.length === 0 ? {} : { parameters: own.filter((one) => !isBody(one)).map(parameterOf) }),
    ...requestBodyOf(bodies, consumes),
    ...(responses === undefined
      ? {}
      : { responses: mapObject(responses, (one) => responseOf(one, produces)) }),
  };
}

/** A parameter of the document instead of a reference to it. */
function resolve(parameter: JsonObject, shared: JsonObject): JsonObject {
  const reference = textOf(parameter.$ref);
  if (!/^#\/parameters\/[^/]+$/.test(reference)) return parameter;
  const [, name = ''] = parseFragment(reference);
  const found = ownValue(shared, name);
  return isObject(found) ? found : parameter;
}

const isBody = (parameter: JsonObject): boolean => parameter.in === 'body' || parameter.in === 'formData';

function parameterOf(parameter: JsonObject): JsonObject {
  if (parameter.$ref !== undefined) return { $ref: reference(parameter.$ref) };
  const { collectionFormat, ...rest } = parameter;
  const others = Object.entries(rest).filter(([name]) => !VALUE.includes(name));
  const isList = parameter.type === 'array' && parameter.in !== 'path' && parameter.in !== 'header';
  const style = STYLES[textOf(collectionFormat)] ?? { style: 'form', explode: false };
  return { ...Object.fromEntries(others), ...(isList ? style : {}), schema: valueOf(parameter) };
}

/** The schema of a parameter, header or form field. */
function valueOf(value: JsonObject): unknown {
  return schemaOf(Object.fromEntries(Object.entries(value).filter(([name]) => VALUE.includes(name))));
}

/** @param bodies the first wins: those of the operation are before those of its path */
function requestBodyOf(bodies: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const body = bodies.find((one) => one.in === 'body');
  if (body !== undefined) {
    const { description, required, schema } = body;
    const content = Object.fromEntries(consumes.map((type) => [type, { schema: schemaOf(schema) }]));
    return { requestBody: { ...(description === undefined ? {} : { description }), required, content } };
  }
  if (bodies.length === 0) return {};
  const fields = [
    ...new Map([...bodies].reverse().map((one) => [textOf(one.name), one])).entries(),
  ].reverse();
  const properties = Object.fromEntries(
    fields.map(([name, field]) => {
      const { description } = field;
      return [name, { ...objectOf(valueOf(field)), ...(description === undefined ? {} : { description }) }];
    }),
  );
  const required = fields.filter(([, field]) => field.required === true).map(([name]) => name);
  const hasFile = fields.some(([, field]) => field.type === 'file');
  const types = consumes.filter((type) => type === MULTIPART || (type === FORM && !hasFile));
  const schema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  const used = types.length > 0 ? types : [hasFile ? MULTIPART : FORM];
  return {
    requestBody: {
      required: required.length > 0,
      content: Object.fromEntries(used.map((type) => [type, { schema }])),
    },
  };
}

function responseOf(response: unknown, produces: readonly string[]): unknown {
  if (!isObject(response)) return response;
  if (response.$ref !== undefined) return { $ref: reference(response.$ref) };
  const { schema, headers, examples, ...kept } = response;
  const samples = objectOf(examples);
  const types =
    schema === undefined ? Object.keys(samples) : [...new Set([...produces, ...Object.keys(samples)])];
  const content = types.map((type) => [
    type,
    {
      ...(schema === undefined ? {} : { schema: schemaOf(schema) }),
      ...(type in samples ? { example: samples[type] } : {}),
    },
  ]);
  return {
    ...kept,
    ...(headers === undefined ? {} : { headers: mapObject(headers, headerOf) }),
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) as JsonObject }),
  };
}

function headerOf(header: unknown): unknown {
  if (!isObject(header)) return header;
  const { description } = header;
  return { ...(description === undefined ? {} : { description }), schema: valueOf(header) };
}

/** Keywords with a schema or a list of them, also of those that Swagger 2.0 does not have, but documents use. */
const SCHEMAS: readonly string[] = ['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not'];
const MAPS: readonly string[] = ['properties', 'patternProperties'];

/** A schema with the references and keywords of OpenAPI 3.0. Examples and defaults are not schemas. */
function schemaOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaOf);
  if (!isObject(schema)) return schema;
  if (schema.type === 'file') return { ...schema, type: 'string', format: 'binary' };
  // That of lists in lists, which OpenAPI 3 does not have.
  const { 'x-nullable': isNullable, collectionFormat: _, discriminator, ...rest } = schema;
  const converted = Object.entries(rest).map(([name, member]) => {
    if (name === '$ref') return [name, reference(member)];
    if (MAPS.includes(name)) return [name, mapObject(member, schemaOf)];
    return [name, SCHEMAS.includes(name) ? schemaOf(member) : member];
  });
  return {
    ...(Object.fromEntries(converted) as JsonObject),
    ...(isNullable === true ? { nullable: true } : {}),
    ...(typeof discriminator === 'string' ? { discriminator: { propertyName: discriminator } } : {}),
  };
}

function reference(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const place = PLACES.find(([from]) => value.startsWith(from));
  return place === undefined ? value : place[1] + value.slice(place[0].length);
}

function securityScheme(scheme: unknown): unknown {
  if (!isObject(scheme)) return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, ...kept } = scheme;
  if (scheme.type === 'basic') return { ...kept, type: 'http', scheme: 'basic' };
  if (scheme.type !== 'oauth2') return scheme;
  const urls = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
  };
  return { ...kept, flows: { [FLOWS[textOf(flow)] ?? textOf(flow)]: { ...urls, scopes: objectOf(scopes) } } };
}
