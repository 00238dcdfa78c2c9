import type { TSchema } from '@sinclair/typebox';
import { isSchema, type SchemaNode } from '../../framework';
import { DerivedDefinitions } from './derived-definitions';

/**
 * A schema whose objects have no members but those that it names, inside, in lists, and where it refers to definitions
 * too, and where null may stand in their place. Objects that say themselves what they think of others, and those made of
 * several schemas, are left as they are: what one part does not know, another may.
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
  const [open = '', ...more] = OPEN.filter((keyword) => keyword in schema);
  if (CHOICES.includes(open) && more.length === 0 && !isSchema(properties))
    inner[open] = closedOrNull(schema[open], derived);
  const isSame = Object.entries(inner).every(([keyword, value]) => schema[keyword] === value);
  return isSame ? schema : { ...schema, ...inner };
}

/** The same list where more than one of the branches says anything but null. */
function closedOrNull(branches: unknown, derived: DerivedDefinitions): unknown {
  if (!Array.isArray(branches)) return branches;
  const isNull = (branch: unknown): boolean => isSchema(branch) && branch.type === 'null';
  if (branches.filter((branch) => !isNull(branch)).length !== 1) return branches;
  const parts = branches.map((one: unknown) => (isSchema(one) ? closedPart(one, derived) : one));
  return parts.every((part, at) => part === branches[at]) ? branches : parts;
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

/** Of these, only one branch has to fit. */
const CHOICES = ['anyOf', 'oneOf'];

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
