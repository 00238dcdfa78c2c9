import { objectOf, isSchema, type Steps } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import type { OpenApiDocument } from '../../documentation-apidesc';
import { swaggerOperation } from './operation';
import { swaggerSchema } from './schema';

/**
 * Converts an OpenAPI 3.1 document of the platform to Swagger 2.0, in steps, as far as Swagger 2.0 can express
 * it.
 *
 * @see https://swagger.io/specification/v2/
 */
export function* swaggerOf(document: OpenApiDocument): Steps<JsonSchema> {
  const { info, servers, tags, paths, components } = document;
  const { schemas, securitySchemes } = components;
  const definitions = isSchema(securitySchemes)
    ? yield* mapValues(securitySchemes, securityDefinition)
    : undefined;
  const isOAuth = (name: string): boolean => objectOf(definitions?.[name]).type === 'oauth2';
  return {
    swagger: '2.0',
    info,
    ...addressOf(servers[0]?.url ?? '/'),
    tags,
    paths: yield* mapValues(paths, (item) => pathItem(item, objectOf(schemas), isOAuth)),
    definitions: yield* mapValues(schemas, swaggerSchema),
    ...(definitions === undefined ? {} : { securityDefinitions: definitions }),
  };
}

/** Scheme and host default to those of the document. */
function addressOf(url: string): JsonSchema {
  if (url.startsWith('/')) return { basePath: url };
  const { protocol, host, pathname } = new URL(url);
  return { host, basePath: pathname, schemes: [protocol.slice(0, -1)] };
}

/** The flows of OAuth 2 in Swagger 2.0, which has one in each definition. */
const FLOWS: ReadonlyMap<string, string> = new Map([
  ['authorizationCode', 'accessCode'],
  ['clientCredentials', 'application'],
  ['password', 'password'],
  ['implicit', 'implicit'],
]);

/** Basic is the only HTTP scheme of Swagger 2.0; others are an `Authorization` header. */
function securityDefinition(scheme: unknown): JsonSchema {
  const { type, description, scheme: http, in: place, name, flows } = objectOf(scheme);
  if (http === 'basic') return { type: 'basic', description };
  if (type === 'apiKey') return { type, in: place, name, description };
  for (const [flow, values] of Object.entries(objectOf(flows))) {
    const { authorizationUrl, tokenUrl, scopes } = objectOf(values);
    const known = FLOWS.get(flow);
    if (known !== undefined) return { type, flow: known, authorizationUrl, tokenUrl, scopes, description };
  }
  return { type: 'apiKey', in: 'header', name: 'Authorization', description };
}

function pathItem(item: unknown, schemas: JsonSchema, isOAuth: (scheme: string) => boolean): JsonSchema {
  if (!isSchema(item)) return {};
  return Object.fromEntries(
    // A Path Item of Swagger 2.0 has no description.
    Object.entries(item).flatMap(([method, operation]): [string, unknown][] =>
      isSchema(operation) ? [[method, swaggerOperation(operation, schemas, isOAuth)]] : [],
    ),
  );
}

function* mapValues(values: unknown, convert: (value: unknown) => unknown): Steps<JsonSchema> {
  const converted: [string, unknown][] = [];
  for (const [name, value] of Object.entries(objectOf(values))) {
    converted.push([name, convert(value)]);
    yield;
  }
  return Object.fromEntries(converted);
}
