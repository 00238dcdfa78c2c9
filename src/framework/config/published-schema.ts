import type { SectionSchemas } from '../json-schema/schema-tree';
import { partialSchema } from '../json-schema/partial-schema';
import { mapSubschemas, type SchemaNode } from '../json-schema/subschemas';
import { objectOf, isObject, isList } from '../values/config-object';

/** A reference to an environment variable. */
const VARIABLE = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';

/**
 * Builds the JSON Schema of configuration files (`config/schema.json`), for editors and other tools. It describes a
 * single file: no key is required, null removes a key, and strings may contain environment variables.
 *
 * @param schemas of the top-level keys
 */
export function publishedSchema(schemas: SectionSchemas): SchemaNode {
  const sections = [...schemas].map(([key, schema]): [string, SchemaNode] => [
    key,
    publish(partialSchema(plain(schema))),
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of the platform',
    description: 'A file in config/autoload. Overrides the values of lower layers.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'The location of this schema, for editors.' },
      ...nullableMembers(Object.fromEntries(sections)),
    },
    additionalProperties: false,
  };
}

/** Returns the schema without values that are not JSON. */
function plain(schema: unknown): SchemaNode {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return objectOf(copy);
}

function publish(schema: SchemaNode): SchemaNode {
  const { group, hint, mergeLists, restart, secret, sentTo, variants, ...rest } = mapSubschemas(
    schema,
    publish,
  );
  const { propertyNames } = schema;
  // Variables are allowed in strings, but not in names of keys.
  const names = propertyNames === undefined ? {} : { propertyNames };
  const open: SchemaNode = { ...rest, ...names, ...conditions(variants) };
  const members = {
    ...(isObject(open.properties) ? { properties: nullableMembers(open.properties) } : {}),
    ...(isObject(open.patternProperties)
      ? { patternProperties: nullableMembers(open.patternProperties) }
      : {}),
    ...(isObject(open.additionalProperties)
      ? { additionalProperties: nullable(open.additionalProperties) }
      : {}),
  };
  return { ...withVariables(open), ...members };
}

/** Converts `variants`: the schema of a member depends on the value of another one, e.g. `options` on `adapter`. */
function conditions(variants: unknown): SchemaNode {
  if (!isObject(variants) || !isObject(variants.schemas)) return {};
  const { by, member, schemas } = variants;
  if (typeof by !== 'string' || typeof member !== 'string') return {};
  return {
    allOf: Object.entries(schemas).map(([value, schema]) => ({
      if: { properties: { [by]: { const: value } }, required: [by] },
      then: { properties: { [member]: nullable(publish(partialSchema(plain(schema)))) } },
    })),
  };
}

function nullableMembers(members: SchemaNode): SchemaNode {
  return Object.fromEntries(
    Object.entries(members).map(([key, schema]) => [key, isObject(schema) ? nullable(schema) : schema]),
  );
}

function nullable(schema: SchemaNode): SchemaNode {
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return schema;
  if (typeof schema.type === 'string' && schema.const === undefined && schema.enum === undefined) {
    return { ...schema, type: [schema.type, 'null'] };
  }
  if (isList(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
}

function withVariables(schema: SchemaNode): SchemaNode {
  if (typeof schema.pattern === 'string') return { ...schema, pattern: `(${schema.pattern})|${VARIABLE}` };
  const { anyOf } = schema;
  if (isList(anyOf) && anyOf.some((one) => isObject(one) && typeof one.const === 'string')) {
    return { ...schema, anyOf: [...anyOf, { type: 'string', pattern: VARIABLE }] };
  }
  return schema;
}
