import { dereference, objectOf, listOf } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { swaggerForm, type Form } from './form';
import { swaggerHeader, swaggerParameter } from './parameters';
import { swaggerSchema } from './schema';

/**
 * Converts an Operation Object of OpenAPI 3.1 to Swagger 2.0.
 * @param schemas the component schemas that it refers to
 * @param isOAuth whether a security scheme is one of OAuth 2, the only ones with scopes
 */
export function swaggerOperation(
  operation: JsonSchema,
  schemas: JsonSchema,
  isOAuth: (scheme: string) => boolean,
): JsonSchema {
  const { operationId, tags, summary, description, deprecated, security } = operation;
  const body = objectOf(operation.requestBody);
  const types = Object.keys(objectOf(body.content));
  const form = formOf(types, body, schemas);
  const consumes = form?.consumes ?? types;
  const responses = Object.entries(objectOf(operation.responses));
  const produces = [...new Set(responses.flatMap(([code, response]) => typesOf(code, objectOf(response))))];
  const parameters = [
    ...listOf(operation.parameters).map((parameter) => swaggerParameter(objectOf(parameter))),
    ...(form?.parameters ?? (types.length === 0 ? [] : [bodyParameter(body)])),
  ];
  return {
    operationId,
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(consumes.length === 0 ? {} : { consumes }),
    ...(produces.length === 0 ? {} : { produces }),
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.fromEntries(
      responses.map(([code, response]) => [code, swaggerResponse(objectOf(response))]),
    ),
    security: swaggerSecurity(listOf(security), isOAuth),
  };
}

/** Requirements of schemes without scopes have an empty list in Swagger 2.0 (Security Requirement Object). */
function swaggerSecurity(
  requirements: readonly unknown[],
  isOAuth: (scheme: string) => boolean,
): readonly unknown[] {
  const converted = requirements.map((requirement) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(objectOf(requirement)).map(([name, scopes]) => [name, isOAuth(name) ? scopes : []]),
      ),
    ),
  );
  return [...new Set(converted)].map((text): unknown => JSON.parse(text));
}

/** Omits the HTML of error pages, which would be listed for every response. */
function typesOf(code: string, { content }: JsonSchema): readonly string[] {
  return Object.keys(objectOf(content)).filter((type) => type !== 'text/html' || code < '400');
}

function formOf(types: readonly string[], body: JsonSchema, schemas: JsonSchema): Form | undefined {
  const root = { components: { schemas } };
  const resolve = (schema: unknown): JsonSchema => dereference(root, schema);
  const [media] = Object.values(objectOf(body.content));
  return swaggerForm(types, resolve(objectOf(media).schema), resolve);
}

/** Swagger 2.0 has one schema for all media types. */
function bodyParameter(body: JsonSchema): JsonSchema {
  const [media] = Object.values(objectOf(body.content));
  return {
    name: 'body',
    in: 'body',
    ...(typeof body.description === 'string' ? { description: body.description } : {}),
    required: body.required === true,
    schema: swaggerSchema(objectOf(media).schema),
  };
}

function swaggerResponse({ description, content, headers }: JsonSchema): JsonSchema {
  const media = Object.entries(objectOf(content));
  const [first] = media;
  const schema = first === undefined ? undefined : objectOf(first[1]).schema;
  const examples = media.flatMap(([type, one]) => {
    const { example } = objectOf(one);
    return example === undefined ? [] : [[type, example] as const];
  });
  const fields = Object.entries(objectOf(headers));
  return {
    description,
    ...(schema === undefined ? {} : { schema: swaggerSchema(schema) }),
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
    ...(fields.length === 0
      ? {}
      : { headers: Object.fromEntries(fields.map(([name, header]) => [name, swaggerHeader(header)])) }),
  };
}
