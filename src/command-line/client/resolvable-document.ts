import { formatPointer, isObject, objectOf, type JsonObject } from '../../framework';

/** Members whose own members are names, not keywords. */
const NAMED: readonly string[] = [
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'examples'],
  ...['responses', 'headers', 'content', 'encoding', 'links', 'callbacks', 'paths', 'webhooks'],
  ...['parameters', 'requestBodies', 'pathItems'],
];

/** Members that are types as they are. */
const VERBATIM: readonly string[] = ['const', 'enum', 'mapping'];

/** Members that are data, which types do not need; `value` is that of an example. */
const DATA: readonly string[] = ['example', 'default', 'value'];

/** Members that the generator follows, also in data. */
const FOLLOWED: readonly string[] = ['$ref', 'externalValue'];

/**
 * Returns a document as the generator of types can read it:
 * - without the `externalValue` of examples (OpenAPI 3.1.1, 4.8.19). The generator fetches the URL or reads the file that it
 *   names, though types do not need it; also in data, such as the value of another example. Properties of schemas stay.
 * - without `$ref` in data, such as the example of a JSON Schema, where it is an ordinary name
 * - with references instead of names of schemas in the mappings of discriminators (OpenAPI 3.1.1, 4.8.25)
 */
export function resolvableDocument(document: JsonObject): JsonObject {
  const schemas = objectOf(objectOf(document.components).schemas);
  return resolvable(document, schemas, false);
}

/** @param areNames whether the members are names, not keywords */
function resolvable(value: JsonObject, schemas: JsonObject, areNames: boolean): JsonObject {
  const inner = (key: string, member: unknown): unknown => {
    if (!areNames && (DATA.includes(key) || (key === 'examples' && Array.isArray(member))))
      return plain(member);
    if (Array.isArray(member))
      return member.map((one: unknown) => (isObject(one) ? resolvable(one, schemas, false) : one));
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

/** Returns data without members that the generator follows. */
function plain(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(plain);
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key, member]) => !FOLLOWED.includes(key) || typeof member !== 'string')
      .map(([key, member]) => [key, plain(member)]),
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
