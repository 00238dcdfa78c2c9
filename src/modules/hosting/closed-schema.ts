import type { TSchema } from '@sinclair/typebox';
import { isSchema, type SchemaNode } from '../../framework';
import { DerivedDefinitions } from './derived-definitions';

/**
 * A schema whose objects have no members but those that it names, inside, in lists, and where it refers to definitions
 * too. Objects that say themselves what they think of others, and those made of several schemas, are left as they are:
 * what one part does not know, another may.
 */
export function closed<S extends TSchema>(schema: S): S {
  const derived = new DerivedDefinitions(schema, 'Closed', closedPart);
  // Only what it says of further members is another.
  return derived.complete(closedPart(schema, derived) as S);
}

/** The same object where it says enough. */
function closedPart(schema: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const { properties, items, $ref: reference } = schema;
  const inner: Record<string, unknown> = {};
  if (isSchema(properties)) {
    inner.properties = closedMembers(properties, derived);
    if (!OPEN.some((keyword) => keyword in schema)) inner.additionalProperties = false;
  }
  if (isSchema(items)) inner.items = closedPart(items, derived);
  if (typeof reference === 'string') inner.$ref = derived.reference(reference);
  const isSame = Object.entries(inner).every(([keyword, value]) => schema[keyword] === value);
  return isSame ? schema : { ...schema, ...inner };
}

function closedMembers(properties: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => [
    name,
    isSchema(member) ? closedPart(member, derived) : member,
  ]);
  return members.every(([name, member]) => properties[name] === member)
    ? properties
    : Object.fromEntries(members);
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
