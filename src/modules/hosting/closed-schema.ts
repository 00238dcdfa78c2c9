import type { TSchema } from '@sinclair/typebox';

/**
 * A schema whose objects have no members but those that it names, inside and in lists too. Objects that say
 * themselves what they think of others, and those made of several schemas, are left as they are: what one part does
 * not know, another may.
 */
export function closed<S extends TSchema>(schema: S): S {
  const { properties, items } = schema;
  const inner: Record<string, unknown> = {};
  if (isRecord(properties)) {
    inner.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, isSchema(member) ? closed(member) : member]),
    );
    if (!OPEN.some((keyword) => keyword in schema)) inner.additionalProperties = false;
  }
  if (isSchema(items)) inner.items = closed(items);
  return { ...schema, ...inner };
}

/** Keywords by which a schema has said it, or by which others join in. */
const OPEN = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is TSchema {
  return isRecord(value);
}
