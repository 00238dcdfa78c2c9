import {
  allSubschemas,
  ConfigurationError,
  findCircularReference,
  hasKeyword,
  printable,
  type SchemaNode,
} from '../../../framework';

/** Keywords of JSON Schema 2020-12 (core 8 to 11, validation 6 to 9), and of the schemas of OpenAPI. */
export const KEYWORDS: ReadonlySet<string> = new Set(
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
 * Rejects a schema without any keyword, such as `{ name: 'string' }`: JSON Schema ignores unknown keywords, so that it
 * would accept every value. Rejects one that refers to itself, such as `{ $ref: '#' }`.
 * @param where location of the schema, for messages
 * @throws ConfigurationError
 */
export function assertSchema(schema: SchemaNode, where: string): void {
  const keys = Object.keys(schema);
  const [first] = keys;
  if (first !== undefined && !keys.some((key) => KEYWORDS.has(key) || key.startsWith('x-'))) {
    throw new ConfigurationError(
      `${where} is not a JSON Schema: "${first}" is not a keyword. Declare members in "properties", as Type.Object({ ${first}: … }) does.`,
    );
  }
  if (hasKeyword(schema, '$ref')) assertEnds(schema, where);
}

function assertEnds(schema: SchemaNode, where: string): void {
  const references = allSubschemas(schema).flatMap(({ $ref: one }) => (typeof one === 'string' ? [one] : []));
  const circle = findCircularReference(schema, references, where);
  if (circle === undefined) return;
  throw new ConfigurationError(
    `${where}: the $ref "${circle[0]}" is circular: ${printable(circle.join(' → '))}. Refer to another schema, or to the schema of a member.`,
  );
}
