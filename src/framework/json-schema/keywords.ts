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
