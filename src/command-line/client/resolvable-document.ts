import { formatPointer, isObject, objectOf, type JsonObject } from '../../framework';

/** Members whose own members are names, not keywords. */
const NAMED: readonly string[] = ['examples', 'properties', 'patternProperties', '$defs', 'schemas'];

/** Members that are types as they are. */
const VERBATIM: readonly string[] = ['const', 'enum', 'mapping'];

/**
 * Returns a document as the generator of types can read it:
 * - without the `externalValue` of examples (OpenAPI 3.1.1, 4.8.19). The generator fetches the URL or reads the file that it
 *   names, though types do not need it; also in data, such as the value of another example. Properties of schemas stay.
 * - with references instead of names of schemas in the mappings of discriminators (OpenAPI 3.1.1, 4.8.25)
 */
export function resolvableDocument(document: JsonObject): JsonObject {
  const schemas = objectOf(objectOf(document.components).schemas);
  return resolvable(document, schemas, false);
}

/** @param areNames whether the members are names, not keywords */
function resolvable(value: JsonObject, schemas: JsonObject, areNames: boolean): JsonObject {
  const inner = (key: string, member: unknown): unknown => {
    if (Array.isArray(member)) return member.map((one) => inner(key, one));
    if (!isObject(member)) return member;
    const own = !areNames && key === 'discriminator' ? withReferences(member, schemas) : member;
    return resolvable(own, schemas, !areNames && NAMED.includes(key));
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== 'externalValue' || typeof member !== 'string')
      .map(([key, member]) => [key, !areNames && VERBATIM.includes(key) ? member : inner(key, member)]),
  );
}

function withReferences(discriminator: JsonObject, schemas: JsonObject): JsonObject {
  if (!isObject(discriminator.mapping)) return discriminator;
  const entries = Object.entries(discriminator.mapping).map(([value, to]) => [
    value,
    typeof to === 'string' && Object.hasOwn(schemas, to) ? `#/components/schemas${formatPointer([to])}` : to,
  ]);
  return { ...discriminator, mapping: Object.fromEntries(entries) as JsonObject };
}
