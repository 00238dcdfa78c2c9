import { isSchema, type Steps } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import type { OpenApiDocument } from '../../documentation-apidesc';
import { swaggerOperation } from './operation';
import { swaggerSchema } from './schema';

/**
 * The Swagger 2.0 document of an OpenAPI 3.1 document of ours, in steps. It says no more than Swagger 2.0 has words
 * for.
 *
 * @see https://swagger.io/specification/v2/
 */
export function* swaggerOf(document: OpenApiDocument): Steps<JsonSchema> {
  const { info, servers, tags, paths, components } = document;
  const { schemas, securitySchemes } = components;
  return {
    swagger: '2.0',
    info,
    // Scheme and host are those by which the document was read.
    basePath: servers[0]?.url ?? '/',
    tags,
    paths: yield* mapValues(paths, (item) => pathItem(item, isSchema(schemas) ? schemas : {})),
    definitions: yield* mapValues(schemas, swaggerSchema),
    ...(isSchema(securitySchemes)
      ? { securityDefinitions: yield* mapValues(securitySchemes, securityDefinition) }
      : {}),
  };
}

/** Of the schemes of HTTP, Swagger 2.0 knows Basic: the others are a field that is called Authorization. */
function securityDefinition(scheme: unknown): JsonSchema {
  const { description, scheme: name } = isSchema(scheme) ? scheme : {};
  if (name === 'basic') return { type: 'basic', description };
  return { type: 'apiKey', in: 'header', name: 'Authorization', description };
}

function pathItem(item: unknown, schemas: JsonSchema): JsonSchema {
  if (!isSchema(item)) return {};
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]): [string, unknown] => [
      method,
      isSchema(operation) ? swaggerOperation(operation, schemas) : operation,
    ]),
  );
}

function* mapValues(values: unknown, convert: (value: unknown) => unknown): Steps<JsonSchema> {
  const converted: [string, unknown][] = [];
  for (const [name, value] of Object.entries(isSchema(values) ? values : {})) {
    converted.push([name, convert(value)]);
    yield;
  }
  return Object.fromEntries(converted);
}
