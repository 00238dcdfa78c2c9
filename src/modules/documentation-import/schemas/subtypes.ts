import { listOf, objectOf, type JsonObject } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import type { DocumentReferences, Subtype } from '../document/references';
import type { ImportWarnings } from '../import-warnings';

/** Values in the conditions of a schema's subtypes: the compilation of more takes seconds. */
const MAX_CONDITIONS = 200;

/** What the conversion of schemas provides. */
export interface SubtypeParts {
  readonly references: DocumentReferences;
  readonly warnings: ImportWarnings;
  /** The reference to the shared schema of a subtype. */
  readonly targetOf: (subtype: Subtype) => string;
  readonly convert: (schema: JsonObject, pointer: string) => JsonSchema;
}

/**
 * Adds the schemas that extend a schema with a discriminator by `allOf` (OpenAPI 3.1.1, 4.8.24.1): to its mapping, by
 * their names, and what they declare under the condition that a value has the name or a mapped value of such a schema.
 * @param own the converted schema
 */
export function withSubtypes(
  schema: JsonObject,
  own: JsonSchema,
  pointer: string,
  parts: SubtypeParts,
): JsonSchema {
  const { references, warnings, targetOf } = parts;
  const { discriminator, allOf, oneOf, anyOf } = own;
  const { propertyName } = objectOf(discriminator);
  const subtypes = references.subtypesOf(schema);
  // A union lists its schemas itself.
  const isUnion = oneOf !== undefined || anyOf !== undefined;
  if (typeof propertyName !== 'string' || subtypes.length === 0 || isUnion) return own;
  const mapping = objectOf(objectOf(discriminator).mapping);
  const valuesOf = (one: Subtype): readonly string[] => {
    const target = targetOf(one);
    const mapped = Object.keys(mapping).filter((value) => mapping[value] === target);
    return Object.hasOwn(mapping, one.name) ? mapped : [...mapped, one.name];
  };
  const named = Object.fromEntries(
    subtypes
      .filter((one) => !Object.values(mapping).includes(targetOf(one)))
      .map((one) => [one.name, targetOf(one)]),
  );
  const mapped = {
    ...own,
    discriminator: { ...objectOf(discriminator), mapping: { ...named, ...mapping } },
  };
  const belowEach = subtypes.map((one) => [one, ...references.subtypesOf(one.schema)]);
  if (belowEach.reduce((sum, below) => sum + below.length, 0) > MAX_CONDITIONS) {
    warnings.add('members of many subtypes (they are not checked)', pointer);
    return mapped;
  }
  const values = new Map(subtypes.map((one) => [one.reference, valuesOf(one)]));
  const family = new Set([schema, ...subtypes.map((one) => one.schema)]);
  const conditions = subtypes.map((one, at) => {
    const all = new Set(belowEach[at]?.flatMap(({ reference }) => values.get(reference) ?? []));
    return {
      if: { properties: { [propertyName]: { enum: [...all] } }, required: [propertyName] },
      then: ownPart(one, family, parts),
    };
  });
  return { ...mapped, allOf: [...listOf(allOf), ...conditions] };
}

/** Converts what a schema declares besides the schemas of its family that it extends. */
function ownPart(
  { schema, reference }: Subtype,
  family: ReadonlySet<unknown>,
  { references, convert }: SubtypeParts,
): JsonSchema {
  const isForeign = (part: unknown): boolean => {
    const { $ref: to } = objectOf(part);
    return typeof to !== 'string' || !family.has(references.at(to));
  };
  // Members of the family are unevaluated in a part of it.
  const { discriminator: _, unevaluatedProperties: __, title: ___, description: ____, ...rest } = schema;
  const others = listOf(schema.allOf).filter(isForeign);
  const { allOf, ...converted } = convert({ ...rest, allOf: others }, reference);
  return others.length === 0 ? converted : { ...converted, allOf };
}
