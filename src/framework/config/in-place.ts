import { isSchema } from './subschemas';

/** Keywords of schemas that say something of the same value: one schema, a list, a map (JSON Schema 2020-12, core 10.2). */
const IN_PLACE = ['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas'];

/** The references of a schema that are about the value itself: nobody could come to an end with one that leads back. */
export function referencesInPlace(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const { $ref: reference } = schema;
  const inner = IN_PLACE.flatMap((keyword) => {
    const held = schema[keyword];
    if (Array.isArray(held)) return held.flatMap(referencesInPlace);
    if (keyword !== 'dependentSchemas') return referencesInPlace(held);
    return isSchema(held) ? Object.values(held).flatMap(referencesInPlace) : [];
  });
  return typeof reference === 'string' ? [reference, ...inner] : inner;
}
