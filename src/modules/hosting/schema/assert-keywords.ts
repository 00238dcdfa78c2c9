import {
  allSubschemas,
  ConfigurationError,
  findCircularReference,
  isSchema,
  printable,
} from '../../../framework';
import type { ServiceDefinition } from '../definition/definition';
import { mapServiceSchemas } from './service-schemas';

/** Keywords of JSON Schema 2020-12 (core 8 to 11, validation 6 to 9), and of the schemas of OpenAPI. */
const KEYWORDS = new Set(
  (
    '$schema $vocabulary $id $anchor $dynamicAnchor $ref $dynamicRef $defs $comment definitions ' +
    'allOf anyOf oneOf not if then else dependentSchemas dependentRequired prefixItems items contains properties ' +
    'patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties ' +
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required ' +
    'format contentEncoding contentMediaType contentSchema title description default deprecated readOnly writeOnly ' +
    'examples example nullable discriminator externalDocs xml hint'
  ).split(' '),
);

/**
 * Rejects schemas without any keyword, such as `{ name: 'string' }`: JSON Schema ignores unknown keywords, so that
 * these would accept every value. Rejects those that refer to themselves, such as `{ $ref: '#' }`.
 * @param where service name, for messages
 * @throws ConfigurationError
 */
export function assertKeywords(definition: ServiceDefinition, where: string): void {
  const assertSchema = (schema: unknown, location: string): unknown => {
    const keys = isSchema(schema) ? Object.keys(schema) : [];
    const [first] = keys;
    if (first === undefined || keys.some((key) => KEYWORDS.has(key) || key.startsWith('x-')))
      return assertEnds(schema, location);
    throw new ConfigurationError(
      `${location} is not a JSON Schema: "${first}" is not a keyword. Declare members in "properties", as Type.Object({ ${first}: … }) does.`,
    );
  };
  mapServiceSchemas(definition, assertSchema, assertSchema, where);
}

function assertEnds(schema: unknown, location: string): unknown {
  if (!isSchema(schema)) return schema;
  const references = allSubschemas(schema).flatMap(({ $ref: one }) => (typeof one === 'string' ? [one] : []));
  const circle = references.length === 0 ? undefined : findCircularReference(schema, references);
  if (circle === undefined) return schema;
  throw new ConfigurationError(
    `${location}: the $ref "${circle[0]}" is circular: ${printable(circle.join(' → '))}. Refer to another schema, or to the schema of a member.`,
  );
}
